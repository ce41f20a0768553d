import Testing
import Vocabulary

@testable import Syncplay

@Suite struct StateExchangeTests {
  private var now = Instant(microseconds: 1_795_254_915_000_000)

  private func compose(_ exchange: inout StateExchange, isNew: Bool, at now: Instant)
    -> SyncplayServerState
  {
    exchange.compose(
      position: 0, isPaused: true, isSeek: false, setBy: nil, isNew: isNew, at: now)
  }

  @Test func `a change is outstanding until its number comes back`() {
    var exchange = StateExchange()
    #expect(compose(&exchange, isNew: false, at: now).serverIgnoring == nil)
    #expect(compose(&exchange, isNew: true, at: now).serverIgnoring == 1)
    #expect(compose(&exchange, isNew: true, at: now).serverIgnoring == 2)
    let answer1 = exchange.receive(SyncplayClientState(serverIgnoring: 1), at: now)
    #expect(answer1 == false)
    #expect(compose(&exchange, isNew: false, at: now).serverIgnoring == 2)
    let answer2 = exchange.receive(SyncplayClientState(serverIgnoring: 2), at: now)
    #expect(answer2)
    #expect(compose(&exchange, isNew: false, at: now).serverIgnoring == nil)
  }

  @Test func `a client that counts nothing acknowledges with the stamp`() {
    var exchange = StateExchange()
    let before = compose(&exchange, isNew: false, at: now)
    let forced = compose(&exchange, isNew: true, at: now + .milliseconds(10))
    let later = now + .milliseconds(20)
    let answer3 = exchange.receive(SyncplayClientState(echoed: before.stamp), at: later)
    #expect(answer3 == false)
    #expect(exchange.isWaiting)
    let answer4 = exchange.receive(SyncplayClientState(echoed: forced.stamp), at: later)
    #expect(answer4)
    #expect(!exchange.isWaiting)
  }

  @Test func `a client's change and stamp are answered once`() throws {
    var exchange = StateExchange()
    _ = exchange.receive(SyncplayClientState(stamp: 100, clientIgnoring: 3), at: now)
    let first = compose(&exchange, isNew: false, at: now + .milliseconds(250))
    #expect(first.clientIgnoring == 3)
    #expect(try abs(#require(first.echoed) - 100.25) < 0.001)
    let second = compose(&exchange, isNew: false, at: now + .milliseconds(300))
    #expect(second.clientIgnoring == nil)
    #expect(second.echoed == nil)
  }

  @Test func `round trips are smoothed, and nonsense is no round trip`() {
    var latency = Latency()
    latency.note(microseconds: 100_000)
    #expect(latency.oneWay == 50_000)
    latency.note(microseconds: 200_000)
    #expect(latency.oneWay == 55_000)
    latency.note(microseconds: -1_000_000)
    latency.note(microseconds: 3_600_000_000)
    #expect(latency.oneWay == 55_000)
    latency.note(microseconds: 100_000)
    #expect(latency.oneWay == 52_500)
  }

  @Test func `a first answer that took long is forgotten within five`() {
    var latency = Latency()
    latency.note(microseconds: 1_000_000)
    for _ in 0..<5 { latency.note(microseconds: 20_000) }
    #expect(latency.oneWay < 30_000)
  }

  /// What a client's own trip is longer by, it adds to where the room is.
  @Test func `clients are told of round trips that theirs hardly exceed`() {
    var latency = Latency()
    var chance = SplitMix64(seed: 1)
    var exceeded = 0
    for _ in 0..<1000 {
      let trip = Int64(100_000 + chance.next() % 40_000)
      if latency.isKnown, Double(trip) / 1_000_000 > latency.roundTrip { exceeded += 1 }
      latency.note(microseconds: trip)
      #expect(latency.roundTrip >= Double(trip) / 1_000_000)
    }
    #expect(exceeded < 150)
  }

  @Test func `the answer to a change is no measure of the way`() throws {
    var exchange = StateExchange()
    for (isNew, trip) in [(false, 100), (true, 900), (false, 100)] {
      let told = compose(&exchange, isNew: isNew, at: now)
      let answer = SyncplayClientState(
        echoed: told.stamp, stamp: 1, serverIgnoring: told.serverIgnoring)
      _ = exchange.receive(answer, at: now + .milliseconds(trip))
    }
    #expect(exchange.latency.oneWay == 50_000)
  }

  /// A client that answers each State it hears, some of them late, some never, by any of the ways
  /// clients have.
  @Test(arguments: 0..<50)
  func `counters always settle`(seed: Int) {
    var chance = SplitMix64(seed: UInt64(seed))
    var exchange = StateExchange()
    var time = now
    var waiting: [SyncplayServerState] = []
    for _ in 0..<200 {
      time = time + .milliseconds(Int(chance.next() % 900))
      let heard = compose(&exchange, isNew: chance.next() % 3 == 0, at: time)
      if chance.next() % 4 != 0 { waiting.append(heard) }
      while !waiting.isEmpty, chance.next() % 2 == 0 {
        let state = waiting.removeFirst()
        let counts = seed % 2 == 0
        _ = exchange.receive(
          SyncplayClientState(
            echoed: state.stamp, stamp: 1, serverIgnoring: counts ? state.serverIgnoring : nil,
            clientIgnoring: chance.next() % 5 == 0 ? 1 : nil), at: time)
      }
    }
    let last = compose(&exchange, isNew: false, at: time)
    let counts = seed % 2 == 0
    _ = exchange.receive(
      SyncplayClientState(
        echoed: last.stamp, serverIgnoring: counts ? last.serverIgnoring : nil), at: time)
    #expect(!exchange.isWaiting)
  }
}
