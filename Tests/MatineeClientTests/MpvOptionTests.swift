import FolderTesting
import Foundation
import MatineeClient
import Testing

/// Clients that play with mpv; another program stands in for it.
@Suite(.serialized, .hangLimit) struct MpvOptionTests {
  private func client(
    window: String?, starting program: String
  ) throws(GroupWatchError) -> GroupWatchClient {
    var options = ClientOptions()
    options.playing = .mpv(window: window)
    options.mpvProgram = program
    // Nobody listens on port 1.
    return try GroupWatchClient(
      startingAt: Endpoint(host: "127.0.0.1", port: 1),
      as: Identity(user: UserID("u-Ann"), device: DeviceID("d-Ann"), name: "Ann"),
      options: options)
  }

  /// The arguments that a program gets in place of mpv; it exits at once.
  private func arguments(window: String?) async throws -> [Substring] {
    let folder = try ScratchFolder([
      "script": """
      #!/bin/sh
      printf '%s\\n' "$@" > "${0%/*}/arguments"
      """
    ])
    let program = folder.path(of: "mpv")
    // A file that this process wrote may still be open in a child that another test has just forked,
    // and the kernel does not run such a file.
    let copy = try Process.run(
      URL(filePath: "/usr/bin/install"),
      arguments: ["-m", "700", folder.path(of: "script"), program])
    copy.waitUntilExit()
    let client = try client(window: window, starting: program)
    defer { client.close() }
    await client.player.end.becomes { $0 != nil }
    let text = try String(contentsOfFile: folder.path(of: "arguments"), encoding: .utf8)
    return text.split(separator: "\n")
  }

  @Test func `mpv opens a window with the title that the app gives it`() async throws {
    let arguments = try await arguments(window: "Film night")
    #expect(arguments.contains("--title=Film night") && arguments.contains("--force-window=yes"))
    #expect(!arguments.contains("--vo=null") && !arguments.contains("--ao=null"))
  }

  @Test func `mpv without a window shows nothing and makes no sound`() async throws {
    let arguments = try await arguments(window: nil)
    #expect(arguments.contains("--vo=null") && arguments.contains("--ao=null"))
    #expect(!arguments.contains { $0.hasPrefix("--title") || $0.hasPrefix("--force-window") })
  }

  @Test func `a client whose player cannot start does not begin, and says what to do`() {
    let error = #expect(throws: GroupWatchError.self) {
      try client(window: nil, starting: "/nowhere/mpv")
    }
    #expect(error?.code == .playerUnavailable)
    #expect(error?.message.contains("/nowhere/mpv") == true, "\(error?.message ?? "")")
    #expect(error?.advice == "play with another player")
  }
}
