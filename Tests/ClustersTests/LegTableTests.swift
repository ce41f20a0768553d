import Clusters
import Coordination
import Naming
import Testing
import Vocabulary
import Wire

/// The people behind the links of the server that decides.
@Suite struct LegTableTests {
  private static let link = PeerID(slot: 100, generation: 0)
  private static let other = PeerID(slot: 101, generation: 0)

  private static func peer(_ number: UInt32) -> PeerID { PeerID(slot: number, generation: 0) }

  /// A table with two links, which gives peers numbers from 1.
  private struct Scene {
    private(set) var legs = LegTable()
    private var last: UInt32 = 0

    init() {
      for link in [LegTableTests.link, LegTableTests.other] {
        legs.add(link)
        legs.take(link)
      }
    }

    mutating func hear(_ line: String, over link: PeerID = link) -> LegTable.Output? {
      let bytes = Array(line.utf8)
      var last = last
      defer { self.last = last }
      return legs.hear(bytes.span, over: link) { dialect in
        guard dialect != "klingon" else { return nil }
        last += 1
        return LegTableTests.peer(last)
      }
    }

    mutating func change<Result>(_ body: (inout LegTable) -> Result) -> Result { body(&legs) }
  }

  @Test func `a peer is known by its link's number, and each link has its own numbers`() {
    var scene = Scene()
    let arrival = LegArrival(host: "192.0.2.1")
    #expect(scene.hear("c 7.0 192.0.2.1") == .connected(Self.peer(1), arrival, over: nil))
    #expect(scene.hear("c 7.0 192.0.2.1") == nil, "it is there")
    #expect(
      scene.hear("c 7.0 192.0.2.1", over: Self.other)
        == .connected(Self.peer(2), arrival, over: nil))
    #expect(scene.hear("l 7.0 {}") == .line(Self.peer(1), from: 6))
    #expect(scene.hear("l 7.0 {}", over: Self.other) == .line(Self.peer(2), from: 6))
    #expect(scene.hear("l 8.0 {}") == nil && scene.hear("l 7.0 {}", over: Self.peer(5)) == nil)
    #expect(scene.legs.peerCount == 2 && scene.legs.reaches(Self.peer(1)))
    #expect(scene.hear("g 7.0") == .gone(Self.peer(1)))
    #expect(scene.hear("g 7.0") == nil && !scene.legs.reaches(Self.peer(1)))
  }

  @Test func `a dialect that nobody serves is refused, and nonsense cuts the link`() {
    var scene = Scene()
    #expect(
      scene.hear("c 7.0 192.0.2.1 klingon") == .unserved("klingon", answer: Array("x 7.0\n".utf8)))
    #expect(scene.hear("c 7.0 192.0.2.1 syncplay") != nil)
    guard case .cut = scene.hear("what?") else { return #expect(Bool(false)) }
  }

  @Test func `what is sent to many goes to each link once, with its own numbers`() {
    var scene = Scene()
    for number in [7, 8] { _ = scene.hear("c \(number).0 192.0.2.1") }
    _ = scene.hear("c 7.0 192.0.2.1", over: Self.other)
    let audiences = scene.change { legs in
      for number in 1...4 as ClosedRange<UInt32> { legs.address(Self.peer(number)) }
      return legs.takeAudiences(isDroppable: false)
    }
    #expect(audiences.map(\.connection) == [Self.link, Self.other])
    #expect(
      audiences.map { String(decoding: $0.header.ended, as: UTF8.self) } == [
        "t 7.0,8.0\n", "t 7.0\n",
      ])
    let next = scene.change { legs in
      legs.address(Self.peer(2))
      return legs.takeAudiences(isDroppable: true)
    }
    #expect(next.map { $0.header.ended } == [Array("n 8.0\n".utf8)])
  }

  @Test func `a server that keeps audiences is told who is in one, and only then`() {
    var scene = Scene()
    let arrival = LegArrival(host: "192.0.2.1")
    #expect(scene.hear("b old:1 9 0") == .arrived("old:1"))
    #expect(scene.hear("b new:1 9 0 ! 2", over: Self.other) == .arrived("new:1"))
    let first = LinkID(place: 1)
    #expect(scene.hear("c 7.0 192.0.2.1") == .connected(Self.peer(1), arrival, over: nil))
    #expect(
      scene.hear("c 7.0 192.0.2.1", over: Self.other)
        == .connected(Self.peer(2), arrival, over: first))
    guard
      case .connected(Self.peer(3), _, over: nil)? =
        scene.hear("c 8.0 192.0.2.1 syncplay", over: Self.other)
    else { return #expect(Bool(false), "dialects hear what is written for them here") }
    let audience = AudienceNumber(12)
    let follow = scene.legs.carryOut(.follow(audience, Self.peer(2)))
    #expect(follow == ([Self.other], Array("f #12,7.0\n".utf8)))
    let unfollow = scene.legs.carryOut(.unfollow(audience, Self.peer(2)))
    #expect(unfollow == ([Self.other], Array("u #12,7.0\n".utf8)))
    #expect(scene.legs.carryOut(.follow(audience, Self.peer(9))).connections.isEmpty)
    let relay = AudienceRelay(
      number: audience, links: [first], except: [Self.peer(1), Self.peer(2)])
    let headers = scene.legs.headers(for: relay, isDroppable: true)
    #expect(headers.map(\.connection) == [Self.other])
    #expect(headers.map { $0.header.ended } == [Array("n #12,7.0\n".utf8)])
    #expect(scene.legs.carryOut(.disperse(relay)) == ([Self.other], Array("u #12\n".utf8)))
  }

  @Test func `what a peer takes of this server's time is charged in parts of five milliseconds`() {
    var scene = Scene()
    #expect(scene.hear("b new:1 9 0 2") == .arrived("new:1"))
    #expect(
      scene.hear("c 7.0 192.0.2.1") != nil && scene.hear("c 7.0 192.0.2.1", over: Self.other) != nil
    )
    func charge(_ microseconds: Int, to number: UInt32 = 1) -> [UInt8]? {
      scene.change { $0.charge(.microseconds(microseconds), to: Self.peer(number))?.line }
    }
    #expect(charge(4_000) == nil)
    #expect(charge(2_250) == Array("z 7.0 6250\n".utf8))
    #expect(charge(4_000) == nil)
    #expect(charge(60_000, to: 2) == nil, "its server knows nothing of that")
    #expect(charge(60_000, to: 9) == nil)
  }

  @Test func `whoever is closed is gone, and told with or without a word`() {
    var scene = Scene()
    for number in [7, 8] { _ = scene.hear("c \(number).0 192.0.2.1") }
    let word = Array("{}".utf8)[...]
    let first = scene.change { $0.close(Self.peer(1), after: word) }
    let second = scene.change { $0.close(Self.peer(2), after: nil) }
    let third = scene.change { $0.close(Self.peer(2), after: nil) }
    #expect(first?.line == Array("k 7.0 {}\n".utf8) && first?.connection == Self.link)
    #expect(second?.line == Array("x 8.0\n".utf8) && third == nil)
    #expect(scene.legs.isEmpty(Self.link) && scene.hear("l 7.0 {}") == nil)
  }

  @Test func `what comes before the encryption that was asked for is dropped`() {
    var scene = Scene()
    _ = scene.hear("c 7.0 192.0.2.1 syncplay")
    let order = scene.change { $0.encrypt(Self.peer(1)) }
    #expect(order?.line == Array("e 7.0\n".utf8))
    #expect(scene.hear("l 7.0 {}") == nil)
    #expect(scene.hear("s 7.0") == .secured(Self.peer(1)))
    #expect(scene.hear("l 7.0 {}") == .line(Self.peer(1), from: 6))
  }

  @Test func `with a link its people are gone, and its place is used again`() {
    var scene = Scene()
    for number in [8, 7] { _ = scene.hear("c \(number).0 192.0.2.1") }
    let gone = scene.change { $0.remove(Self.link) }
    let again = scene.change { $0.remove(Self.link) }
    #expect(gone == [Self.peer(1), Self.peer(2)] && again == nil)
    #expect(!scene.legs.reaches(Self.peer(1)))
    #expect(scene.legs.connections == [Self.other] && scene.legs.linkCount == 1)
    scene.change { $0.add(Self.link) }
    #expect(scene.hear("l 7.0 {}") == nil && scene.hear("c 7.0 192.0.2.1") != nil)
    #expect(scene.legs.connections == [Self.link, Self.other])
  }

  @Test
  func `a link over which nothing comes is named after six beats, and a beat goes over others`() {
    var scene = Scene()
    for _ in 0..<5 {
      let (living, silent) = scene.change { $0.beat() }
      #expect(living == [Self.link, Self.other] && silent.isEmpty)
      _ = scene.hear("b", over: Self.other)
    }
    let (living, silent) = scene.change { $0.beat() }
    #expect(living == [Self.other] && silent == [Self.link])
  }

  @Test func `servers in front say what they are, and whoever is told to drain drains`() {
    var scene = Scene()
    #expect(scene.legs.name(of: Self.link) == nil)
    #expect(scene.hear("b b:1 9 3") == .arrived("b:1"))
    #expect(scene.legs.name(of: Self.link) == "b:1")
    #expect(scene.hear("b b:1 9 4") == nil, "how many it has may wait")
    #expect(scene.legs.states == [StatusReport.Server("b:1", version: "9", peers: 4)])
    #expect(scene.change { $0.drain("c:1") } == [])
    #expect(scene.change { $0.drain("b:1") } == [Self.link])
    #expect(scene.legs.states.map(\.isDraining) == [true])
  }

  @Test func `servers with another access are named, and older ones say nothing of theirs`() {
    var scene = Scene()
    _ = scene.hear("b b:1 9 3 2")
    _ = scene.hear("b c:1 9 3 ! access=keys 2", over: Self.other)
    #expect(scene.legs.servers(withoutAccess: "keys").isEmpty)
    #expect(scene.legs.servers(withoutAccess: "tokens") == ["c:1": "keys"])
    #expect(scene.legs.states.map(\.isDraining) == [false, true])
  }

  @Test func `no more links come than there is room for`() {
    var legs = LegTable()
    for number in 0..<64 as Range<UInt32> {
      #expect(legs.hasRoom)
      legs.add(Self.peer(number))
    }
    #expect(!legs.hasRoom)
  }

  @Test func `of the links that have not shown the key, the first one makes room`() {
    var legs = LegTable()
    #expect(legs.stranger == nil)
    for number in 1...64 as ClosedRange<UInt32> { legs.add(Self.peer(number)) }
    legs.take(Self.peer(1))
    #expect(legs.stranger == Self.peer(2))
    _ = legs.remove(Self.peer(2))
    // It has the place of an earlier one, and is the latest.
    legs.add(Self.peer(65))
    #expect(legs.stranger == Self.peer(3))
    for number in 3...65 as ClosedRange<UInt32> { legs.take(Self.peer(number)) }
    #expect(legs.stranger == nil && !legs.hasRoom)
  }
}
