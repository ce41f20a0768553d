public import Vocabulary

/// An object of an app's own, which a group keeps for its members: a watch list, a score, a vote.
public struct GroupObject: Hashable, Sendable {
  /// The number of the group's event that changed it last; it grows with each change.
  public let version: Int
  /// The fields by name.
  public let fields: [String: PayloadValue]

  package init(version: Int, fields: [String: PayloadValue]) {
    self.version = version
    self.fields = fields
  }
}
