import GroupSessions
import Naming
import Playback
import Testing
import Vocabulary
import Wire

@testable import Coordination

@Suite struct ConnectionTests {
  @Test func `a hello is welcomed and told its eligibility`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    guard case .welcome(let welcome) = stage.inbox("ann").first else {
      throw ProtocolError(.busy)
    }
    #expect(!welcome.isResumed)
    #expect(welcome.token.utf8.count == 26)
    #expect(stage.eligibilities("ann") == [.ineligible(.notInGroup)])
  }

  @Test func `a welcome says whether the device goes on, and with the same token`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    guard case .welcome(let first)? = stage.inbox("ann").first else {
      return #expect(Bool(false), "no welcome")
    }
    stage.resume("ann")
    guard case .welcome(let second)? = stage.inbox("ann").first else {
      return #expect(Bool(false), "no second welcome")
    }
    #expect(!first.isResumed && second.isResumed)
    #expect(second.token == first.token)
  }

  @Test func `without a hello nothing goes, and talking does not put the deadline off`() {
    var stage = Stage()
    let peer = stage.connectSilently()
    for _ in 0..<9 {
      stage.say(.ping(Ping(sent: HostTime(microseconds: 0))), on: peer)
      stage.advance(.seconds(1))
    }
    #expect(stage.clients[peer]?.received.count == 9)
    #expect(stage.clients[peer]?.received.last == .error(nil, ProtocolError(.helloRequired)))
    stage.advance(.seconds(1))
    #expect(stage.clients[peer]?.closedWith?.code == .helloTimeout)
    #expect(stage.coordinator.front.peers.isEmpty)
  }

  @Test func `a version nobody speaks, a second hello, and a line that is no JSON`() {
    var stage = Stage()
    var peer = stage.connectSilently()
    stage.say(
      .hello(Hello(versions: [99], user: "a", device: "a", name: "a", features: [])), on: peer)
    #expect(stage.clients[peer]?.closedWith?.code == .unsupportedVersion)
    peer = stage.connectSilently()
    stage.handle(.malformed(peer, nil, ProtocolError(.notJSON)))
    #expect(stage.clients[peer]?.closedWith?.code == .notJSON)
    stage.connect(as: "ann")
    stage.say(.hello(stage.hello("bob")), from: "ann")
    #expect(stage.inbox("ann").last == .error(nil, ProtocolError(.alreadyGreeted)))
    stage.handle(.malformed(stage["ann"].peer, 7, ProtocolError(.unknownType)))
    #expect(stage["ann"].answers[7] == [.failure(ProtocolError(.unknownType))])
  }

  @Test func `silence closes: soon for who promised to ping, late for a person`() {
    var stage = Stage()
    stage.connect(as: "app", features: [.sessions, .heartbeat])
    stage.connect(as: "person")
    stage.advance(.seconds(10))
    stage.say(.ping(Ping(sent: HostTime(microseconds: 5))), from: "app")
    guard case .pong(let pong)? = stage.inbox("app").last else { return #expect(Bool(false)) }
    #expect(pong == Pong(sent: HostTime(microseconds: 5), heard: stage.now, answered: stage.now))
    stage.advance(.seconds(14))
    #expect(stage["app"].closedWith == nil)
    stage.advance(.seconds(1))
    #expect(stage["app"].closedWith?.code == .idleTimeout)
    stage.advance(.seconds(574))
    #expect(stage["person"].closedWith == nil)
    stage.advance(.seconds(1))
    #expect(stage["person"].closedWith?.code == .idleTimeout)
  }

  @Test func `whoever was away when the group closed is told so, until the grace is over`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob", "cat", "dan"])
    stage.disconnect("bob")
    stage.advance(.seconds(10))
    for late in ["cat", "dan"] as [DeviceID] { stage.disconnect(late) }
    try stage.ask("ann", .closeGroup())
    stage.advance(Limits().resumeGrace - .seconds(1))
    func refusal(_ peer: PeerID) -> ServerMessage? { stage.clients[peer]?.received.last }
    let closed = ProtocolError(.resumeRefused, reason: "groupClosed")
    let (bob, cat) = (stage.resume("bob"), stage.resume("cat"))
    #expect(refusal(bob) == .error(nil, closed))
    #expect(refusal(cat) == .error(nil, closed))
    stage.advance(.seconds(1))
    let dan = stage.resume("dan")
    #expect(refusal(dan) == .error(nil, ProtocolError(.resumeRefused)))
  }

  @Test func `whoever resumes in a session that nobody knows is told that they are in it no more`()
    throws
  {
    var (stage, _) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")
    let resumption = Resumption(
      token: try #require(stage["bob"].token), session: "s-unread", seq: 7)
    try stage.ask("ann", .end(nil))
    let peer = stage.connectSilently()
    stage.say(.hello(stage.hello("bob", resume: resumption)), on: peer)
    #expect(
      stage.clients[peer]?.received.contains(.sessionLeft("s-unread", .connectionLost)) == true)
  }

  @Test func `a device has one connection, and the newer one wins with the token`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let thief = stage.connectSilently()
    stage.say(.hello(stage.hello("ann")), on: thief)
    #expect(stage.clients[thief]?.received == [.error(nil, ProtocolError(.deviceInUse))])
    let wrong = Resumption(token: String(repeating: "0", count: 26))
    stage.say(.hello(stage.hello("ann", resume: wrong)), on: thief)
    #expect(stage.clients[thief]?.received.last == .error(nil, ProtocolError(.resumeRefused)))
    let old = try #require(stage.peers["ann"])
    stage.resume("ann")
    #expect(stage.clients[old]?.closedWith?.code == .superseded)
    #expect(stage.session(id)?.lost.isEmpty == true)
    stage.handle(.disconnected(old))  // The shell's late word changes nothing.
    #expect(stage.session(id)?.lost.isEmpty == true)
    stage.checkMirrors()
  }

  @Test func `a resume goes on behind the last event, or from a snapshot beyond the tail`() throws {
    var limits = Limits()
    limits.retainedEvents = 4
    var (stage, id) = try Stage.watching(["ann", "bob"], limits: limits)
    for count in [2, 9] {
      stage.disconnect("bob")
      for _ in 0..<count { try stage.ask("ann", .send(nil, JSONText(validated: "1"), to: .all)) }
      stage.resume("bob")
      let isSnapshot = stage.inbox("bob").contains {
        if case .snapshot = $0 { true } else { false }
      }
      #expect(isSnapshot == (count == 9))
      #expect(stage["bob"].mirror == stage.session(id))
    }
    for seq in [-1, 0, 1_000_000] {
      stage.disconnect("bob")
      stage.resume("bob", seq: seq)
      #expect(stage.inbox("bob").contains { if case .snapshot = $0 { true } else { false } })
    }
    stage.checkMirrors()
  }

  @Test func `a welcome lost on the way does not cost the place`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    let token = try #require(stage["bob"].token)
    stage.disconnect("bob")
    let lost = stage.connectSilently()
    stage.say(.hello(stage.hello("bob", resume: Resumption(token: token))), on: lost)
    stage.handle(.disconnected(lost))
    stage.resume("bob")
    #expect(stage.session(id)?.lost.isEmpty == true)
    #expect(stage.session(id)?.participants.count == 2)
    stage.checkMirrors()
  }

  @Test func `one who resumes is told eligible, and never that it is not connected`() throws {
    var stage = Stage()
    try stage.gather(["ann", "bob", "cat"])
    stage.disconnect("cat")
    stage.resume("cat")
    #expect(stage.eligibilities("cat") == [.eligible])
    let id = try stage.activate("ann")
    stage.disconnect("cat")
    stage.resume("cat")
    #expect(stage.offers("cat").map(\.session) == [id])
  }

  @Test func `one who resumes too late is told what became of the session`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob", "cat"])
    let ann = try #require(stage["ann"].participant)
    let bob = try #require(stage["bob"].participant)
    stage.disconnect("bob")
    try stage.ask("ann", .remove(nil, bob, isBanned: false))
    stage.resume("bob")
    #expect(stage.inbox("bob").contains(.sessionLeft(id, .removed(by: ann, isBanned: false))))
    stage.disconnect("cat")
    try stage.ask("ann", .end(nil))
    stage.resume("cat")
    #expect(stage.inbox("cat").contains(.sessionOver(id, .endedBy(ann))))
    stage.checkMirrors()
  }

  @Test func `a client that starts anew leaves what it was in`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.disconnect("bob")
    stage.connect(as: "bob")
    #expect(stage.session(id)?.participants.count == 1)
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.members.count == 1)
    #expect(stage.coordinator.groups.seats["bob"]?.group == nil)
  }

  @Test func `what an earlier life asked is not answered to the next one`() throws {
    var stage = Stage()
    stage.connect(as: "ann")
    stage.isHeld = true
    stage.post(.joinGroup("g"), from: "ann")
    stage.disconnect("ann")
    stage.connect(as: "ann")
    stage.isHeld = false
    stage.release()
    #expect(stage["ann"].answers.isEmpty)
    #expect(stage.coordinator.groups.rooms.groups.isEmpty)
    #expect(stage.coordinator.groups.seats["ann"]?.group == nil)
  }

  @Test func `a repeated request waits for the one answer, and gets it on the new connection`()
    throws
  {
    var stage = Stage()
    stage.connect(as: "ann")
    stage.isHeld = true
    let id = stage.post(.joinGroup("g"), from: "ann")
    stage.say(.request(id, .joinGroup("g")), from: "ann")
    stage.disconnect("ann")
    stage.resume("ann")
    stage.say(.request(id, .joinGroup("g")), from: "ann")
    stage.isHeld = false
    stage.release()
    #expect(stage["ann"].answers[id]?.count == 1)
    #expect(stage.coordinator.groups.rooms.groups["g"]?.group?.connectedCount == 1)
    #expect(stage.coordinator.front.audiences[.group("g")].count == 1)
  }

  @Test func `who sends too fast is told to wait, and who does not listen is closed`() throws {
    var limits = Limits()
    limits.messageBurst = 5
    limits.messagesPerSecond = 10
    var stage = Stage(limits: limits)
    stage.connect(as: "ann")
    for _ in 0..<4 { try stage.ask("ann", .status()) }
    let refusal = try stage.refusal("ann", .status())
    #expect(refusal.code == .rateLimited)
    #expect(refusal.limit == 10)
    let wait = try #require(refusal.retryAfter)
    stage.advance(wait - .microseconds(1))
    #expect(try stage.refusal("ann", .status()).code == .rateLimited)
    stage.advance(.microseconds(1) + .milliseconds(1))
    try stage.ask("ann", .status())
    for _ in 0..<6 { stage.post(.status(), from: "ann") }
    #expect(stage["ann"].closedWith?.code == .rateLimited)
  }

  @Test func `a full server and a stopping one say so`() {
    var limits = Limits()
    limits.peers = 1
    var stage = Stage(limits: limits)
    stage.connect(as: "ann")
    let second = stage.connectSilently()
    #expect(stage.clients[second]?.closedWith?.code == .serverFull)
    stage.handle(.stop(isResumable: false))
    #expect(stage["ann"].closedWith?.code == .shuttingDown)
    let third = stage.connectSilently()
    #expect(stage.clients[third]?.closedWith?.code == .shuttingDown)
  }

  @Test func `a stop ends the sessions, says so, and closes only then`() throws {
    var (stage, id) = try Stage.watching(["ann", "bob"])
    stage.isHeld = true
    stage.handle(.stop(isResumable: false))
    #expect(stage["ann"].closedWith == nil)
    #expect(try stage.refusal("ann", .leave(nil)).code == .shuttingDown)
    stage.isHeld = false
    stage.release()
    #expect(stage.events("ann").last == .ended(.serverShutdown))
    #expect(stage["ann"].closedWith?.code == .shuttingDown)
    #expect(stage.session(id) == nil)
  }

  @Test func `a stop does not wait for ever for the journal`() throws {
    var (stage, _) = try Stage.watching(["ann", "bob"])
    stage.isHeld = true
    stage.handle(.stop(isResumable: false))
    stage.advance(Limits().drainDeadline)
    #expect(stage["ann"].closedWith?.code == .shuttingDown)
    #expect(stage.coordinator.front.peers.isEmpty)
  }
}
