import EventLoops
import FolderTesting
import GroupSessions
import LoopTesting
import MatineeClient
import Participation
import Playback
import Players
import ProgramTesting
import Testing
import Vocabulary
import Wire

/// The client library and `matinee join` across a crash of the real server.
@Suite struct ClientCrashTests {
  private static let film = ItemID("film")

  /// Ann, who would restart her session, and Ben, both playing.
  private func watch(_ port: UInt16, on test: TestLoop) throws -> [Watcher] {
    let clients = ClientLoop(on: test.loop)
    let watchers = ["Ann", "Ben"].map { Watcher($0, at: port, on: clients) }
    for watcher in watchers { watcher.participant.ask(.joinGroup(GroupID("room")), tag: 1) }
    try test.run { watchers.allSatisfy { $0.value.eligibility == .eligible } }
    let activity = GroupSessions.GroupActivity(
      type: "watch", payload: JSONText(validated: "null"),
      metadata: GroupActivityMetadata(title: "Film"),
      media: MediaItem(item: Self.film, url: "film.mp4"))
    watchers[0].participant.ask(.activate(Activation(activity)), tag: 2)
    try test.run { watchers.allSatisfy { $0.value.offer != nil } }
    for watcher in watchers {
      guard let id = watcher.value.offer?.session else { continue }
      watcher.participant.ask(.join(id, handoffFrom: nil), tag: 3)
    }
    try test.run { watchers.allSatisfy { $0.item == Self.film } }
    watchers[0].participant.ask(
      .playback(nil, .play(Self.film, rate: nil, immediately: false)), tag: 4)
    try test.run { watchers.allSatisfy { $0.isPlaying } }
    return watchers
  }

  private func kill(_ server: Program, on test: TestLoop) throws {
    server.kill(.kill)
    try test.run { server.hasEnded }
  }

  @Test func `with a journal the session goes on as it is, and nobody's player stops`() throws {
    try TestLoop.run { test in
      let directory = try ScratchFolder()
      let options = ["--journal", directory.journal]
      let (server, port) = try Program.serve(options, on: test)
      let watchers = try watch(port, on: test)
      defer { for watcher in watchers { watcher.participant.close() } }
      let ids = watchers.map(\.value.participantID)
      let session = watchers[0].value.session
      let timeline = watchers[0].timeline
      try kill(server, on: test)
      try test.run { watchers.allSatisfy { !$0.value.isOnline } }
      // Sent while the server is down; must be carried out once.
      watchers[0].participant.ask(.send(nil, JSONText(validated: "\"hello\""), to: .all), tag: 5)
      let (before, since) = (watchers.map(\.position), test.loop.now)
      let (second, _) = try Program.serve(options, port: port, on: test)
      try test.run {
        watchers.allSatisfy { $0.value.isOnline && $0.value.session?.lost.isEmpty == true }
          && watchers[0].outcomes(5).count == 1
      }
      #expect(watchers.map(\.value.session?.id) == [session?.id, session?.id])
      #expect(watchers.map(\.value.participantID) == ids)
      #expect(watchers.flatMap(\.invalidations).isEmpty)
      #expect(watchers[1].timeline == timeline)
      // In step with real time, apart from small corrections between the players, which take longer
      // on a busy machine.
      for (place, watcher) in zip(before, watchers) {
        let place = try #require(place)
        try test.run(lookingEvery: .milliseconds(100)) {
          guard let now = watcher.position else { return false }
          return ((now - place) - (test.loop.now - since)).magnitude < .milliseconds(100)
        }
      }
      guard case .answered? = watchers[0].outcomes(5).first else {
        Issue.record("\(watchers[0].outcomes(5))")
        return
      }
      try test.run { watchers[1].messages == ["\"hello\""] }
      watchers[1].participant.ask(.playback(nil, .pause(Self.film, at: nil)), tag: 6)
      try test.run { watchers.allSatisfy { !$0.isPlaying } }
      #expect(second.ending == nil)
    }
  }

  @Test func `without one the session is over, and whoever began it begins it again`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--journal", "memory"], on: test)
      let watchers = try watch(port, on: test)
      defer { for watcher in watchers { watcher.participant.close() } }
      let session = watchers[0].value.session?.id
      try kill(server, on: test)
      let (second, _) = try Program.serve(["--journal", "memory"], port: port, on: test)
      try test.run {
        watchers.allSatisfy { $0.value.offer != nil && $0.value.offer?.session != session }
      }
      #expect(watchers.map(\.invalidations) == [[.serverRestarted], [.serverRestarted]])
      #expect(second.ending == nil)
    }
  }

  @Test func `join shows that the connection is away and back, and nothing else`() throws {
    try TestLoop.run { test in
      let directory = try ScratchFolder()
      let options = ["--journal", directory.journal]
      let (server, port) = try Program.serve(options, on: test)
      func join(_ name: String, _ more: [String] = []) throws -> Program {
        try Program(
          [
            "join", "--server", "127.0.0.1:\(port)", "--group", "friday", "--as", name, "--player",
            "simulated",
          ] + more, on: test, takesInput: true)
      }
      let ann = try join("Ann", ["film.mp4"])
      try test.run { ann.output.contains("waiting for somebody else") }
      let ben = try join("Ben")
      try test.run {
        ann.output.contains("paused at 0:00.0") && ben.output.contains("paused at 0:00.0")
      }
      try ann.input?.write(SharedBytes("play\n"))
      try test.run { ann.output.contains("playing from") && ben.output.contains("playing from") }
      try kill(server, on: test)
      try test.run {
        ann.output.contains("connection lost") && ben.output.contains("connection lost")
      }
      let (second, _) = try Program.serve(options, port: port, on: test)
      try test.run {
        [ann, ben].allSatisfy { $0.lines.count { $0 == "connected" } == 2 }
      }
      try ben.input?.write(SharedBytes("pause\n"))
      try test.run { ann.output.contains("Ben paused") }
      for program in [ann, ben] {
        #expect(!program.output.contains("is over for you"), "\(program.output)")
        #expect(program.lines.count { $0.hasPrefix("joined; watching") } == 1)
      }
      #expect(second.ending == nil)
    }
  }
}

/// A client whose player only keeps time, and its updates.
private final class Watcher: LoopParticipantDelegate {
  private(set) var updates: [Client.Update] = []
  private var made: LoopParticipant?
  private let loop: EventLoop

  init(_ name: String, at port: UInt16, on clients: ClientLoop) {
    loop = clients.loop
    var settings = ClientSettings(
      user: UserID("u-" + name), device: DeviceID("d-" + name), name: name)
    settings.revivesSessions = true
    let seed = UInt64(name.utf8.count)
    let loop = clients.loop
    made = LoopParticipant(
      settings, at: Endpoint(host: "127.0.0.1", port: port), on: clients, seed: seed,
      delegate: self
    ) { SimulatedPlayerShell(seed: seed, on: loop, delegate: $0) }
    made?.start()
  }

  var participant: LoopParticipant {
    guard let made else { preconditionFailure("it is made with its watcher") }
    return made
  }

  var value: Client { participant.value }

  var item: ItemID? {
    guard let me = value.participantID else { return nil }
    return value.session?.playback.participants[me]?.item
  }

  var timeline: Timeline? { item.flatMap { value.session?.playback.timelines[$0] } }

  var isPlaying: Bool { if case .playing? = timeline?.phase { true } else { false } }

  var position: MediaTime? {
    (participant.player as? SimulatedPlayerShell)?.position(at: loop.now)
  }

  func outcomes(_ tag: Int) -> [Client.Outcome] {
    updates.compactMap { if case .outcome(tag, let outcome) = $0 { outcome } else { nil } }
  }

  private var sessionUpdates: [Client.SessionUpdate] {
    updates.compactMap { if case .session(_, let update) = $0 { update } else { nil } }
  }

  var invalidations: [Client.InvalidationReason] {
    sessionUpdates.compactMap { if case .invalidated(let reason) = $0 { reason } else { nil } }
  }

  var messages: [String] {
    sessionUpdates.compactMap { update in
      if case .message(let text, _, _, _) = update { text.text } else { nil }
    }
  }

  func participant(
    _ participant: LoopParticipant, didPublish update: Client.Update
  ) {
    updates.append(update)
  }

  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason) {}
}

@available(*, unavailable)
extension Watcher: Sendable {}
