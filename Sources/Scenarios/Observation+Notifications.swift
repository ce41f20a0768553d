// What is seen of notifications and invitations, in the words of conditions.
extension Observation {
  /// What is new against an earlier look, for people to read.
  func notificationChanges(since old: Observation) -> [String] {
    var texts: [String] = []
    for notice in notifications where !old.notifications.contains(notice) {
      texts.append("notification \(notice.text)")
    }
    for notice in withdrawn where !old.withdrawn.contains(notice) {
      texts.append("withdrawn \(notice.name)")
    }
    if isToldSilently, !old.isToldSilently { texts.append("silent update") }
    for (part, fields) in mirrors.sorted(by: { $0.key < $1.key }) {
      guard let known = old.mirrors[part] else {
        texts.append("mirror \(part)")
        continue
      }
      let changes = fields.filter { known[$0.key] != $0.value }.sorted { $0.key < $1.key }
      guard !changes.isEmpty else { continue }
      let list = changes.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      texts.append("mirror \(part) \(list)")
    }
    for (person, state) in invitations.sorted(by: { $0.key < $1.key })
    where old.invitations[person] != state {
      texts.append("invitation \(person) \(state)")
    }
    return texts
  }

  var notificationText: String {
    guard !notifications.isEmpty else { return "no notification" }
    return "notifications \(notifications.map(\.text).joined(separator: ", "))"
  }

  var withdrawnText: String {
    guard !withdrawn.isEmpty else { return "nothing withdrawn" }
    return "withdrawn \(withdrawn.map(\.name).joined(separator: ", "))"
  }

  func mirrorText(_ part: String, _ field: String) -> String {
    guard let fields = mirrors[part] else { return "no mirror of \(part)" }
    return fields[field].map { "mirror \(part) \(field) \($0)" }
      ?? "mirror \(part) without \(field)"
  }

  func invitationText(_ person: String) -> String {
    "invitation \(person) \(invitations[person] ?? "unknown")"
  }
}

extension Observation.Notice {
  /// All it says, in a line.
  fileprivate var text: String {
    let rest = title.isEmpty || body.isEmpty ? "" : ": \(body)"
    return name + rest
  }
}
