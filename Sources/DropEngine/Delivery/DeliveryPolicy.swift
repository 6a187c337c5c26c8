/// The rules that a zone's deliveries follow; one object for all of them.
package final class DeliveryPolicy: Sendable {
  package let settings: ZoneSettings
  /// Whether a handler decides, rather than the rules alone.
  package let asksHandler: Bool
  /// Whether a configuration is asked about rejects that are tried again.
  package let asksConfiguration: Bool

  package init(settings: ZoneSettings, asksHandler: Bool, asksConfiguration: Bool = false) {
    self.settings = settings
    self.asksHandler = asksHandler
    self.asksConfiguration = asksConfiguration
  }

  /// Starts of the daemon that may die on one payload; at the next it is set aside.
  package static let startsLimit = 3

  var isDurable: Bool { settings.delivery.durable }
  var attemptsLimit: Int { settings.handler.attempts }
  var collision: DeliveryRules.Collision { settings.delivery.collision }

  /// Directories to sync, in their order; none where durability is not asked for.
  func whereDurable(_ names: [Delivery.Name]) -> [Delivery.Name] { isDurable ? names : [] }
}
