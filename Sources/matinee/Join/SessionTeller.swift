import GroupSessions
import Participation
import Playback
import UserNotifications
import Vocabulary
import Wire

/// Puts what happens to a client into lines for people.
struct SessionTeller {
  private var lastPhase = ""
  private var lastMembers: Set<String> = []
  private var lastOffer = ""
  /// What the people of the session are called, of those who left too.
  private var names: [ParticipantID: String] = [:]

  /// The lines for one update; none for what people need not read.
  mutating func lines(
    for update: Client.Update, _ client: Client
  )
    -> [String]
  {
    switch update {
    case .connection(.offline(.closed)), .outcome(_, .failed(.closed)):
      return []  // Whoever leaves knows that they do.
    case .connection(let state): return [text(of: state)]
    case .eligibility(.ineligible(.alone)): return ["waiting for somebody else to join the group"]
    case .eligibility: return []
    case .group(let group): return members(of: group)
    case .activityNotice(let notice): return ["the group does “\(notice.title)” without you"]
    case .outcome(_, .failed(let failure)): return ["that did not work: \(failure.text)"]
    case .outcome(_, .answered(.activated(_, _, willDeliver: false))):
      return ["it starts on your other device"]
    case .outcome: return []
    case .session(_, let update): return lines(for: update, client)
    case .unsent(let what): return ["the server did not hear of \(what)"]
    // What the client logs of itself is nothing that the person asked for.
    case .noMatchingTrigger(let event) where event != client.settings.mediaEvent:
      return ["no campaign waits for the event \(event)"]
    case .reportLost(_, .responded, let failure?):
      return ["the server did not take your answer: \(failure.text)"]
    case .reportLost(_, .responded, nil):
      return ["the server did not hear of your answer"]
    case .presenter, .messages, .noMatchingTrigger, .center, .standing, .object, .reportLost:
      return []
    }
  }

  private mutating func lines(
    for update: Client.SessionUpdate, _ client: Client
  ) -> [String] {
    switch update {
    case .waiting(let offer):
      // Offers come again, whenever something about them may have changed.
      let title = "“\(offer.activity.metadata.title)”"
      let text =
        offer.isStaged
        ? "\(offer.initiator.name) prepared \(title); `begin` starts it"
        : "\(offer.initiator.name) started \(title)"
      defer { lastOffer = offer.session.text + text }
      return lastOffer == offer.session.text + text ? [] : [text]
    case .joined:
      lastPhase = ""
      names = [:]
      learnNames(client.session)
      let people = client.session?.people ?? []
      return ["joined; watching: \(people.map(\.name).sorted().joined(separator: ", "))"]
    case .activity(let activity, _, _): return ["on: “\(activity.currentTitle)”"]
    case .playback(let status): return phase(status)
    case .message(let text, let source, _):
      return ["\(client.session?.participants[source]?.name ?? source.text): \(text.spoken)"]
    case .notice(let notice): return ["\(notice)"]
    case .corrected(let correction, let error):
      return ["  (\(correction.text), it was off by \(error.millisecondsText))"]
    case .invalidated(let reason):
      return ["the session is over for you: \(reason.text { names[$0] ?? "somebody" })"]
    case .itemMismatch(let item, let others):
      return ["you have “\(item)”, and the others watch “\(others)”"]
    case .roster:
      learnNames(client.session)
      return []
    case .queue, .policies, .drift: return []
    }
  }

  private mutating func learnNames(_ session: GroupSession?) {
    guard let session else { return }
    for person in session.participants.values { names[person.id] = person.name }
  }

  /// One line a change of phase, not one for each event that leads there.
  private mutating func phase(_ status: Client.PlaybackStatus) -> [String] {
    var text = "\(status.timeline.phaseText)"
    if !status.waitingFor.isEmpty {
      text += ", waiting for \(status.waitingFor.joined(separator: ", "))"
    }
    guard text != lastPhase else { return [] }
    lastPhase = text
    return [text]
  }

  private mutating func members(of group: Group?) -> [String] {
    let names = Set(group?.peopleNames ?? [])
    defer { lastMembers = names }
    guard names != lastMembers, let group else { return [] }
    return ["in group \(group.id): \(names.sorted().joined(separator: ", "))"]
  }

  private func text(of state: Client.ConnectionState) -> String {
    switch state {
    case .connecting(nil): "connecting"
    case .connecting(let why?): "trying again: \(why)"
    case .online: "connected"
    case .reconnecting(_, let why): "connection lost, trying to get it back: \(why)"
    case .offline(let failure): "gone: \(failure.text)"
    }
  }

  /// Who is here, and where playback stands now.
  func state(of client: Client, at now: HostTime) -> [String] {
    guard let session = client.session else {
      let names = client.group?.peopleNames ?? []
      return [names.isEmpty ? "in no group" : "in the group: \(names.joined(separator: ", "))"]
    }
    var lines = ["“\(session.activity.currentTitle)”"]
    if let item = session.activity.media?.item, let timeline = session.playback.timelines[item],
      let instant = client.instant(at: now)
    {
      lines[0] += ", \(timeline.text(at: instant))"
    }
    var table = TextTable("NAME", "ROLE", "STATE")
    for participant in session.people.sorted(by: { $0.name < $1.name }) {
      let isMe = participant.id == client.participantID
      table.add(
        participant.name + (isMe ? " (you)" : ""), participant.role.rawValue,
        session.stateText(of: participant.id, at: client.instant(at: now)))
    }
    return lines + table.lines.map { "  " + $0 }
  }
}
