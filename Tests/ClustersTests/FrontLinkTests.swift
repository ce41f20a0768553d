import Clusters
import Naming
import Testing
import Vocabulary
import Wire

/// What a server in front does with its link, and with the people behind it.
@Suite struct FrontLinkTests {
  private static let now = Instant(microseconds: 1_000_000)
  private static let limits = Limits()

  private static func peer(_ number: UInt32) -> PeerID { PeerID(slot: number, generation: 0) }

  private static func text(_ line: [UInt8]) -> String {
    String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// The lines that go over the link, in order.
  private static func lines(_ outputs: [FrontLink.Output]) -> [String] {
    outputs.compactMap { if case .send(let line) = $0 { text(line) } else { nil } }
  }

  /// Those whom it tells to come back, in order.
  private static func sentBack(_ outputs: [FrontLink.Output]) -> [PeerID] {
    outputs.compactMap { if case .sendBack(let peer) = $0 { peer } else { nil } }
  }

  private static func front() -> FrontLink { FrontLink(of: "b:1", version: "9", limits) }

  /// One whose link works.
  private static func linked() -> FrontLink {
    var front = front()
    _ = front.follow(isThere: true)
    front.didConnect()
    _ = hear("b", &front)
    return front
  }

  private static func hear(_ line: String, _ front: inout FrontLink) -> [FrontLink.Output] {
    let bytes = Array(line.utf8)
    return front.hear(bytes.span)
  }

  private static func enter(_ number: UInt32, _ front: inout FrontLink) -> [FrontLink.Output] {
    front.connect(peer(number), LegArrival(host: "192.0.2.\(number)"), at: now)
  }

  @Test func `whoever waits is passed on with all that they said, once there is a link`() {
    var front = Self.front()
    #expect(front.follow(isThere: true) == [.connect])
    front.didConnect()
    #expect(Self.enter(2, &front) == [] && Self.enter(1, &front) == [])
    #expect(front.secure(Self.peer(2)) == [])
    #expect(front.receive(Array("{}".utf8), from: Self.peer(2)) == [])
    #expect(!front.isLinked && front.waitingCount == 2)
    let outputs = Self.hear("b", &front)
    #expect(front.isLinked && front.waitingCount == 0)
    #expect(
      Self.lines(outputs) == [
        "b b:1 9 2 2", "c 2.0 192.0.2.2", "s 2.0", "l 2.0 {}", "c 1.0 192.0.2.1",
      ])
    #expect(outputs.contains(.resumeReading(Self.peer(2))))
  }

  @Test func `whoever waits and goes is not heard of`() {
    var front = Self.front()
    _ = front.follow(isThere: true)
    _ = Self.enter(1, &front)
    #expect(front.lose(Self.peer(1)) == [])
    front.didConnect()
    #expect(Self.lines(Self.hear("b", &front)) == ["b b:1 9 0 2"])
  }

  @Test func `whoever says more than there is room for is told to come back, once`() {
    var limits = Limits()
    limits.backlogBytes = 40
    var front = FrontLink(of: "b:1", version: "9", limits)
    for number in 1...2 as ClosedRange<UInt32> { _ = Self.enter(number, &front) }
    let line = Array("{\"a\":1}".utf8)
    #expect(front.receive(line, from: Self.peer(1)) == [])
    #expect(front.receive(line, from: Self.peer(2)) == [.sendBack(Self.peer(2))])
    #expect(front.receive(line, from: Self.peer(2)) == [] && front.waitingCount == 1)
  }

  @Test func `what people do goes over the link, and their end once`() {
    var front = Self.linked()
    let outputs =
      Self.enter(1, &front) + front.receive(Array("{}".utf8), from: Self.peer(1))
      + front.receiveOverlongLine(from: Self.peer(1)) + front.lose(Self.peer(1))
      + front.lose(Self.peer(1)) + front.receiveOverlongLine(from: Self.peer(1))
    #expect(Self.lines(outputs) == ["c 1.0 192.0.2.1", "l 1.0 {}", "o 1.0", "g 1.0"])
  }

  @Test func `whoever is closed is closed once, and is not said to be gone`() {
    var front = Self.linked()
    for number in 1...3 as ClosedRange<UInt32> { _ = Self.enter(number, &front) }
    #expect(Self.hear("k 1.0 {}", &front) == [.close(Self.peer(1), from: 6)])
    #expect(Self.hear("k 2.0", &front) == [.close(Self.peer(2), from: nil)])
    #expect(Self.hear("x 3.0", &front) == [.shut(Self.peer(3))])
    for number in 1...3 as ClosedRange<UInt32> { #expect(front.lose(Self.peer(number)) == []) }
  }

  /// Those who hear a line, and whether it may be dropped.
  private static func hearers(_ line: String, _ front: inout FrontLink) -> [PeerID] {
    hear(line, &front).flatMap { output -> [PeerID] in
      if case .tell(let peers, _, _) = output { Array(peers) } else { [] }
    }
  }

  @Test func `an audience hears what it is told, but those who are left out, and are gone`() {
    var front = Self.linked()
    for number in 1...4 as ClosedRange<UInt32> { _ = Self.enter(number, &front) }
    for line in ["f #12,1.0,2.0,3.0,4.0", "f #12,4.0", "f #13,4.0", "f #12,9.0"] {
      #expect(Self.hear(line, &front) == [])
    }
    #expect(Self.hearers("t #12 {}", &front) == (1...4).map(Self.peer))
    #expect(Self.hearers("n #12,2.0,4.0 {}", &front) == [Self.peer(1), Self.peer(3)])
    _ = Self.hear("u #12,1.0", &front)
    _ = front.lose(Self.peer(2))
    _ = Self.hear("x 3.0", &front)
    #expect(Self.hearers("t #12 {}", &front) == [Self.peer(4)])
    _ = Self.hear("u #12", &front)
    #expect(
      Self.hearers("t #12 {}", &front) == [] && Self.hearers("t #13 {}", &front) == [Self.peer(4)])
    #expect(Self.hearers("t #14 {}", &front) == [])
  }

  @Test func `a peer is named that has to pay`() {
    var front = Self.linked()
    _ = Self.enter(1, &front)
    #expect(Self.hear("z 1.0 6250", &front) == [.charge(Self.peer(1), from: 6)])
  }

  @Test func `with a link its audiences are gone`() {
    var front = Self.linked()
    _ = Self.enter(1, &front)
    _ = Self.hear("f #12,1.0", &front)
    _ = front.didBreak("test")
    front.didConnect()
    _ = Self.hear("b", &front)
    _ = Self.enter(1, &front)
    #expect(Self.hearers("t #12 {}", &front) == [])
  }

  @Test func `everybody behind a link that breaks is told to come back, and no one who waits`() {
    var front = Self.linked()
    _ = Self.enter(2, &front)
    _ = Self.enter(1, &front)
    let outputs = front.didBreak("test")
    #expect(outputs.first == .broken("test") && outputs.last == .connect)
    #expect(Self.sentBack(outputs) == [Self.peer(1), Self.peer(2)])
    #expect(Self.enter(3, &front) == [] && front.waitingCount == 1)
    #expect(front.didBreak("again") == [], "it is apart already")
    #expect(front.lose(Self.peer(1)) == [])
  }

  @Test func `a link that says nothing for six beats is broken, and so is nonsense`() {
    var front = Self.linked()
    _ = Self.enter(1, &front)
    var outputs = (0..<5).flatMap { _ in front.beat() }
    #expect(Self.sentBack(outputs) == [] && Self.lines(outputs).count == 5)
    outputs = front.beat()
    #expect(Self.sentBack(outputs) == [Self.peer(1)] && outputs.last == .connect)
    var other = Self.linked()
    #expect(Self.hear("what?", &other).contains { if case .broken = $0 { true } else { false } })
    #expect(!other.isLinked)
  }

  @Test func `what does not connect is tried again, and given up after six beats`() {
    var front = Self.front()
    _ = front.follow(isThere: true)
    front.didFail()
    #expect(front.beat() == [.connect])
    let outputs = (0..<6).flatMap { _ in front.beat() }
    #expect(outputs == [.disconnect, .connect])
  }

  @Test func `who drains says so once, and sends each back after its end`() {
    var front = Self.linked()
    _ = Self.enter(1, &front)
    let outputs = Self.hear("d", &front)
    #expect(Self.lines(outputs) == ["b b:1 9 1 ! 2"] && outputs.last == .drain)
    #expect(Self.hear("d", &front) == [] && front.isDraining)
    let dismissal = front.dismiss(Self.peer(1))
    #expect(Self.lines(dismissal) == ["g 1.0"] && dismissal.last == .sendBack(Self.peer(1)))
  }

  @Test func `who stops sends back those who wait and those behind the link`() {
    var front = Self.front()
    _ = Self.enter(1, &front)
    #expect(front.stop() == [.sendBack(Self.peer(1))])
    var other = Self.linked()
    _ = Self.enter(1, &other)
    #expect(other.stop() == [.disconnect, .sendBack(Self.peer(1))])
    #expect(other.beat() == [], "it connects no more")
  }

  @Test func `a question about media has a number, and is answered once`() throws {
    var front = Self.linked()
    let asked = front.ask(aboutMediaAt: "/media/1")
    let (number, outputs) = try #require(asked)
    #expect(Self.lines(outputs) == ["m \(number).0 /media/1"])
    let answer = Self.hear("m \(number).0 film.mp4", &front)
    #expect(answer == [.answer(question: number, from: "m \(number).0 ".utf8.count)])
    #expect(Self.hear("m \(number).0 film.mp4", &front) == [])
  }

  @Test func `a question about media waits for a link, and goes over the next one again`() throws {
    var front = Self.front()
    _ = front.follow(isThere: true)
    let asked = front.ask(aboutMediaAt: "/media/1")
    let (number, outputs) = try #require(asked)
    #expect(outputs.isEmpty)
    for _ in 0..<2 {
      front.didConnect()
      #expect(Self.lines(Self.hear("b", &front)).last == "m \(number).0 /media/1")
      #expect(front.didBreak("test") == [.broken("test"), .disconnect, .connect])
    }
  }

  @Test func `a question about media is given up after nine beats, and by who stops`() throws {
    var front = Self.front()
    for isStopped in [false, true] {
      let asked = front.ask(aboutMediaAt: "/media/1")
      let number = try #require(asked).question
      for _ in 0..<8 { #expect(front.beat() == []) }
      let outputs = isStopped ? front.stop() : front.beat()
      #expect(outputs == [.giveUp(question: number)])
    }
  }

  @Test func `a server says in its beats how people prove who they are once it decides`() {
    var front = FrontLink(of: "b:1", version: "9", access: "keys", Self.limits)
    _ = front.follow(isThere: true)
    front.didConnect()
    let beat = Array("b".utf8)
    #expect(
      front.hear(beat.span) == [.linked, .send(Array("b b:1 9 0 access=keys 2\n".utf8))])
  }

  @Test func `no more questions about media wait than browsers have connections`() {
    var limits = Self.limits
    limits.webConnections = 2
    var front = FrontLink(of: "b:1", version: "9", limits)
    let areTaken = (0..<3).map { front.ask(aboutMediaAt: "/media/\($0)") != nil }
    #expect(areTaken == [true, true, false])
  }
}
