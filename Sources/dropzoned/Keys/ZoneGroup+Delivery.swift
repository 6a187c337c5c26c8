internal import DropEngine

extension ZoneGroup {
  /// How accepted payloads get into the box.
  static let delivery = ZoneGroup(
    name: "Delivery",
    keys: [
      ZoneKey("Operation", \.delivery.operation) { try $0.choice() },
      ZoneKey("Collision", \.delivery.collision) { try $0.choice() },
      ZoneKey("Durable", \.delivery.durable) { try $0.boolean() },
      ZoneKey("Digest", \.delivery.digest) { try $0.choice() },
      ZoneKey("Flatten", \.delivery.flatten) { try $0.boolean() },
      ZoneKey("Owner", \.delivery.owner) { try $0.owner() },
      ZoneKey("Group", \.delivery.group) { try $0.group() },
      ZoneKey("Permissions", \.delivery.permissions) { try $0.permissions() },
    ])
}
