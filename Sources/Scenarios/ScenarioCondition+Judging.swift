import GroupSessions
import Playback
import UserNotifications
import Vocabulary

/// Whether a condition holds.
package enum Verdict: Equatable, Sendable {
  case met
  /// It does not hold for this peer, and what was observed instead.
  case unmet(String)
}

extension ScenarioCondition {
  /// Evaluates the condition for some peers.
  ///
  /// - Parameters:
  ///   - names: the peers, all of which have to meet the condition.
  ///   - observations: the current observation of each peer.
  package func judge(_ names: [String], _ observations: [String: Observation]) -> Verdict {
    if case .together(let limit) = self { return judgeSpread(limit, names, observations) }
    for name in names {
      guard let observation = observations[name] else {
        return .unmet("\(name) is not on the stage")
      }
      guard holds(for: observation) else {
        return .unmet("\(name): \(seen(in: observation))")
      }
    }
    return .met
  }

  private func judgeSpread(
    _ limit: Duration, _ names: [String], _ observations: [String: Observation]
  ) -> Verdict {
    let positions = names.compactMap { observations[$0]?.player?.position }
    guard positions.count == names.count, let first = positions.min(), let last = positions.max()
    else {
      return .unmet("not everyone has a player")
    }
    guard last - first > limit else { return .met }
    let list = zip(names, positions).map { "\($0) \($1.text)" }.joined(separator: ", ")
    return .unmet("\((last - first).millisecondsText) apart: \(list)")
  }

  func holds(for seen: Observation) -> Bool {
    switch self {
    case .connection(let connection): seen.connection == connection
    case .eligible: seen.ineligibility == nil
    case .ineligible(let reason):
      seen.ineligibility != nil && (reason == nil || seen.ineligibility == reason)
    case .outcome(let outcome): seen.outcome == outcome
    case .staged: seen.session == .staged
    case .offered: seen.session == .offered
    case .joined: seen.session == .joined
    case .noSession: seen.session == .none
    case .invalidated(let reason, let name): seen.session.isInvalidated(reason, by: name)
    case .participants(let names): seen.participants == names
    case .audience(let count): seen.audience == count
    case .lost(let names): seen.lost == names
    case .role(let role): seen.role == role
    case .ready(let names): seen.ready == names
    case .waitingFor(let names): seen.waitingFor == names
    case .suspended(let reason): seen.suspensions.contains(reason)
    case .item(let item): seen.item == item
    case .queue(let items): seen.queue == items
    case .heard(let text): seen.heard.contains(text)
    case .refused(let code): seen.refusal == code
    case .sees(let campaign): seen.message == campaign
    case .stack(let campaigns): seen.stack == campaigns
    case .notification(let text): seen.notifications.contains { $0.says(text) }
    case .noNotification: seen.notifications.isEmpty
    case .withdrawn(let text): seen.withdrawn.contains { $0.says(text) }
    case .invitation(let person, let state): seen.invitations[person] == state.rawValue
    case .silentUpdate: seen.isToldSilently
    case .mirror(let part, let field, let text): seen.mirrors[part.rawValue]?[field] == text
    case .not(let condition): !condition.holds(for: seen)
    default: holdsForPlayback(seen)
    }
  }

  private func holdsForPlayback(_ seen: Observation) -> Bool {
    switch self {
    case .paused(let position, let tolerance): seen.isPaused(at: position, within: tolerance)
    case .preparing: if case .preparing = seen.phase { true } else { false }
    case .playing: seen.phase == .playing && seen.player?.isRunning != false
    case .ended: seen.phase == .ended
    case .position(let position, let tolerance):
      seen.player.map { ($0.position - position).magnitude <= tolerance } ?? false
    case .beyond(let position): seen.player.map { $0.position >= position } ?? false
    case .rate(let rate): seen.rate == rate
    case .playerRuns: seen.player?.isRunning == true
    case .playerStands: seen.player?.isRunning == false
    case .playerUntouched: (seen.player?.commands ?? 0) == 0
    default: false
    }
  }

  /// The observed state that the condition is about, as text.
  private func seen(in observation: Observation) -> String {
    switch self {
    case .connection: observation.connection.rawValue
    case .eligible, .ineligible: observation.eligibilityText
    case .outcome: "outcome \(observation.outcome ?? "none yet")"
    case .staged, .offered, .joined, .noSession, .invalidated: observation.session.text
    case .participants: "participants \(observation.participants.listed)"
    case .audience: "audience \(observation.audience)"
    case .lost: "lost \(observation.lost.listed)"
    case .ready: "ready \(observation.ready.listed)"
    case .role: "role \(observation.role ?? "none")"
    case .waitingFor: "waiting for \(observation.waitingFor.listed)"
    case .suspended: "suspended: \(observation.suspensions.listed)"
    case .item: "item \(observation.item ?? "none")"
    case .queue: "queue \(observation.queue.listed)"
    case .heard: "heard \(observation.heard.listed)"
    case .refused: observation.refusal.map { "refused \($0)" } ?? "nothing refused"
    case .sees: observation.messageText
    case .stack: observation.stackText
    case .notification, .noNotification: observation.notificationText
    case .withdrawn: observation.withdrawnText
    case .invitation(let person, _): observation.invitationText(person)
    case .silentUpdate: observation.isToldSilently ? "a silent update" : "no silent update"
    case .mirror(let part, let field, _): observation.mirrorText(part.rawValue, field)
    case .rate: "rate \(observation.rate)"
    case .playerUntouched: "player told \(observation.player?.commands ?? 0) times"
    case .not(let condition): condition.seen(in: observation)
    default: observation.playbackText
    }
  }
}

extension Observation.Session {
  fileprivate func isInvalidated(_ reason: String?, by name: String?) -> Bool {
    guard case .invalidated(let actual, let originator) = self else { return false }
    return (reason == nil || reason == actual) && (name == nil || name == originator)
  }

  /// The state in the vocabulary of conditions.
  package var text: String {
    switch self {
    case .none: "no session"
    case .staged: "staged"
    case .offered: "offered"
    case .joining: "joining"
    case .joined: "joined"
    case .invalidated(let reason, let name):
      "invalidated \(reason)" + (name.map { " by \($0)" } ?? "")
    }
  }
}

extension Observation {
  fileprivate func isPaused(at position: MediaTime?, within tolerance: Duration) -> Bool {
    guard case .paused(let actual) = phase, player?.isRunning != true else { return false }
    guard let position else { return true }
    guard (actual - position).magnitude <= tolerance else { return false }
    return player.map { ($0.position - position).magnitude <= tolerance } ?? true
  }

  var messageText: String { "sees \(message ?? "nothing")" }

  var stackText: String { "stack \(stack.isEmpty ? "nothing" : stack.joined(separator: " "))" }

  var eligibilityText: String { ineligibility.map { "ineligible \($0)" } ?? "eligible" }

  var phaseText: String {
    switch phase {
    case .none: "nothing on"
    case .paused(let position): "paused at \(position.text)"
    case .preparing(let position): "preparing from \(position.text)"
    case .playing: "playing"
    case .ended: "ended"
    }
  }

  fileprivate var playbackText: String {
    guard let player else { return "\(phaseText), no player" }
    let motion = player.isRunning ? "runs" : "stands"
    return "\(phaseText), player \(motion) at \(player.position.text)"
  }
}

extension [String] {
  /// The names separated by spaces, or `nobody`.
  var listed: String { isEmpty ? "nobody" : joined(separator: " ") }
}
