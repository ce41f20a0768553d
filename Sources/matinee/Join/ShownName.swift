import MatineeClient
import MatineeTerminal

/// What people are called on a terminal.
///
/// Anybody may choose a name that looks like another's; the user is what a credential proves.
struct ShownName: Hashable {
  let name: String
  let user: UserID

  /// The name, with the user where somebody else shows the same name.
  func text(among people: some Sequence<ShownName>) -> String {
    let isShared = people.contains { $0.user != user && $0.looks == looks }
    return isShared ? "\(name) (user \(user.text.escapedJSON))" : name
  }

  /// What people see of the name.
  private var looks: String {
    let seen = name.onOneLine.unicodeScalars.filter { $0.properties.generalCategory != .format }
    return String(String.UnicodeScalarView(seen))
  }
}

extension Participant {
  var shownName: ShownName { ShownName(name: name, user: user) }
}

extension GroupMember {
  var shownName: ShownName { ShownName(name: name, user: user) }
}
