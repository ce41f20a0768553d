import MatineeClient
import MatineeTerminal

/// A person's name on a terminal, and the user, which is what a credential proves.
struct ShownName: Hashable {
  let name: String
  let user: UserID

  /// What people see of the name.
  fileprivate var looks: String {
    let seen = name.onOneLine.unicodeScalars.filter { $0.properties.generalCategory != .format }
    return String(String.UnicodeScalarView(seen))
  }
}

/// What the people of one list are called on a terminal.
///
/// Anybody may choose a name that looks like another's.
struct ShownNames {
  /// Who shows a name, by what people see of it.
  private var users: [String: Set<UserID>] = [:]

  init(_ people: some Sequence<ShownName>) {
    for person in people { users[person.looks, default: []].insert(person.user) }
  }

  /// The name, with the user where somebody else shows the same name.
  func text(of person: ShownName) -> String {
    let isShared = users[person.looks]?.contains { $0 != person.user } == true
    return isShared ? "\(person.name) (user \(person.user.text.escapedJSON))" : person.name
  }
}

extension Participant {
  var shownName: ShownName { ShownName(name: name, user: user) }
}

extension GroupMember {
  var shownName: ShownName { ShownName(name: name, user: user) }
}
