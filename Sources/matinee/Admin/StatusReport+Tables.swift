import GroupSessions
import MatineeTerminal
import Playback
import Vocabulary
import Wire

extension AdminArguments {
  /// Prints a table of the server's groups.
  func show(_ table: (StatusReport) -> TextTable) throws {
    let table = table(try ask(StatusQuestion()).report)
    for line in table.lines { print(line) }
  }
}

extension StatusReport {
  /// The groups, by name.
  var groupTable: TextTable {
    var table = TextTable("GROUP", "FOUNDER", "PEOPLE", "CONNECTED", "SESSION")
    for group in groups {
      let devices = group.people
      let title = sessions.first { $0.id == group.session }?.activity.currentTitle
      table.add(
        group.id.text, group.founder.text, "\(Set(devices.map(\.user)).count)",
        "\(devices.count { group.lost[$0.device] == nil })",
        title ?? (group.session == nil ? "-" : "too large to show"))
    }
    return table
  }

  /// The sessions, in the order of their groups.
  var sessionTable: TextTable {
    var table = TextTable("GROUP", "TITLE", "STARTED BY", "WATCHING", "PLAYBACK")
    for group in groups {
      guard let session = sessions.first(where: { $0.id == group.session }) else { continue }
      table.add(
        group.id.text, session.activity.currentTitle, session.initiator.name,
        "\(session.people.count)", place(of: session))
    }
    return table
  }

  private func place(of session: GroupSession) -> String {
    guard let item = session.activity.media?.item, let timeline = session.playback.timelines[item]
    else { return "-" }
    return timeline.text(at: at)
  }

  /// What is used of the limits.
  var limitTable: TextTable {
    var table = TextTable("LIMIT", "USED", "MOST")
    for row in usage { table.add(row.limit, "\(row.used)", "\(row.most)") }
    return table
  }

  /// The people, in the order of their groups, and then those who are in none; somebody in several
  /// groups has several rows.
  var peopleTable: TextTable {
    var table = TextTable("NAME", "USER", "DEVICES", "GROUP", "STATE")
    for group in groups {
      let devices = Dictionary(grouping: group.people, by: \.user)
      for user in devices.keys.sorted() {
        let own = devices[user, default: []]
        let connected = own.count { group.lost[$0.device] == nil }
        table.add(
          Set(own.map(\.name)).sorted().joined(separator: ", "), user.text, "\(own.count)",
          group.id.text, connected == 0 ? "lost" : "connected")
      }
    }
    let grouped = Set(groups.flatMap { $0.people.map(\.user) })
    for name in names where !grouped.contains(name.user) {
      table.add(
        "-", name.user.text, "-", "-",
        name.isHeld ? "held" : name.isConnected ? "connected" : "away")
    }
    if hasMoreNames { table.add("-", "and more than an answer holds", "-", "-", "-") }
    return table
  }
}
