package import DropEngine

/// Why a payload was not claimed.
package struct ClaimRefusal: Sendable {
  package var key: PayloadKey
  package var reason: Delivery.Refusal

  package init(_ key: PayloadKey, _ reason: Delivery.Refusal) {
    self.key = key
    self.reason = reason
  }

  package var waiting: Waiting? { reason.waiting }
  package var detail: String { reason.detail }
  package var endsAtChange: Bool { reason.endsAtChange }
}
