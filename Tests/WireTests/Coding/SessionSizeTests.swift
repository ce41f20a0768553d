import GroupSessions
import JSON
import Naming
import Testing
import Vocabulary
import Wire
import WireTesting

/// The counted bytes of a session against those of its JSON.
@Suite struct SessionSizeTests {
  private func json(_ session: GroupSession) -> [UInt8] {
    var writer = JSONWriter()
    session.write(to: &writer)
    return writer.bytes
  }

  @Test(arguments: [true, false])
  func `a session takes at most the counted bytes, and at least a third of them`(
    isPlain: Bool
  ) throws {
    for seed: UInt64 in 1...2_000 {
      var random = RandomValues(seed: seed)
      random.isPlain = isPlain
      let session = random.session()
      let (real, counted) = (json(session).count, session.size.total)
      try #require(counted >= real, "seed \(seed)")
      try #require(counted <= 3 * real, "seed \(seed)")
    }
  }

  @Test func `a group takes at most the counted bytes, and at least a third of them`() throws {
    for seed: UInt64 in 1...1_000 {
      var random = RandomValues(seed: seed)
      let group = random.group()
      var writer = JSONWriter()
      group.write(to: &writer)
      let (real, counted) = (writer.bytes.count, group.byteBound)
      try #require(counted >= real, "seed \(seed)")
      try #require(counted <= 3 * real, "seed \(seed)")
    }
  }

  @Test func `a session that is read back counts the same`() throws {
    for seed: UInt64 in 1...500 {
      var random = RandomValues(seed: seed)
      let session = random.session()
      var parser = JSONParser(maximumBytes: 1 << 20)
      let read = try parser.parse(json(session).span) { (object) throws(DecodingFlaw) in
        try GroupSession(decoding: object)
      }
      #expect(read.size == session.size, "seed \(seed)")
    }
  }

  /// Whoever joins gets it: what waits for a peer beyond the bound drops the peer.
  @Test func `the largest session and its beginning fit what may wait for a peer`() {
    let limits = Limits()
    let session = GroupSession.largest()
    #expect(session.size.content > limits.sessionBytes * 9 / 10)
    #expect(session.size.participants > limits.participantBytes * 9 / 10)
    let snapshot = SessionSnapshot(
      session: session, participant: "p-1", at: Instant(microseconds: 1))
    let line = encode(.snapshot(snapshot))
    #expect(line.count < limits.outboundBytes)
    #expect(line.count > limits.outboundBytes / 3)
  }
}
