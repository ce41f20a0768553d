/// The difference between two versions of an object, as a silent notification carries it.
///
/// Versions grow and need not be next to each other: each difference says from which one it leads.
public struct StateDelta: Hashable, Sendable {
  /// The version it changes.
  public let base: Int64
  /// The version it makes of it; greater than ``base``.
  public let version: Int64
  /// The fields that differ, with their new values; `null` takes one out (RFC 7396, one level).
  public let changes: [String: PayloadValue]

  /// A difference; `nil` if it leads nowhere, for versions only grow.
  public init?(from base: Int64, to version: Int64, changes: [String: PayloadValue]) {
    guard version > base else { return nil }
    self.base = base
    self.version = version
    self.changes = changes
  }

  /// The difference that a payload carries in its field `delta`.
  public init?(_ payload: NotificationPayload) {
    guard let fields = payload.custom["delta"]?.dictionary, let base = fields["from"]?.integer,
      let version = fields["to"]?.integer, let changes = fields["set"]?.dictionary
    else { return nil }
    self.init(from: base, to: version, changes: changes)
  }

  /// Adds it to a payload.
  public func write(to payload: inout NotificationPayload) {
    payload.custom["delta"] = [
      "from": .integer(base), "to": .integer(version), "set": .dictionary(changes),
    ]
  }
}
