import Naming
import Testing
import Vocabulary

@testable import Coordination

/// Who receives what is published, here and behind links.
@Suite struct AudiencesTests {
  private static let topic = AudienceTopic.session("s")
  private static let first = LinkID(place: 0)
  private static let second = LinkID(place: 1)

  private static func peer(_ number: UInt32) -> PeerID { PeerID(slot: number, generation: 0) }

  /// Device "4" is on connection 4.
  private static func peer(of device: DeviceID) -> PeerID? { UInt32(device.text).map(peer) }

  /// Connections 1 and 2 are here, 3 and 4 behind the first link, 5 behind the second one.
  private static func crowd() -> Audiences {
    var audiences = Audiences()
    for number in 1...2 as ClosedRange<UInt32> {
      _ = audiences.add(peer(number), over: nil, to: topic)
    }
    for number in 3...4 as ClosedRange<UInt32> {
      _ = audiences.add(peer(number), over: first, to: topic)
    }
    _ = audiences.add(peer(5), over: second, to: topic)
    return audiences
  }

  @Test func `a publication goes to each connection here, and once over each link`() {
    let (peers, relay) = Self.crowd().receivers(of: Self.topic, .all, by: Self.peer(of:))
    #expect(peers == [Self.peer(1), Self.peer(2)])
    #expect(relay?.links == [Self.first, Self.second] && relay?.except == [])
    #expect(Self.crowd()[Self.topic] == (1...5).map(Self.peer))
  }

  @Test func `whoever is left out is named to the servers in front, too`() {
    let (peers, relay) = Self.crowd()
      .receivers(of: Self.topic, .except(["1", "4"]), by: Self.peer(of:))
    #expect(peers == [Self.peer(2)])
    #expect(relay?.except == [Self.peer(1), Self.peer(4)])
  }

  @Test func `a few are told one by one, wherever they are`() {
    let (peers, relay) = Self.crowd()
      .receivers(of: Self.topic, .only(["2", "5", "9"]), by: Self.peer(of:))
    #expect(peers == [Self.peer(2), Self.peer(5)] && relay == nil)
  }

  @Test func `a server in front is told once who comes and goes, and this one tells itself`() {
    var audiences = Audiences()
    var told = audiences.add(Self.peer(1), over: nil, to: Self.topic)
    #expect(told == nil)
    told = audiences.add(Self.peer(2), over: Self.first, to: Self.topic)
    #expect(told == AudienceNumber(1))
    told = audiences.add(Self.peer(2), over: Self.first, to: Self.topic)
    #expect(told == nil, "it is there")
    told = audiences.remove(Self.peer(2), over: Self.first, from: Self.topic)
    #expect(told == AudienceNumber(1))
    told = audiences.remove(Self.peer(2), over: Self.first, from: Self.topic)
    #expect(told == nil, "it is gone")
    let (_, relay) = audiences.receivers(of: Self.topic, .all, by: Self.peer(of:))
    #expect(relay == nil, "nobody is behind a link any more")
  }

  @Test func `an audience that comes anew has another number`() {
    var audiences = Self.crowd()
    let relay = audiences.disperse(Self.topic)
    #expect(relay?.number == AudienceNumber(1) && relay?.links == [Self.first, Self.second])
    #expect(audiences[Self.topic].isEmpty)
    #expect(audiences.disperse(Self.topic) == nil)
    let told = audiences.add(Self.peer(3), over: Self.first, to: Self.topic)
    #expect(told == AudienceNumber(2))
  }
}
