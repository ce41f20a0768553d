import Simulation
import Testing
import Vocabulary

@Suite struct VirtualNetworkTests {
  private typealias Network = VirtualNetwork<Int, String>

  /// Runs the network dry, and says what arrived when.
  private func arrivals(_ network: inout Network) -> [(at: Duration, text: String)] {
    var all: [(Duration, String)] = []
    while let next = network.nextArrival {
      while let arrival = network.receive(at: next) { all.append((next, text(arrival))) }
    }
    return all
  }

  private func text(_ arrival: Network.Arrival) -> String {
    switch arrival {
    case .accepted: "accepted"
    case .opened: "opened"
    case .atServer(_, _, let number): "server \(number)"
    case .atHost(_, _, let word): "host \(word)"
    case .closedAtServer: "closed at server"
    case .closedAtHost: "closed at host"
    }
  }

  private func open(
    _ conditions: LinkConditions, seed: UInt64 = 1
  ) -> (network: Network, connection: Int) {
    var network = Network(seed: seed)
    let host = network.addHost(conditions)
    let connection = network.connect(host, at: .zero)
    _ = arrivals(&network)
    return (network, connection)
  }

  @Test func `a connection stands after a round trip`() {
    var network = Network(seed: 1)
    let host = network.addHost(LinkConditions(delay: .milliseconds(10)))
    _ = network.connect(host, at: .zero)
    let seen = arrivals(&network)
    #expect(seen.map(\.text) == ["accepted", "opened"])
    #expect(seen.map(\.at) == [.milliseconds(10), .milliseconds(20)])
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `messages arrive in order, each after its delay`(seed: UInt64) {
    var (network, connection) = open(
      LinkConditions(delay: .milliseconds(10), jitter: .milliseconds(30)), seed: seed)
    for number in 0..<50 {
      network.send(up: number, over: connection, at: .milliseconds(100 + number))
    }
    let seen = arrivals(&network)
    #expect(seen.map(\.text) == (0..<50).map { "server \($0)" })
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0.at <= $1.at })
    for (number, arrival) in seen.enumerated() {
      #expect(arrival.at >= .milliseconds(110 + number))
      #expect(arrival.at < .milliseconds(140 + 50))
    }
  }

  @Test func `a cut loses what is on the way, ends both ends and refuses others`() {
    var (network, connection) = open(LinkConditions(delay: .milliseconds(10)))
    network.send(up: 1, over: connection, at: .milliseconds(100))
    #expect(network.cut(0).map(text) == ["closed at server", "closed at host"])
    network.send(up: 2, over: connection, at: .milliseconds(101))
    _ = network.connect(0, at: .milliseconds(102))
    #expect(arrivals(&network).map(\.text) == ["closed at host"])
    network.restore(0)
    _ = network.connect(0, at: .milliseconds(200))
    #expect(arrivals(&network).map(\.text) == ["accepted", "opened"])
  }

  @Test func `a hold delays what is on the way and what comes, and loses nothing`() {
    var (network, connection) = open(LinkConditions(delay: .milliseconds(10)))
    network.send(up: 1, over: connection, at: .milliseconds(100))
    network.hold(0, until: .milliseconds(500))
    network.send(down: "a", over: connection, at: .milliseconds(200))
    network.send(up: 2, over: connection, at: .milliseconds(300))
    let seen = arrivals(&network)
    #expect(seen.map(\.text).sorted() == ["host a", "server 1", "server 2"])
    #expect(seen.allSatisfy { $0.at >= .milliseconds(500) })
  }

  @Test func `what was sent before a close still arrives, and nothing after it`() {
    var (network, connection) = open(LinkConditions(delay: .milliseconds(10)))
    network.send(up: 1, over: connection, at: .milliseconds(100))
    network.closeAtHost(connection, at: .milliseconds(100))
    network.send(up: 2, over: connection, at: .milliseconds(100))
    network.send(down: "late", over: connection, at: .milliseconds(105))
    #expect(arrivals(&network).map(\.text) == ["server 1", "closed at server"])
  }

  @Test(arguments: [-80.0, 0, 0.3, 50])
  func `a clock's time and its moment are inverse`(skew: Double) {
    let clock = HostClock(start: HostTime(microseconds: 12_345), skew: skew)
    for step in stride(from: 0, to: 10_000_000_000, by: 123_456_789) {
      let time = clock.start + .microseconds(step)
      let moment = clock.moment(of: time)
      #expect(clock.time(at: moment) >= time)
      #expect(clock.time(at: moment - .microseconds(2)) < time)
    }
  }
}
