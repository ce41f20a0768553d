import ArgumentParser
import MatineeTerminal
import Wire

/// `matinee admin`: what only the server's administrator may do.
struct AdminCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin",
    abstract: "See all groups of a server, and put its groups and people in order.",
    discussion: """
      The administrator shows the server's key (matinee serve --admin-key-file), over an encrypted \
      connection or on the server's own machine; or, to a server of tokens, a token with `admin`.

        matinee admin groups --admin-key-file admin.key
        matinee admin remove eve friday --admin-key-file admin.key
        matinee admin pair ann --admin-key-file admin.key

      Everything is done at once, without a question.
      """,
    subcommands: [
      AdminGroups.self, AdminSessions.self, AdminPeople.self, AdminClose.self, AdminRemove.self,
      AdminFree.self, AdminPair.self, AdminRekey.self, AdminLimits.self,
    ])

  /// The exit codes of every subcommand.
  fileprivate static let exitCodes = """
    Exit codes: 0 done, 64 wrong usage, 66 no valid key or token in the file, 69 no server or it \
    refuses, 75 no answer in time.
    """

  /// - Parameter form: the subcommand with its arguments.
  fileprivate static func configuration(
    _ form: String, _ abstract: String, _ discussion: String? = nil
  ) -> CommandConfiguration {
    CommandConfiguration(
      commandName: String(form.prefix { $0 != " " }), abstract: abstract,
      usage: "matinee admin \(form) --admin-key-file <file> [<options>]",
      discussion: discussion.map { "\($0)\n\n\(exitCodes)" } ?? exitCodes)
  }
}

/// `matinee admin groups`: lists the groups.
struct AdminGroups: ParsableCommand {
  static let configuration = AdminCommand.configuration("groups", "List the groups.")

  @OptionGroup var admin: AdminArguments

  func run() throws { try admin.show { $0.groupTable } }
}

/// `matinee admin sessions`: lists the sessions.
struct AdminSessions: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "sessions", "List what the groups watch.")

  @OptionGroup var admin: AdminArguments

  func run() throws { try admin.show { $0.sessionTable } }
}

/// `matinee admin people`: lists the people whom the server knows.
struct AdminPeople: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "people", "List the people whom the server knows.",
    """
    Those who are in groups have their devices counted. The others are connected, away, or held: \
    the name is from before the server asked for keys, and admin pair lets its person in.
    """)

  @OptionGroup var admin: AdminArguments

  func run() throws { try admin.show { $0.peopleTable } }
}

/// `matinee admin limits`: shows how much of the server's limits is used.
struct AdminLimits: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "limits", "Show how much of its limits the server uses.",
    "The options of matinee serve set them.")

  @OptionGroup var admin: AdminArguments

  func run() throws { try admin.show { $0.limitTable } }
}

/// `matinee admin close`: closes a group.
struct AdminClose: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "close <group>", "Close a group for everybody.",
    "Its session ends. Its link opens nothing any more.")

  @OptionGroup var group: GroupArgument
  @OptionGroup var admin: AdminArguments

  func run() throws {
    try admin.order(.closeGroup(group.id))
    print("closed \(group.group.onOneLine)")
  }
}

/// `matinee admin remove`: removes a person from a group.
struct AdminRemove: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "remove <name> <group>", "Remove a person from a group for good.",
    """
    All their devices leave it, and neither a link nor a token lets them in again. A group with a \
    key gets another one; a group without one forgets them when it closes.
    """)

  @OptionGroup var person: PersonArgument
  @OptionGroup var group: GroupArgument
  @OptionGroup var admin: AdminArguments

  func run() throws {
    try admin.order(.removeUser(person.id, from: group.id), about: person)
    print("removed \(person.name.onOneLine) from \(group.group.onOneLine)")
  }
}

/// `matinee admin free`: takes a name from its person.
struct AdminFree: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "free <name>", "Take a name from its person.",
    """
    Their devices are put out, and what the server keeps for the name is erased. The name belongs \
    to the next who comes in with it and a group's link. Where access is by tokens, their token \
    lets them in again until it expires: see matinee admin remove.
    """)

  @OptionGroup var person: PersonArgument
  @OptionGroup var admin: AdminArguments

  func run() throws {
    try admin.order(.freeName(person.id), about: person)
    print("\(person.name.onOneLine) is free")
  }
}

/// `matinee admin pair`: makes a code for a person's new device.
struct AdminPair: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "pair <name>", "Make a code that lets a new device of a person in.",
    "For a person who has lost their devices. The code is good for one device and five minutes.")

  @OptionGroup var person: PersonArgument
  @OptionGroup var admin: AdminArguments

  func run() throws {
    let answer = try admin.order(.pair(person.id), about: person)
    guard case .pairing(let code, _) = answer else {
      throw complaint("the server makes no codes", 69)
    }
    print(
      """
      The code is \(code); type on the new device, with the server's address as seen from there:
        matinee pair \(code) --server \(admin.server.server.shellWord) --as \(person.name.shellWord)
      """)
  }
}

/// `matinee admin rekey`: gives a group another key.
struct AdminRekey: ParsableCommand {
  static let configuration = AdminCommand.configuration(
    "rekey <group>", "Give a group another key.",
    "Its older links let nobody in any more; who was let in before needs none.")

  @OptionGroup var group: GroupArgument
  @OptionGroup var admin: AdminArguments

  func run() throws {
    try admin.order(.changeKey(group.id))
    print("\(group.group.onOneLine) has a new key")
  }
}
