import EventLoops
import FolderTesting
import GroupSessions
import LoopTesting
import Naming
import Playback
import ProgramTesting
import Testing
import Vocabulary
import Wire

/// A server whose journal has reached its size.
@Suite struct FullJournalTests {
  private func serve(_ path: String, on test: TestLoop) throws -> (server: Program, port: UInt16) {
    try Program.serve(
      ["--journal", "sqlite:\(path)", "--journal-size", "400000", "--eligible-members", "1"],
      on: test)
  }

  private func count(_ part: String, in server: Program) -> Int {
    server.errorOutput.split(separator: "\n").count { $0.contains(part) }
  }

  private func enter(_ name: String, at port: UInt16, on test: TestLoop) throws
    -> (peer: MessagePeer, joining: Result<Answer, ProtocolError>)
  {
    let peer = try MessagePeer(port: port, on: test)
    try peer.say(
      .hello(
        Hello(
          user: UserID(name), device: DeviceID(name), name: name, features: [.sessions])))
    return (peer, try peer.ask(.joinGroup("friday", key: nil), on: test))
  }

  private static let film = GroupActivity(
    type: "watch", payload: JSONText(validated: "null"),
    metadata: GroupActivityMetadata(title: "Film"),
    media: MediaItem(item: "film.mp4", url: "film.mp4"))

  @Test func `it warns, refuses what would grow it, lets people go on, and starts again`() throws {
    try TestLoop.run { test in
      let path = try ScratchFolder().path(of: "journal.sqlite")
      let (server, port) = try serve(path, on: test)
      let (ann, _) = try enter("Ann", at: port, on: test)
      let started = try ann.ask(.activate(Activation(Self.film)), on: test).get()
      guard case .activated(let session, _, _) = started else {
        Issue.record("\(started)")
        return
      }
      _ = try ann.ask(.join(session, handoffFrom: nil), on: test).get()
      _ = try ann.ask(.playback(nil, .transition(to: "film.mp4")), on: test).get()
      let text = JSONText(validated: "\"\(String(repeating: "x", count: 8_000))\"")
      var refusal: ProtocolError?
      for _ in 0..<100 where refusal == nil {
        let sent = try ann.ask(.send(nil, text, to: .all), on: test)
        if case .failure(let error) = sent { refusal = error }
      }
      #expect(refusal?.code == .journalFull && refusal?.limit == 400_000)
      try test.run { count("the journal is full", in: server) == 1 }
      #expect(count("the journal is nearly full", in: server) == 1)
      _ = try ann.ask(.playback(nil, .pause("film.mp4")), on: test).get()

      server.kill(.kill)
      try test.run { server.hasEnded }
      let (next, nextPort) = try serve(path, on: test)
      try test.run { count("the journal is full", in: next) == 1 }
      let (ben, joining) = try enter("Ben", at: nextPort, on: test)
      guard case .failure(let error) = joining else {
        Issue.record("\(joining)")
        return
      }
      #expect(error.code == .journalFull && !ben.hasEnded)
    }
  }
}
