import GroupSessions

extension Group {
  /// What its people are called, in order; keepers are nobody.
  var peopleNames: [String] { members.values.filter { !$0.isKeeper }.map(\.name).sorted() }
}
