import ClipTesting
import EventLoops
import LoopTesting
import Scenarios
import SyncplayComparison
import Testing
import Vocabulary

/// A stage with Debian's server, and Debian's clients on it.
final class Theatre {
  let stage: SyncplayStage
  let clips: LongClips
  private let test: TestLoop

  /// How long somebody waits before they do the same again.
  private static let insistence = Duration.seconds(10)

  init(_ test: TestLoop, password: String? = nil, salt: String? = nil) throws {
    self.test = test
    clips = try LongClips.shared()
    let stage = try SyncplayStage(.reference(password: password, salt: salt), on: test.loop)
    self.stage = stage
    try test.run { stage.server.isListening || stage.server.hasEnded }
  }

  /// Somebody comes; to wait for, see ``waitForPlayers()``.
  func enter(
    _ name: String, delay: Duration = .milliseconds(5), password: String? = nil,
    hasFilm: Bool = true
  ) throws -> SyncplayClientProcess {
    let settings = SyncplayClientSettings(
      name: name, password: password, file: hasFilm ? clips.names[0] : nil,
      directory: clips.directory)
    return try stage.enter(settings, through: NetworkConditions(delay: delay))
  }

  /// Waits until everybody has the film open, and is seen by the server with it.
  func waitForPlayers() throws {
    for client in stage.clients { try test.run { self.stage.isSettled(client) } }
  }

  /// Waits until a client has printed something.
  func waitForWords(_ words: String, of client: SyncplayClientProcess) throws {
    try test.run { client.words.contains(words) || client.hasEnded }
  }

  /// Does something until it is seen: while this test stands still, so do the networks, and what
  /// was done meanwhile is lost with a connection.
  func insist(_ act: @escaping () -> Void, until condition: @escaping () -> Bool) throws {
    act()
    var timer: LoopTimer?
    timer = LoopTimer(on: test.loop) { [loop = test.loop] in
      act()
      timer?.fire(at: loop.now + Self.insistence)
    }
    timer?.fire(at: test.loop.now + Self.insistence)
    defer {
      timer?.close()
      timer = nil
    }
    do {
      try test.run(until: condition)
    } catch {
      for client in stage.clients { Issue.record("\(client.name): \(client.words.suffix(1500))") }
      throw error
    }
  }

  /// Whether everybody is at least there.
  func areBeyond(_ place: MediaTime, _ clients: SyncplayClientProcess...) -> Bool {
    clients.allSatisfy { stage.place(of: $0).map { $0 >= place } == true }
  }

  /// Whether everybody is still before that.
  func areBefore(_ place: MediaTime, _ clients: SyncplayClientProcess...) -> Bool {
    clients.allSatisfy { stage.place(of: $0).map { $0 < place } == true }
  }
}
