import Participation
import Testing
import Vocabulary
import Wire

/// An app that knows of another network, or was asleep, and wants the client to try at once.
@Suite struct ReconnectTests {
  private func online() throws -> ParticipantStage {
    var stage = ParticipantStage()
    stage.add("Ann")
    try stage.wait { $0.members[0].participant.isOnline }
    return stage
  }

  private func pings(of stage: ParticipantStage) -> Int {
    stage.members[0].sent.count { if case .ping = $0 { true } else { false } }
  }

  @Test func `a client that waits for its next attempt makes it at once`() throws {
    var stage = try online()
    stage.members[0].isReachable = false
    stage.cut(0)
    stage.run(for: .seconds(60))
    stage.members[0].isReachable = true
    stage.feed(.reconnect, to: 0)
    try stage.wait(atMost: .milliseconds(100)) { $0.members[0].participant.isOnline }
  }

  @Test func `an attempt that fails all the same is made again after the shortest pause`() throws {
    var stage = try online()
    stage.members[0].isReachable = false
    stage.cut(0)
    stage.run(for: .seconds(60))
    stage.feed(.reconnect, to: 0)
    stage.run(for: .milliseconds(20))
    stage.members[0].isReachable = true
    try stage.wait(atMost: .milliseconds(200)) { $0.members[0].participant.isOnline }
  }

  @Test func `a healthy connection is asked, and stays`() throws {
    var stage = try online()
    stage.run(for: .seconds(60))
    let before = pings(of: stage)
    for _ in 0..<3 { stage.feed(.reconnect, to: 0) }
    #expect(pings(of: stage) > before)
    stage.run(for: .seconds(30))
    #expect(stage.hellos(of: 0).count == 1 && stage.members[0].participant.isOnline)
  }

  @Test func `a dead connection is replaced after three seconds, however often it is asked`() throws
  {
    var stage = ParticipantStage()
    for name in ["Ann", "Bob"] { stage.add(name) }
    try stage.gather()
    let me = stage.members[0].participant.participantID
    stage.cut(0, silently: true)
    let began = stage.now
    for _ in 0..<2 {
      stage.feed(.reconnect, to: 0)
      stage.run(for: .seconds(1))
    }
    try stage.wait { !$0.members[0].participant.isOnline }
    #expect((.seconds(2.9)...(.seconds(3.1))).contains(stage.now - began))
    try stage.wait(atMost: .milliseconds(200)) { $0.members[0].participant.isOnline }
    stage.run(for: .seconds(1))
    #expect(stage.members[0].participant.participantID == me)
    #expect(stage.invalidations(of: 0) == [])
  }

  @Test func `an answer to an earlier ping proves nothing`() throws {
    var stage = try online()
    stage.run(for: .seconds(1))
    let sent = stage.members[0].host(stage.now)
    stage.run(for: .milliseconds(1))
    stage.cut(0, silently: true)
    stage.feed(.reconnect, to: 0)
    let old = Pong(sent: sent, heard: stage.instant, answered: stage.instant)
    stage.feed(.received(.pong(old)), to: 0)
    stage.run(for: .seconds(3.5))
    #expect(stage.hellos(of: 0).count == 2)
  }

  @Test func `an app that had no credential is asked again at once`() throws {
    var stage = ParticipantStage(access: try Backend.access())
    stage.add("Ann", backend: .away)
    stage.run(for: .seconds(60))
    stage.members[0].backend = .signing(for: "Ann")
    stage.feed(.reconnect, to: 0)
    try stage.wait(atMost: .milliseconds(200)) { $0.members[0].participant.isOnline }
  }

  @Test func `a client that has not started, or is closed, stays so`() {
    let settings = ClientSettings(user: UserID("ann"), device: DeviceID("ann"), name: "Ann")
    var client = Client(settings, seed: 1)
    let now = HostTime(microseconds: 0)
    #expect(client.handle(.reconnect, at: now) == [])
    _ = client.handle(.close, at: now)
    #expect(client.handle(.reconnect, at: now) == [])
  }
}
