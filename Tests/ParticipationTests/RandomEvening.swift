import GroupSessions
import Participation
import Playback
import Vocabulary
import Wire

/// An evening drawn from a seed: whole clients with players on poor networks, whose people come, go,
/// steer, dismiss and press keys, while players stall, connections break and the server restarts.
struct RandomEvening {
  var stage: ParticipantStage
  private var chance: SplitMix64
  /// How many wishes each member had; their tags count from 1.
  private(set) var wishes: [Int]

  init(seed: UInt64) {
    var limits = Limits()
    limits.messageBurst = 1_000_000
    stage = ParticipantStage(seed: seed, limits: limits)
    chance = SplitMix64(seed: seed &* 41 &+ 5)
    stage.add("Ann", delay: .milliseconds(5), jitter: .milliseconds(3), skew: 40)
    stage.add("Bob", delay: .milliseconds(60), jitter: .milliseconds(20), skew: -60)
    stage.add("Cid", delay: .milliseconds(120), jitter: .milliseconds(30))
    stage.add("Dan") { $0.understandsSessions = false }
    wishes = stage.members.map { _ in 0 }
    for member in stage.members.indices { ask(.joinGroup(GroupID("room")), by: member) }
    stage.run(for: .seconds(2), every: .seconds(1))
  }

  private var film: ItemID { ItemID("film") }
  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &chance)]
  }
  private mutating func position() -> MediaTime {
    .seconds(Double(Int.random(in: 0..<3000, using: &chance)))
  }

  mutating func ask(_ request: Request, by member: Int) {
    wishes[member] += 1
    stage.ask(request, by: member, tag: wishes[member])
  }

  /// Something happens, and then time passes.
  mutating func step() {
    let member = Int.random(in: stage.members.indices, using: &chance)
    if pick([true, false]) { stage.members[member].isReachable = true }
    switch Int.random(in: 0..<100, using: &chance) {
    case 0..<50: comeIn(member)
    case 50..<65: steer(member)
    case 65..<72: press(member)
    case 72..<80: changeWhatIsOn(member)
    case 80..<85: goOut(member)
    case 85..<88: ask(.send(nil, JSONText(validated: "1"), to: .all), by: member)
    case 88..<97: disturb(member)
    case 97: stage.restartServer()
    default: beAway(member)
    }
    stage.run(for: .milliseconds(pick([0, 0, 30, 200, 200, 1000, 3000])), every: .seconds(1))
  }

  private mutating func comeIn(_ member: Int) {
    let participant = stage.members[member].participant
    guard participant.group != nil else { return ask(.joinGroup(GroupID("room")), by: member) }
    guard participant.session == nil || pick([true] + Array(repeating: false, count: 15)) else {
      return steer(member)
    }
    if let offer = participant.offer {
      let isRefused = Int.random(in: 0..<6, using: &chance) == 0
      return ask(
        isRefused ? .decline(offer.session) : .join(offer.session, handoffFrom: nil), by: member)
    }
    let activation = Activation(
      ParticipantStage.film, ifBusy: pick([.fail, .fail, .replace]),
      waitingPolicy: pick([.keepGoing, .together]))
    ask(.activate(activation), by: member)
  }

  private mutating func steer(_ member: Int) {
    let item = stage.members[member].participant.session?.activity.media?.item ?? film
    let commands: [PlaybackCommand] = [
      .play(item), .play(item), .play(item, immediately: true), .pause(item),
      .seek(item, to: position()), .seek(item, to: position(), immediately: true),
      .setRate(item, pick([.normal, Rate(1.25) ?? .normal])),
      .suspend(pick([.userActionRequired, .stallRecovery])),
      .endSuspension(openSuspension(of: member) ?? 0, proposing: pick([nil, position()])),
    ]
    ask(.playback(nil, pick(commands)), by: member)
  }

  private func openSuspension(of member: Int) -> SuspensionID? {
    let participant = stage.members[member].participant
    let me = participant.participantID.flatMap { participant.session?.playback.participants[$0] }
    return me?.suspensions.last { !$0.isImposed }?.id
  }

  private mutating func press(_ member: Int) {
    stage.press(pick([.play, .pause, .seek(to: position()), .rate(1.25), .rate(1)]), by: member)
  }

  private mutating func changeWhatIsOn(_ member: Int) {
    let media = MediaItem(item: ItemID("other"), url: "other.mp4")
    var other = ParticipantStage.film
    other.media = media
    let current = stage.members[member].participant.session?.queue.current
    let requests: [Request] = [
      .setActivity(nil, other, ifRevision: nil),
      .setActivity(nil, ParticipantStage.film, ifRevision: nil),
      .queue(nil, .insert([media], at: .next)), .queue(nil, .next(from: current)),
      .queue(nil, .previous(from: current)),
      .setWaitingPolicy(nil, pick([.keepGoing, .together])),
      .setDismissalPolicy(nil, pick([.leavesOnly, .endsForEveryone])),
    ]
    ask(pick(requests), by: member)
  }

  /// Of those who leave many do so twice, and in other words.
  private mutating func goOut(_ member: Int) {
    let participant = stage.members[member].participant
    let id = participant.session?.id ?? participant.offer?.session
    if let me = participant.participantID, let host = host(of: participant.session), host != member
    {
      return ask(.remove(nil, me, isBanned: false), by: host)
    }
    for _ in 0..<pick([1, 1, 2, 3]) {
      let requests: [Request] = [
        .leave(nil), .dismiss(nil), .leave(id), .dismiss(id), .end(nil), .leaveGroup,
      ]
      ask(pick(requests), by: member)
    }
  }

  /// Every third time somebody else sends the person away.
  private mutating func host(of session: GroupSession?) -> Int? {
    guard let session, pick([true, false, false]) else { return nil }
    return stage.members.firstIndex {
      $0.participant.session?.id == session.id
        && $0.participant.participantID.map { session.participants[$0]?.role } == .host
    }
  }

  private mutating func disturb(_ member: Int) {
    let host = stage.members[member].host(stage.now)
    switch Int.random(in: 0..<7, using: &chance) {
    case 0, 1: stage.cut(member)
    case 2: stage.cut(member, silently: true)
    case 3:
      stage.members[member].isReachable.toggle()
      if !stage.members[member].isReachable { stage.cut(member) }
    case 4: stage.members[member].lostEvents = 1
    default: stage.members[member].player?.stall(for: .milliseconds(900), at: host)
    }
  }

  /// For longer than a server keeps a place.
  private mutating func beAway(_ member: Int) {
    stage.members[member].isReachable = false
    stage.cut(member)
    stage.run(for: .seconds(40), every: .seconds(10))
    stage.members[member].isReachable = true
  }

  /// Everything that disturbs is over, and everyone takes the time to settle.
  mutating func calmDown() {
    for member in stage.members.indices {
      stage.members[member].isReachable = true
      stage.members[member].lostEvents = 0
    }
    // The longest that anything waits: a policy's patience, and a grace before that.
    stage.run(for: .seconds(100), every: .seconds(10))
    // An event that was lost against all rules, and is the last one, is missed with the next.
    for member in stage.members.indices {
      ask(.send(nil, JSONText(validated: "2"), to: .all), by: member)
    }
    stage.run(for: .seconds(10), every: .seconds(5))
  }

  /// Every app closes its client, and the last words arrive.
  mutating func goHome() {
    for member in stage.members.indices { stage.feed(.close, to: member) }
    stage.run(for: .seconds(2), every: .seconds(1))
  }
}
