import LoopTesting
import MatineeClient
import Participation
import Players
import Testing
import Vocabulary

/// Which file a device opens for a shared item.
@Suite struct OwnCopyTests {
  /// Records the URLs that it is to open.
  private final class OpenedURLs: Player {
    var urls: [String] = []

    func load(_ url: String, startingAt position: MediaTime?) { urls.append(url) }
    func perform(_ command: PlayerCommand) {}
    func unload() {}
    func close() {}
  }

  private func participant(with player: OpenedURLs, on test: TestLoop) -> LoopParticipant {
    LoopParticipant(
      ClientSettings(user: UserID("ann"), device: DeviceID("ann-1"), name: "Ann"),
      at: Endpoint(host: "127.0.0.1", port: 1), on: ClientLoop(on: test.loop), seed: 1,
      delegate: Recorder()
    ) { _ in player }
  }

  @Test func `an own copy is opened for an item of its identifier or its URL, and no other`()
    throws
  {
    try TestLoop.run { test in
      let player = OpenedURLs()
      let participant = participant(with: player, on: test)
      defer { participant.close() }
      participant.setOwnCopy(of: ItemID("film.mp4"), at: "/home/ann/film.mp4")
      participant.order(.load(MediaItem(url: "film.mp4")))
      // Those who use Syncplay share files under other identifiers.
      participant.order(.load(MediaItem(item: ItemID("syncplay:file/film.mp4"), url: "film.mp4")))
      participant.order(.load(MediaItem(url: "other.mp4")))
      #expect(player.urls == ["/home/ann/film.mp4", "/home/ann/film.mp4", "other.mp4"])
    }
  }

  @Test func `a path that others name is opened once it is the person's own copy`() throws {
    try TestLoop.run { test in
      let player = OpenedURLs()
      let participant = participant(with: player, on: test)
      defer { participant.close() }
      participant.opensPathsOfOthers = false
      let paths = ["/home/ann/diary.mp4", "../ann/diary.mp4", "file:///home/ann/diary.mp4", ".."]
      for path in paths { participant.order(.load(MediaItem(url: path))) }
      #expect(player.urls == [])
      let others = ["film.mp4", "HTTPS://films.example/film.mp4", "/disk/film.mp4"]
      participant.setOwnCopy(of: ItemID("/disk/film.mp4"), at: "/disk/film.mp4")
      for url in others { participant.order(.load(MediaItem(url: url))) }
      #expect(player.urls == others)
    }
  }
}
