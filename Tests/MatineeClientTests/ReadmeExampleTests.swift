import Foundation
import Testing

// The example begins here.
import MatineeClient

struct WatchFilm: GroupActivity {
  var url: String
  var metadata: GroupActivityMetadata { .init(title: "Friday's film") }
  var media: MediaItem? { .init(url: url) }
}

func watch(_ film: WatchFilm, with me: Identity) async throws {
  let client = try await GroupWatchClient.connect(to: Endpoint(host: "localhost"), as: me)
  try await client.joinGroup(GroupID("friday"))
  if case .activationPreferred = try await film.prepareForActivation(on: client) {
    try await film.activate(on: client)
  }
  for await session in client.sessions(of: WatchFilm.self) {
    // What is staged for later begins when somebody activates it.
    for await state in session.state.values where state != .staged { break }
    do {
      try await session.join()
      try await PlaybackCoordinator(session: session).play()
    } catch {
      print(error)  // It may be over already; the next one comes all the same.
    }
  }
}
// The example ends here.

/// The README's example is compiled: it stands above.
@Suite struct ReadmeExampleTests {
  @Test func `the README shows the example that compiles`() throws {
    let here = URL(filePath: #filePath)
    let root = here.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
    let shown = try #require(
      readme.split(separator: "```swift\n").last?.split(separator: "```").first)
    let compiled = try #require(
      source.split(separator: "// The example begins here.\n").dropFirst().first?
        .split(separator: "// The example ends here.").first)
    #expect(shown == compiled)
  }
}
