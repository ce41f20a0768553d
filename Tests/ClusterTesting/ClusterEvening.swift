import GroupSessions
import Participation
import Playback
import Simulation
import Vocabulary
import Wire

/// An evening at a simulated cluster: whole clients with players at three servers, while servers, links
/// and the database fail as a script says.
package struct ClusterEvening {
  private var world: SimulatedWorld<SimulatedCluster>
  private var ledger = ClusterLedger()
  /// The messages that were sent, by the tags of their requests.
  private var sent: [Int: String] = [:]
  private var lastTag = 0
  /// When the networks that are away are there again.
  private var returns: [Int: Duration] = [:]

  private static let film = MediaItem(item: ItemID("film"), url: "film.mp4")
  private static let activity = GroupActivity(
    type: "watch", payload: JSONText(validated: "null"),
    metadata: GroupActivityMetadata(title: "Film"), media: film)

  /// Everybody comes in, and a film begins.
  package init(seed: UInt64) {
    var limits = Limits()
    limits.messageBurst = 1_000_000
    world = SimulatedWorld(seed: seed) { generator in
      SimulatedCluster(of: ClusterStep.nodes, limits, seed: generator.next())
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

  /// How many messages were acknowledged.
  package var acknowledgedCount: Int { ledger.acknowledged.count }

  /// How many processes have decided.
  package var ownerCount: Int { world.service.ownerCount }

  /// How many things have happened.
  package private(set) var eventCount = 0

  /// Something happens, and then time passes.
  package mutating func perform(_ step: ClusterStep) {
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
    for (host, message) in world.service.takeHeard() { ledger.hear(message, on: host, database) }
    for case .update(_, .outcome(let tag, .answered)) in world.takeHappenings() {
      if let text = sent.removeValue(forKey: tag) { ledger.acknowledge(text, database) }
    }
    ledger.check(database)
  }

  // MARK: People

  private mutating func wish(_ wish: ClusterStep.Wish, of person: Int) {
    let client = world.hosts[person].client
    guard client.group != nil else { return ask(.joinGroup(GroupID("room")), by: person) }
    guard let session = client.session else {
      if let offer = client.offer {
        return ask(.join(offer.session, handoffFrom: nil), by: person)
      }
      return ask(.activate(Activation(Self.activity, ifBusy: .fail)), by: person)
    }
    switch wish {
    case .play: ask(.playback(session.id, .play(Self.film.item)), by: person)
    case .pause: ask(.playback(session.id, .pause(Self.film.item)), by: person)
    case .seek:
      let place = MediaTime.seconds(Double(lastTag % 3000))
      ask(.playback(session.id, .seek(Self.film.item, to: place)), by: person)
    case .say:
      sent[lastTag + 1] = "\"\(lastTag + 1)\""
      ask(.send(session.id, JSONText(validated: "\"\(lastTag + 1)\""), to: .all), by: person)
    }
  }

  private mutating func ask(_ request: Request, by person: Int) {
    lastTag += 1
    world.give(.ask(request, lastTag), to: person)
  }

  // MARK: The end

  /// Nothing fails any more; everybody is together again, and nothing is lost.
  package mutating func calmDown() {
    run(for: .seconds(60))
    for person in world.hosts.indices { wish(.play, of: person) }
    run(for: .seconds(10))
    ledger.checkAll(world.service.database)
    for person in world.hosts.indices { checkPlayer(of: person) }
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
    let wanted = timeline.position(at: SimulatedCluster.instant(at: world.now))
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
  package static func played(seed: UInt64, _ script: [ClusterStep]) -> ClusterEvening {
    var evening = ClusterEvening(seed: seed)
    for step in script where evening.flaws.isEmpty { evening.perform(step) }
    if evening.flaws.isEmpty { evening.calmDown() }
    return evening
  }

  /// The shortest script found that is wrong like this one: parts of it are left out for as long as
  /// something stays wrong (Zeller and Hildebrandt's `ddmin`).
  package static func shortest(seed: UInt64, _ script: [ClusterStep]) -> [ClusterStep] {
    var shortest = script
    var size = max(shortest.count / 2, 1)
    while size >= 1 {
      var start = 0
      while start < shortest.count {
        var candidate = shortest
        candidate.removeSubrange(start..<min(start + size, candidate.count))
        if played(seed: seed, candidate).flaws.isEmpty { start += size } else { shortest = candidate }
      }
      size /= 2
    }
    return shortest
  }
}
