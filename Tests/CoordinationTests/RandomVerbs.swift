import GroupSessions
import Naming
import Playback
import Vocabulary
import Wire

@testable import Coordination

/// Draws verbs, sensible and not, for a device on a stage.
struct RandomVerbs {
  var random: SplitMix64

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  mutating func movie() -> GroupActivity {
    var activity = Stage.movie(
      pick(["film", "film", "other", "third"]),
      kind: chance(20) ? .endsWhenInitiatorLeaves : .automatic)
    if chance(20) { activity.media?.duration = .seconds(chance(50) ? 100 : 50) }
    if chance(20) { activity.media?.interstitials = interstitials() }
    if chance(10) { activity.media = nil }
    if chance(3) { activity.type = "" }
    return activity
  }

  mutating func activation() -> Activation {
    Activation(
      movie(), ifBusy: chance(10) ? .replace : .fail, control: chance(15) ? .hostsOnly : .everyone,
      waitingPolicy: pick([.keepGoing, .together]),
      dismissalPolicy: chance(50) ? nil : pick(DismissalPolicy.allCases),
      initialTiming: chance(20)
        ? ProposedTiming(mediaTime: .seconds(60), rate: chance(50) ? .normal : nil) : nil,
      oneDevicePerUser: chance(25), hasAudience: chance(25))
  }

  private mutating func seekWindow() -> SeekWindow? {
    SeekWindow(start: .zero, end: max(place(), .zero), slides: chance(50))
  }

  /// Breaks over places that are sought; sometimes one too late for the film.
  private mutating func interstitials() -> Interstitials {
    let ranges = [(20.0, 40.0), (90, 99), (150, 160)].map { start, end in
      InterstitialRange(start: .seconds(start), end: .seconds(end))
    }
    return Interstitials(Array(ranges.prefix(pick([1, 2, 2, 3])))) ?? Interstitials()
  }

  private mutating func ownDevice(_ device: DeviceID) -> DeviceID? {
    chance(20)
      ? nil
      : device == "ann" || device == "tv" ? pick(["ann", "tv", "tv"]) : pick([device, "ann"])
  }

  mutating func sessionID(_ stage: Stage) -> SessionID {
    let known = stage.journal.streams.keys.compactMap { id -> SessionID? in
      if case .session(let session) = id { session } else { nil }
    }.sorted()
    let live = stage.coordinator.groups.rooms.sessions.keys.sorted()
    if !live.isEmpty, chance(85) { return pick(live) }
    return known.isEmpty || chance(10) ? "nowhere" : pick(known)
  }

  mutating func participant(_ session: GroupSession?) -> ParticipantID {
    guard let session, !session.participants.isEmpty, chance(90) else { return "nobody" }
    return pick(session.participants.keys.sorted())
  }

  mutating func request(_ stage: Stage, _ device: DeviceID) -> Request {
    let known = stage.coordinator.groups.seats[device]
    let session = known?.session.flatMap { stage.session($0) }
    // Mostly what leads somewhere: into the group, into its session.
    if known?.session == nil, chance(70) {
      guard let group = known?.group else { return .joinGroup(chance(90) ? "g" : "h") }
      guard let live = stage.coordinator.groups.rooms.groups[group]?.group?.session else {
        return .activate(activation())
      }
      if stage.session(live)?.state == .staged, chance(30) { return .activateStaged(live) }
      return .join(live, handoffFrom: nil)
    }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<4: return .joinGroup(pick(["g", "g", "g", "h"]))
    case 8: return chance(30) ? .leaveGroup : .leave(nil)
    case 9: return chance(20) ? .closeGroup() : .status(after: chance(50) ? "g" : nil)
    case 10: return .setSharing(chance(70))
    case 11: return .setPreferredDevice(ownDevice(device))
    case 12..<18: return .activate(activation())
    case 18, 19: return .stage(activation())
    case 20: return .activateStaged(sessionID(stage))
    case 21: return chance(40) ? .withdraw(sessionID(stage)) : .decline(sessionID(stage))
    case 22..<38:
      return .join(sessionID(stage), handoffFrom: chance(5) ? participant(session) : nil)
    case 38: return .leave(chance(40) ? nil : "nowhere")
    case 39: return .dismiss(chance(40) ? nil : sessionID(stage))
    case 40: return chance(20) ? .end(nil) : .end("nowhere")
    case 41..<44:
      return .setActivity(nil, movie(), ifRevision: chance(30) ? session?.revision ?? 7 : nil)
    case 44..<78: return .playback(nil, playback(session, stage.self[device].participant))
    case 30..<38, 78..<87: return .queue(nil, queue(session))
    case 4..<8, 87, 88: return .attachment(nil, attachment(stage, stage.self[device].participant))
    case 89, 90: return .send(nil, JSONText(validated: "1"), to: recipients(session))
    case 91:
      let other = chance(50) ? participant(session) : nil
      return .setReadyToStart(nil, chance(50), of: other)
    case 92: return .setRole(nil, participant(session), pick(Role.allCases))
    case 93: return .setControl(nil, chance(80) ? .everyone : .hostsOnly)
    case 94, 95: return .setWaitingPolicy(nil, policy())
    case 96: return .remove(nil, participant(session), isBanned: chance(20))
    case 97: return .setDismissalPolicy(nil, pick(DismissalPolicy.allCases))
    case 98: return .status()
    default: return object()
    }
  }

  private mutating func attachment(
    _ stage: Stage, _ participant: ParticipantID?
  ) -> AttachmentRequest {
    let lanes = stage.coordinator.groups.attachments.lanes
    let known = lanes.keys.sorted()
    let own = known.first {
      lanes[$0]?.state.attachment?.by == participant && lanes[$0]?.state.isComplete == false
    }
    guard let id = chance(90) ? own ?? known.first : "a-1", chance(own == nil ? 60 : 95) else {
      return .begin(bytes: pick([0, 1, 5, 50_000]), metadata: JSONText(validated: "1"))
    }
    let number = lanes[id]?.state.parts.count ?? 0
    let rest = (lanes[id]?.state.attachment?.byteCount ?? 1) - number * AttachmentPart.mostBytes
    let count = max(0, min(rest, AttachmentPart.mostBytes))
    let part = AttachmentPart(Array(repeating: 7, count: count))
    // What is whole is mostly removed, and what is not is mostly gone on with.
    let adding = lanes[id]?.state.isComplete == true ? 1 : 7
    return switch Int.random(in: 0..<10, using: &random) {
    case 0..<adding: .add(id, part: chance(90) ? number : pick([0, 1, 9]), part)
    case adding..<8: .load(id, part: pick([0, 0, 1]))
    default: .remove(id)
    }
  }

  mutating func object() -> Request {
    let id: ObjectID = pick(["votes", "votes", "votes", "list", "score"])
    guard chance(60) else { return .removeObject(id) }
    let value = pick([
      PayloadValue.null, 1, 2, ["a": [1]], .string(String(repeating: "x", count: 90)),
    ])
    return .updateObject(id, set: [pick(["yes", "no"]): value])
  }

  private mutating func policy() -> WaitingPolicy {
    var policy = pick([WaitingPolicy.keepGoing, .together])
    policy.waitsForLateJoiners = chance(30)
    policy.pauseSnapsToMediaTimeOfOriginator = chance(50)
    return policy
  }

  mutating func recipients(_ session: GroupSession?) -> Recipients {
    chance(40) ? .all : .only([participant(session), participant(session)])
  }

  private mutating func place() -> MediaTime {
    .seconds(pick([-5, 0, 1, 30, 99.5, 100, 1e6]))
  }

  private mutating func playback(_ session: GroupSession?, _ id: ParticipantID?) -> PlaybackCommand
  {
    let mine = id.flatMap { session?.playback.participants[$0] }
    let item = chance(85) ? mine?.item ?? "film" : pick(["film", "other", "third", "none"])
    let seq = session?.playback.timelines[item]?.seq ?? 0
    switch Int.random(in: 0..<15, using: &random) {
    case 0, 1:
      let wanted: ItemID? = chance(80) ? session?.activity.media?.item : chance(80) ? item : nil
      return .transition(
        to: wanted,
        proposing: chance(20) ? ProposedTiming(mediaTime: place(), rate: .normal) : nil,
        duration: chance(40) ? .seconds(pick([100, 100, 50])) : nil,
        interstitials: chance(20) ? interstitials() : Interstitials(),
        seekWindow: chance(20) ? seekWindow() : nil)
    case 2, 3: return .play(item, rate: chance(20) ? Rate(1.5) : nil, immediately: chance(20))
    case 4: return .pause(item, at: chance(50) ? place() : nil)
    case 5: return .seek(item, to: place(), immediately: chance(20))
    case 6: return .setRate(item, chance(50) ? .normal : .fastest)
    case 7: return .suspend(chance(50) ? .stallRecovery : .playingInterstitial)
    case 8:
      return .endSuspension(
        mine?.suspensions.first?.id ?? 99, proposing: chance(30) ? place() : nil)
    case 9, 14: return .reportEnd(item, seq: seq)
    default:
      return .ready(
        item, seq: chance(90) ? seq : seq - 1,
        duration: chance(30) ? .seconds(pick([100, 50])) : nil)
    }
  }

  private mutating func queue(_ session: GroupSession?) -> QueueCommand {
    let entries = session?.queue.entries ?? []
    let entry = entries.isEmpty || chance(10) ? "e99" : pick(entries).id
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1:
      return .insert(
        [Stage.media(pick(["film", "other", "third"]))], at: pick([.end, .next, .after(entry)]))
    case 2: return .move(entry, to: pick([.end, .next, .after(entry)]))
    case 3: return .remove(entry)
    case 4: return chance(30) ? .clear : .select(entry)
    case 5: return .next()
    case 6: return chance(50) ? .previous() : .shuffle(seed: 1)
    case 7: return .setRepeat(pick(RepeatMode.allCases))
    case 8: return chance(50) ? .shuffle(seed: 1) : .unshuffle
    default: return .setAutoAdvance(chance(80))
    }
  }
}
