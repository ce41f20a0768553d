import MatineeClient
import Testing

@testable import Stories

/// Ann and Ben watch a film in a video message.
@MainActor @Suite(.serialized, .hangLimit) struct WatchingTogetherTests {
  private let sintel = MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4")

  /// Runs with the apps of Ann and Ben, whose group is the same.
  private func with(_ body: (FilmNight, FilmNight) async throws -> Void) async throws {
    try await Server.run { server in
      let ann = try await FilmNight.open("Ann", at: server, in: GroupID("friday"))
      defer { ann.close() }
      let ben = try await FilmNight.open("Ben", at: server, in: GroupID("friday"))
      defer { ben.close() }
      for app in [ann, ben] { try await becomesTrue { app.canWatchTogether } }
      try await body(ann, ben)
    }
  }

  @Test func `the film opens for both, a pause is everyone's, and who closes it has left`()
    async throws
  {
    try await with { ann, ben in
      try await ann.watch(sintel)
      #expect(ann.notice == "you watch together")
      for app in [ann, ben] {
        #expect(try await appears { app.video.film } == sintel)
        try await becomesTrue { app.video.viewers == ["Ann", "Ben"] }
        try await becomesTrue { app.video.canPlay && app.video.player.url == sintel.url }
      }
      ann.video.player.play()
      for app in [ann, ben] {
        try await becomesTrue { app.video.player.isPlaying && app.video.player.seconds > 0.3 }
      }
      ann.video.player.pause()
      try await becomesTrue { !ben.video.player.isPlaying }
      try await becomesTrue { ann.video.player.seconds == ben.video.player.seconds }
      #expect(ann.video.player.seconds > 0.3)

      ben.video.player.seek(to: 300)
      try await becomesTrue { ann.video.player.seconds == 300 }

      ben.video.close()
      try await becomesTrue { ben.video.film == nil && ben.video.player.url == nil }
      try await becomesTrue { ann.video.viewers == ["Ann"] }
      ann.video.player.play()
      try await becomesTrue { ann.video.player.isPlaying && ann.video.player.seconds > 300.3 }
      #expect(ann.video.film == sintel && ben.video.player.url == nil)
    }
  }

  @Test func `without the others the same message plays for one person`() async throws {
    try await Server.run { server in
      let ann = try await FilmNight.open("Ann", at: server, in: GroupID("friday"))
      defer { ann.close() }
      try await ann.watch(sintel)
      #expect(ann.notice == "you watch alone" && !ann.canWatchTogether)
      #expect(try await appears { ann.video.film } == sintel)
      try await becomesTrue { ann.video.player.url == sintel.url }
      ann.video.player.play()
      try await becomesTrue { ann.video.player.seconds > 0.1 }
      #expect(ann.video.viewers == [])
      ann.video.close()
      try await becomesTrue { ann.video.film == nil && ann.video.player.url == nil }
    }
  }

  @Test func `an address that is no video opens no empty player, and both are told`() async throws {
    try await with { ann, ben in
      try await ann.watch(MediaItem(title: "A page", url: "https://films.example/page.html"))
      for app in [ann, ben] {
        try await becomesTrue { app.notice == "the player does not open: invalidContent" }
        #expect(app.video.film == nil)
      }
    }
  }
}
