import GroupSessions

extension Group {
  /// What its people are called, in order; keepers are nobody.
  var peopleNames: [String] { people.map(\.name).sorted() }
}
