import SyncplayTesting

/// Who is where, as a client of Syncplay's knows it: by the last List, and all news since.
struct Userlist: Equatable {
  struct User: Equatable {
    var room: String
    var file: String?
    /// Told within a room only.
    var isReady: Bool?
    /// Told within a room only, and over with it.
    var isOperator = false
  }

  private(set) var users: [String: User] = [:]
  /// What the client itself is called, and where it is.
  private(set) var own = ""
  private(set) var room = ""

  /// Takes in a line that the client hears.
  mutating func take(_ line: JSONTree) {
    if let hello = line["Hello"] {
      own = hello["username"]?.string ?? own
      room = hello["room"]?["name"]?.string ?? room
    }
    if let list = line["List"] { take(list: list) }
    for (name, news) in line["Set"]?["user"]?.fields ?? [:] { take(news, of: name) }
    if let word = line["Set"]?["controllerAuth"], word["success"]?.bool == true,
      let name = word["user"]?.string
    {
      users[name]?.isOperator = true
    }
    if let ready = line["Set"]?["ready"], let name = ready["username"]?.string {
      users[name]?.isReady = ready["isReady"]?.bool
    }
  }

  private mutating func take(list: JSONTree) {
    users = [:]
    for (room, people) in list.fields {
      for (name, user) in people.fields {
        users[name] = User(
          room: room, file: user["file"]?["name"]?.string, isReady: user["isReady"]?.bool,
          isOperator: user["controller"]?.bool == true)
        if name == own { self.room = room }
      }
    }
  }

  private mutating func take(_ news: JSONTree, of name: String) {
    if news["event"]?["left"] != nil {
      users[name] = nil
    } else if let room = news["room"]?["name"]?.string {
      if news["event"]?["joined"] != nil || users[name] == nil { users[name] = User(room: room) }
      if users[name]?.room != room { users[name]?.isOperator = false }
      users[name]?.room = room
      if name == own { self.room = room }
    }
    if let file = news["file"] { users[name]?.file = file["name"]?.string }
  }

  /// All but the client itself; whether somebody is ready, or an operator, in its own room only.
  var others: [String: User] {
    var others = users.filter { $0.key != own }
    for (name, user) in others where user.room != room {
      others[name] = User(room: user.room, file: user.file)
    }
    return others
  }
}

extension JSONTree {
  fileprivate var fields: [String: JSONTree] {
    if case .object(let fields) = self { fields } else { [:] }
  }

  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }

  fileprivate var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
}
