public import Vocabulary

/// A device's copy of an object of the server: fetched once, then updated by differences.
///
/// Differences arrive in any order, twice, or not at all. One that fits is applied. After a gap the
/// object is fetched again, and once more if it is older than the newest version heard of.
public struct StateMirror: Hashable, Sendable {
  /// The version known; `nil` before the first.
  public private(set) var version: Int64?
  /// The object's fields in that version.
  public private(set) var fields: [String: PayloadValue] = [:]
  /// The newest version heard of.
  private var newest: Int64 = .min

  /// A mirror that knows nothing yet; the object is to be fetched.
  public init() {}

  /// Whether the object must be fetched: it is unknown, or a difference is missing.
  public var needsFetch: Bool {
    guard let version else { return true }
    return version < newest
  }

  /// What a difference did.
  public enum Effect: Hashable, Sendable {
    /// It was applied.
    case applied
    /// It was known already.
    case alreadyKnown
    /// An earlier difference is missing: fetch the object.
    case gap
  }

  /// Applies a difference, if it fits.
  public mutating func apply(_ delta: StateDelta) -> Effect {
    newest = max(newest, delta.version)
    guard let version else { return .gap }
    guard delta.version > version else { return .alreadyKnown }
    guard delta.base == version else { return .gap }
    for (name, value) in delta.changes { fields[name] = value == .null ? nil : value }
    self.version = delta.version
    return .applied
  }

  /// Takes the fetched object, unless a newer one is known.
  public mutating func replace(with fields: [String: PayloadValue], version: Int64) {
    newest = max(newest, version)
    if let known = self.version, known >= version { return }
    self.fields = fields
    self.version = version
  }
}

/// The difference between two versions of an object, as a silent notification carries it.
///
/// Versions grow and may have gaps: each difference names the version that it changes.
public struct StateDelta: Hashable, Sendable {
  /// The version it changes.
  public let base: Int64
  /// The version that results; greater than ``base``.
  public let version: Int64
  /// The fields that differ, with their new values; `null` takes one out (RFC 7396, one level).
  public let changes: [String: PayloadValue]

  /// A difference; `nil` if the version does not grow.
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
