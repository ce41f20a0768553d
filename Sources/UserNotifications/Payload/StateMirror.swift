/// An object of the server's as a device knows it: fetched once, then kept up by differences.
///
/// Differences come in any order, twice, or not at all. One that fits is taken; after a gap the
/// object is fetched again, and again should it turn out older than what was already heard of.
public struct StateMirror: Hashable, Sendable {
  /// The version known; `nil` before the first.
  public private(set) var version: Int64?
  /// The object's fields in that version.
  public private(set) var fields: [String: PayloadValue] = [:]
  /// The newest version heard of.
  private var newest: Int64 = .min

  /// A mirror that knows nothing yet; the object is to be fetched.
  public init() {}

  /// Whether the object is to be fetched: it is unknown, or something is missing.
  public var needsFetch: Bool {
    guard let version else { return true }
    return version < newest
  }

  /// What a difference did.
  public enum Effect: Hashable, Sendable {
    case applied
    /// It says nothing new.
    case alreadyKnown
    /// Something before it is missing: fetch the object.
    case gap
  }

  /// Takes a difference in, if it fits.
  public mutating func apply(_ delta: StateDelta) -> Effect {
    newest = max(newest, delta.version)
    guard let version else { return .gap }
    guard delta.version > version else { return .alreadyKnown }
    guard delta.base == version else { return .gap }
    for (name, value) in delta.changes { fields[name] = value == .null ? nil : value }
    self.version = delta.version
    return .applied
  }

  /// Takes the object in as it was fetched, unless a newer one is known.
  public mutating func replace(with fields: [String: PayloadValue], version: Int64) {
    newest = max(newest, version)
    if let known = self.version, known >= version { return }
    self.fields = fields
    self.version = version
  }
}
