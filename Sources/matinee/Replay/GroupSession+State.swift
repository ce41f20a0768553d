import GroupSessions
import JSON
import MatineeTerminal
import Participation
import Playback
import Vocabulary
import Wire

extension GroupSession {
  /// The session's state at an instant, for people.
  func stateLines(at now: Instant, since began: Instant) -> [String] {
    var lines = [
      "session \(id) of group \(group) after event \(seq), \((now - began).clockText) after it "
        + "began (\(now.calendarText))",
      "“\(activity.metadata.title)”, started by \(initiator.name)\(stateSuffix)",
    ]
    lines += section("playback", playback.timelines.map { timelineLine($0, $1, now) })
    lines += section("participants", roster(at: now, since: began))
    lines += section("invitations", invitations.values.map { $0.line(since: began) })
    lines += section("suspensions", suspensions(at: now))
    lines += section("queue", queueLines)
    lines += section("rules", rules)
    return lines.map(\.onOneLine)
  }

  /// The session's state as a JSON object.
  func json(at now: Instant) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("at", now)
      encodeFields(into: &writer)
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private var stateSuffix: String {
    switch state {
    case .staged: ", staged, not activated yet"
    case .open: isDraining ? ", everyone is lost" : ""
    case .ended(let reason): ", ended: \(reason.text { participants[$0]?.name ?? $0.text })"
    }
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", title] + lines.map { "  " + $0 }
  }

  private func timelineLine(_ item: ItemID, _ timeline: Timeline, _ now: Instant) -> String {
    let waiting = awaited(item, at: now).map(\.name)
    let names = waiting.isEmpty ? "" : ", waiting for \(waiting.joined(separator: ", "))"
    let watchers = playback.counting(item).reduce(0) { count, _ in count + 1 }
    let unattended = watchers == 0 ? ", open for nobody" : ""
    return "“\(title(of: item))” \(timeline.text(at: now))\(names)\(unattended)"
  }

  private func title(of item: ItemID) -> String {
    let queued = queue.entries.first { $0.media.item == item }?.media
    let media = activity.media?.item == item ? activity.media : queued
    return media?.title ?? item.text
  }

  private func roster(at now: Instant, since began: Instant) -> [String] {
    guard !participants.isEmpty else { return ["nobody"] }
    var table = TextTable("NAME", "ROLE", "STATE", "JOINED", "PARTICIPANT", "DEVICE")
    for participant in participants.values.sorted(by: { $0.name < $1.name }) {
      let lost = lost[participant.id].map { ", until \(($0 - began).clockText)" } ?? ""
      table.add(
        participant.name, participant.role.rawValue, stateText(of: participant.id, at: now) + lost,
        (participant.joinedAt - began).clockText, participant.id.text, participant.device.text)
    }
    return table.lines
  }

  private func suspensions(at now: Instant) -> [String] {
    playback.participants.flatMap { id, participant in
      participant.suspensions.map { suspension in
        let name = participants[id]?.name ?? id.text
        let length = (now - suspension.since).clockText
        let imposed = suspension.isImposed ? ", by a barrier that came due" : ""
        return "\(name): \(suspension.reason.spokenText) for \(length)\(imposed)"
      }
    }
  }

  private var queueLines: [String] {
    let entries = queue.entries.map { entry in
      let mark = entry.id == queue.current ? "▶" : " "
      let by = entry.addedBy.map { ", from \(participants[$0]?.name ?? $0.text)" } ?? ""
      return "\(mark) “\(entry.media.title ?? entry.media.item.text)”\(by)"
    }
    guard !entries.isEmpty else { return [] }
    var modes: [String] = []
    if queue.repeatMode != .off { modes.append("repeats \(queue.repeatMode.rawValue)") }
    if queue.unshuffledOrder != nil { modes.append("shuffled") }
    if !queue.isAutoAdvancing { modes.append("stops after each entry") }
    return entries + (modes.isEmpty ? [] : [modes.joined(separator: ", ")])
  }

  private var rules: [String] {
    [control.phrase, playback.waitingPolicy.phrase, dismissalPolicy.phrase]
      + (oneDevicePerUser ? ["one device a person"] : [])
      + (hasAudience ? ["with an audience"] : [])
      + (declined.isEmpty ? [] : ["declined: \(list(declined))"])
      + (banned.isEmpty ? [] : ["removed for good: \(list(banned.users))"])
  }

  private func list<Name>(_ names: Set<Identifier<Name>>) -> String {
    names.sorted().map(\.text).joined(separator: ", ")
  }
}

extension Invitation {
  fileprivate func line(since began: Instant) -> String {
    switch state {
    case .pending: "\(user): pending until \((expires - began).clockText)"
    case .accepted where !hasJoined: "\(user): accepted, not here yet"
    case .accepted, .declined, .expired, .revoked: "\(user): \(state.rawValue)"
    }
  }
}
