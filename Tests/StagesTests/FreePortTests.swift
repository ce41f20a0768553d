import EventLoops
import LoopTesting
import Stages
import Testing
import Vocabulary

/// One after the other, so that neither listens on the port that the other has found.
@Suite(.serialized) struct FreePortTests {
  @Test func `a port that somebody listens on is passed over`() throws {
    try TestLoop.run { test in
      let seed = UInt64.random(in: .min ... .max)
      var numbers = SplitMix64(seed: seed)
      let first = try FreePort.find(on: test.loop, from: &numbers)
      let listener = try TCPListener(
        host: "127.0.0.1", port: first, on: test.loop, delegate: Acceptor())
      defer { listener.close() }
      numbers = SplitMix64(seed: seed)
      let second = try FreePort.find(on: test.loop, from: &numbers)
      #expect(second != first)
      for port in [first, second] { #expect(FreePort.candidates.contains(port)) }
    }
  }

  @Test func `where none is free, it says what is wrong with the last`() throws {
    try TestLoop.run { test in
      let port = try FreePort.find(on: test.loop)
      var numbers = OneNumber(choosing: port, of: FreePort.candidates)
      let listener = try TCPListener(
        host: "127.0.0.1", port: port, on: test.loop, delegate: Acceptor())
      defer { listener.close() }
      let error = try #require(throws: EndpointError.self) {
        _ = try FreePort.find(on: test.loop, from: &numbers)
      }
      #expect(error.cause.code == .addressInUse)
    }
  }

  /// A generator that always gives the same number, so that the same port is chosen every time.
  private struct OneNumber: RandomNumberGenerator {
    let number: UInt64

    /// Chooses the last number that the standard library maps to the port.
    ///
    /// It multiplies a number of 16 bits by the range's size, takes the high half, and draws again
    /// where the low half is small; with another number it would draw for ever.
    init(choosing port: UInt16, of range: Range<UInt16>) {
      let end = UInt64(port - range.lowerBound + 1) << 16
      number = (end - 1) / UInt64(range.count)
    }

    func next() -> UInt64 { number }
  }
}
