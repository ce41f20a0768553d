import EventLoops
import LoopTesting
import Testing

@Suite struct LoopSharesTests {
  @Test func `who has used up the allowance is read from later, and others at once`() throws {
    try TestLoop.run { test in
      let shares = shares(on: test)
      let (busy, atBusy) = try pair(on: test, shares, of: 1)
      let (calm, atCalm) = try pair(on: test, shares, of: 2)
      try busy.write(SharedBytes("1"))
      try test.run { atBusy.text == "1" }
      try busy.write(SharedBytes("2"))
      try calm.write(SharedBytes("a"))
      try test.run { atCalm.text == "a" }
      #expect(atBusy.text == "1")
      #expect(shares.restCount == 2)
      shares.close()
      try test.run { atBusy.text == "12" }
    }
  }

  @Test func `who rests is read from again when the allowance is back`() throws {
    try TestLoop.run { test in
      let shares = shares(on: test, refilledIn: .milliseconds(50))
      let (busy, atBusy) = try pair(on: test, shares, of: 1)
      for number in 1...3 {
        try busy.write(SharedBytes("\(number)"))
        try test.run { atBusy.text.hasSuffix("\(number)") }
      }
      shares.close()
    }
  }

  @Test func `all streams of a source rest together, those that come later, too`() throws {
    try TestLoop.run { test in
      let shares = shares(on: test)
      let (first, atFirst) = try pair(on: test, shares, of: 1)
      let (second, atSecond) = try pair(on: test, shares, of: 1)
      try first.write(SharedBytes("1"))
      try test.run { atFirst.text == "1" }
      let (third, atThird) = try pair(on: test, shares, of: 1)
      let (other, atOther) = try pair(on: test, shares, of: 2)
      try second.write(SharedBytes("2"))
      try third.write(SharedBytes("3"))
      try other.write(SharedBytes("a"))
      try test.run { atOther.text == "a" }
      #expect(atSecond.text + atThird.text == "")
      shares.close()
      try test.run { atSecond.text == "2" && atThird.text == "3" }
    }
  }

  @Test func `what a source took elsewhere is taken from its allowance`() throws {
    try TestLoop.run { test in
      let shares = LoopShares<Int>(
        on: test.loop, burst: .seconds(60), refilledIn: .seconds(3_600), sources: 10)
      let (first, atFirst) = try pair(on: test, shares, of: 1)
      shares.charge(.seconds(60), to: 1)
      shares.charge(.seconds(60), to: 3)
      #expect(shares.restCount == 1, "the third has no stream")
      try expectRest(of: first, atFirst, until: shares, on: test)
    }
  }

  @Test func `a source keeps resting though all its streams were closed meanwhile`() throws {
    try TestLoop.run { test in
      let shares = shares(on: test)
      let (first, atFirst) = try pair(on: test, shares, of: 1)
      try first.write(SharedBytes("1"))
      try test.run { atFirst.text == "1" }
      atFirst.stream.close()
      let (second, atSecond) = try pair(on: test, shares, of: 1)
      try expectRest(of: second, atSecond, until: shares, on: test)
    }
  }

  /// What a client writes is read after what another source writes later, and only when nobody rests
  /// any more.
  private func expectRest(
    of client: ByteStream, _ atServer: StreamRecorder, until shares: LoopShares<Int>,
    on test: TestLoop
  ) throws {
    let (other, atOther) = try pair(on: test, shares, of: 2)
    try client.write(SharedBytes("1"))
    try other.write(SharedBytes("a"))
    try test.run { atOther.text == "a" }
    #expect(atServer.text == "")
    shares.close()
    try test.run { atServer.text == "1" }
  }

  @Test func `a stream that is resumed while it rests reads later, a paused one not`() throws {
    try TestLoop.run { test in
      let shares = shares(on: test)
      let (resumed, atResumed) = try pair(on: test, shares, of: 1)
      let (paused, atPaused) = try pair(on: test, shares, of: 1)
      try resumed.write(SharedBytes("1"))
      try test.run { atResumed.text == "1" }
      atResumed.stream.pauseReading()
      atResumed.stream.resumeReading()
      atPaused.stream.pauseReading()
      let (other, atOther) = try pair(on: test, shares, of: 2)
      try resumed.write(SharedBytes("2"))
      try paused.write(SharedBytes("3"))
      try other.write(SharedBytes("a"))
      try test.run { atOther.text == "a" }
      #expect(atResumed.text == "1")
      shares.close()
      try test.run { atResumed.text == "12" }
      #expect(atPaused.text == "")
      atPaused.stream.resumeReading()
      try test.run { atPaused.text == "3" }
    }
  }

  @Test func `a stream that rests while bytes are left for its next turn reads them later`() throws
  {
    try TestLoop.run { test in
      let shares = shares(on: test)
      let (client, atServer) = try pair(on: test, shares, of: 1)
      atServer.keepsBytes = false
      atServer.stream.pauseReading()
      let buffer = SharedBytes([UInt8](repeating: 0, count: 64 * 1024))
      for _ in 0..<4 { try client.write(buffer) }
      atServer.stream.resumeReading()
      let (other, atOther) = try pair(on: test, shares, of: 2)
      try test.run { atServer.receivedCount > 0 }
      try other.write(SharedBytes("a"))
      try test.run { atOther.text == "a" }
      #expect(atServer.receivedCount == buffer.count)
      shares.close()
      try test.run { atServer.receivedCount == 4 * buffer.count }
    }
  }

  /// Shares of which any read uses up all; by default, nothing of it comes back during a test.
  private func shares(
    on test: TestLoop, refilledIn span: Duration = .seconds(3_600)
  ) -> LoopShares<Int> {
    LoopShares(on: test.loop, burst: .microseconds(1), refilledIn: span, sources: 10)
  }

  /// A client, and what the server's side of it reads at a source's cost.
  private func pair(
    on test: TestLoop, _ shares: LoopShares<Int>, of source: Int
  ) throws -> (client: ByteStream, atServer: StreamRecorder) {
    let (client, server) = try Acceptor.pair(on: test)
    shares.add(server, from: source)
    return (client, try StreamRecorder(server))
  }
}
