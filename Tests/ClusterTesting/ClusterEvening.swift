import GroupSessions
import Participation
import Playback
package import Simulation
import Vocabulary
import Wire

/// An evening at a simulated cluster: whole clients with players at three servers, while servers, links
/// and the database fail as a script says.
package struct ClusterEvening {
  private var world: SimulatedWorld<SimulatedCluster>
  private var ledger = ClusterLedger()
  /// What was sent, added and listed, by the tags of the requests.
  private var sent: [Int: String] = [:]
  private var lastTag = 0
  /// When the networks that are away are there again.
  private var returns: [Int: Duration] = [:]

  /// So many people never leave.
  private static let stayers = 2
  private static let film = MediaItem(item: ItemID("film"), url: "film.mp4")
  private static let activity = GroupActivity(
    type: "watch", payload: JSONText(validated: "null"),
    metadata: GroupActivityMetadata(title: "Film"), media: film)

  /// Whether those without a named place are spectators.
  private let hasAudience: Bool
  /// Receives what happens, as lines for people.
  private let trace: ((String) -> Void)?

  /// Everybody comes in, and a film begins; on every other evening two of them are spectators.
  package init(seed: UInt64, trace: ((String) -> Void)? = nil) {
    self.trace = trace
    var limits = Limits()
    limits.messageBurst = 1_000_000
    // Faults may follow each other for longer than the usual grace; nobody is to leave because of them.
    limits.resumeGrace = .seconds(180)
    hasAudience = seed % 2 == 1
    if hasAudience { limits.namedPlaces = 2 }
    let served = limits
    world = SimulatedWorld(seed: seed) { generator in
      SimulatedCluster(of: ClusterStep.nodes, served, seed: generator.next())
    }
    for (number, name) in ["Ann", "Bob", "Cid", "Dan"].enumerated() {
      _ = world.addHost(
        ClientSettings(user: UserID("u-" + name), device: DeviceID("d-" + name), name: name),
        link: LinkConditions(
          delay: .milliseconds([2, 20, 60, 90][number]), jitter: .milliseconds(10)),
        clock: HostClock(start: HostTime(microseconds: 0) + .seconds(1000 * (number + 1))))
    }
    run(for: .seconds(3))
    for _ in 0..<4 {
      for person in world.hosts.indices { wish(.play, of: person) }
      run(for: .seconds(1))
    }
  }

  /// What was wrong so far.
  package var flaws: [String] { ledger.flaws }

  /// How many messages, films and titles were acknowledged.
  package var acknowledgedCount: Int { ledger.acknowledged.count }

  /// How many processes have decided.
  package var ownerCount: Int { world.service.database.ownerCount }

  /// How many things have happened.
  package private(set) var eventCount = 0

  /// Something happens, and then time passes.
  package mutating func perform(_ step: ClusterStep) {
    let decider = world.service.decidingNode.map { "node \($0)" } ?? "nobody"
    trace?("\(world.now) \(step.happening) (\(decider) decides)")
    switch step.happening {
    case .wish(let person, let wish): self.wish(wish, of: person)
    case .fault(let fault): world.inject(fault)
    case .offline(let person, let time):
      world.inject(.cut(person))
      returns[person] = max(returns[person] ?? .zero, world.now + time)
    case .late(let person, let time): world.inject(.hold(person, for: time))
    case .nothing: break
    }
    run(for: step.pause)
  }

  private mutating func run(for time: Duration) {
    let end = world.now + time
    while let (person, due) = returns.min(by: { ($0.value, $0.key) < ($1.value, $1.key) }),
      due <= end
    {
      step(until: due)
      returns[person] = nil
      world.inject(.restore(person))
    }
    step(until: end)
  }

  private mutating func step(until moment: Duration) {
    listen()
    while world.step(until: moment) {
      eventCount += 1
      listen()
    }
  }

  private mutating func listen() {
    let database = world.service.database
    for (host, message) in world.service.takeHeard() {
      if let trace { tell("hears \(message)", of: host, to: trace) }
      ledger.hear(message, on: host, database)
    }
    for case .update(let host, let update) in world.takeHappenings() {
      if let trace { tell("\(update)", of: host, to: trace) }
      switch update {
      case .outcome(let tag, .answered):
        if let text = sent.removeValue(forKey: tag) { ledger.acknowledge(text, database) }
      // Whoever comes in while nothing can be stored may fail to.
      case .session(_, .invalidated(.left)), .session(_, .invalidated(.joinFailed)): break
      case .session(let id, .invalidated(let reason)):
        ledger.complain("\(host) fell out of \(id): \(reason)")
      default: break
      }
    }
    ledger.check(database)
  }

  private func tell(_ text: String, of host: Int, to trace: (String) -> Void) {
    trace("\(world.now) \(world.hosts[host].client.settings.name) \(text)")
  }

  // MARK: People

  private mutating func wish(_ wish: ClusterStep.Wish, of person: Int) {
    let client = world.hosts[person].client
    guard client.group != nil else { return ask(.joinGroup(GroupID("room")), by: person) }
    guard let session = client.session else {
      if let offer = client.offer {
        return ask(.join(offer.session, handoffFrom: nil), by: person)
      }
      return ask(
        .activate(Activation(Self.activity, ifBusy: .fail, hasAudience: hasAudience)), by: person)
    }
    switch wish {
    case .play: ask(.playback(session.id, .play(Self.film.item)), by: person)
    case .pause: ask(.playback(session.id, .pause(Self.film.item)), by: person)
    case .seek:
      let place = MediaTime.seconds(Double(lastTag % 3000))
      ask(.playback(session.id, .seek(Self.film.item, to: place)), by: person)
    case .say: say(to: .all, in: session, by: person)
    case .whisper:
      let others = session.participants.keys.filter { $0 != client.participantID }
      say(to: others.first.map { .only([$0]) } ?? .all, in: session, by: person)
    case .enqueue:
      let film = MediaItem(title: unique(), url: "film-\(lastTag + 1).mp4")
      ask(.queue(session.id, .insert([film], at: .end)), by: person)
    case .clearQueue: ask(.queue(session.id, .clear), by: person)
    case .list:
      let changes: [String: PayloadValue] = ["title": .string(unique())]
      ask(.updateObject(ObjectID("list"), set: changes), by: person)
    case .leave: if mayLeave(person) { ask(.leave(session.id), by: person) }
    case .leaveGroup: if mayLeave(person) { ask(.leaveGroup, by: person) }
    }
  }

  private func mayLeave(_ person: Int) -> Bool { !hasAudience && person >= Self.stayers }

  /// A text for the next request that no other request has.
  private mutating func unique() -> String {
    let text = "\"\(lastTag + 1)\""
    sent[lastTag + 1] = text
    return text
  }

  private mutating func say(to recipients: Recipients, in session: GroupSession, by person: Int) {
    ask(.send(session.id, JSONText(validated: unique()), to: recipients), by: person)
  }

  private mutating func ask(_ request: Request, by person: Int) {
    lastTag += 1
    world.give(.ask(request, lastTag), to: person)
  }

  /// Something happens to the server that decides.
  ///
  /// - Returns: how long it takes until another one decides.
  package mutating func timeWithoutDecider(after fault: (Int) -> ClusterFault) -> Duration {
    guard let node = world.service.decidingNode else { return .zero }
    world.inject(fault(node))
    let start = world.now
    repeat {
      run(for: .milliseconds(10))
    } while world.service.decidingNode.map { $0 == node } ?? true
      && world.now - start < .seconds(30)
    return world.now - start
  }

  // MARK: The end

  /// Nothing fails any more; everybody is together again, and nothing is lost.
  package mutating func calmDown() {
    run(for: .seconds(60))
    trace?("\(world.now) everything has calmed down")
    // Whoever is not in the session needs one wish to be offered it, and one to join.
    for _ in 0..<3 {
      for person in world.hosts.indices { wish(.play, of: person) }
      run(for: .seconds(5))
    }
    ledger.checkAll(world.service.database)
    for person in world.hosts.indices { checkPlayer(of: person) }
    if world.service.peerCount != world.hosts.count {
      ledger.complain("\(world.service.peerCount) people are taken for connected")
    }
  }

  private mutating func checkPlayer(of person: Int) {
    let host = world.hosts[person]
    let name = host.client.settings.name
    guard host.client.isOnline, let session = host.client.session else {
      return ledger.complain("\(name) is not in the session: \(host.client.eligibility)")
    }
    guard let timeline = session.playback.timelines[Self.film.item], case .playing = timeline.phase,
      let player = host.player
    else { return ledger.complain("\(name) does not play the film") }
    let wanted = timeline.position(at: SimulatedServer.epoch + world.now)
    let distance = (player.position(at: world.time(on: person)) - wanted).magnitude
    if player.isPaused || distance > .milliseconds(45) {
      ledger.complain("\(name) is \(distance) away")
    }
  }
}

extension ClusterEvening {
  /// The script that a seed stands for.
  package static func script(of count: Int, seed: UInt64) -> [ClusterStep] {
    var generator = SplitMix64(seed: seed &* 41 &+ 5)
    return ClusterStep.script(of: count, using: &generator)
  }

  /// The evening after a script, and after everything has calmed down; it ends with the first flaw.
  ///
  /// - Parameter trace: receives what happens, as lines for people.
  package static func played(
    seed: UInt64, _ script: [ClusterStep], trace: ((String) -> Void)? = nil
  ) -> ClusterEvening {
    var evening = ClusterEvening(seed: seed, trace: trace)
    for step in script where evening.flaws.isEmpty { evening.perform(step) }
    if evening.flaws.isEmpty { evening.calmDown() }
    return evening
  }
}
