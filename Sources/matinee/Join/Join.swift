import ArgumentParser
import EventLoops
import Foundation
import InAppMessaging
import MatineeClient
import Participation
import Players
import Scenarios
import Server
import Vocabulary

/// `matinee join`: one person with a player, in a group.
struct Join: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join a group and watch along.",
    usage: "matinee join [<options>] --group <name> --as <name> [<file|url>]",
    discussion: """
      Joins the group, shows who is here and what happens, and plays what the group plays. With a \
      FILE or URL it starts watching that as soon as somebody else is there; without one it waits \
      for what others start. Your player's own keys steer the group; so do verbs, typed or piped \
      in, one a line. Return alone shows where things stand; help lists the verbs.

      Two people who each have the file need not have it in the same place: what counts is its \
      name, and each plays their own copy.

      For scripts there are two verbs more. `expect CONDITION [within DURATION]` holds up what stands \
      behind it until that is so, and ends with 2 if it is not so in time; the conditions are those \
      of scenarios, such as joined, playing, beyond 1:30 or participants Ann Ben. `wait DURATION` \
      holds it up for so long.

      Exit codes: 0 left, 1 the server or the group sent you away, 2 what was expected was not seen, \
      64 wrong usage, 69 the player cannot be started, or the input ended before the server was \
      reached.
      """)

  enum PlayerKind: String, CaseIterable, ExpressibleByArgument {
    case mpv, simulated
  }

  @Option(help: ArgumentHelp("The server's address.", valueName: "host:port"))
  var server = "127.0.0.1:7878"

  @Option(
    help: ArgumentHelp("The group to join; it opens with its first member.", valueName: "name"))
  var group: String

  @Option(name: .customLong("as"), help: ArgumentHelp("Your name.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("What plays: mpv, or one that shows nothing.", valueName: "player"))
  var player = PlayerKind.mpv

  @Flag(help: "Let mpv open no window and make no sound.")
  var headless = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much later than the player says your sound comes out, such as over Bluetooth.",
      valueName: "ms"))
  var offset = 0.0

  @Flag(help: "Join what others start only when you accept its invitation.")
  var ask = false

  @Flag(help: "Stay when the input ends, instead of leaving.")
  var stay = false

  @Argument(help: ArgumentHelp("What to watch.", valueName: "file|url"))
  var media: String?

  func validate() throws {
    _ = try settings()
    _ = try endpoint()
    let longest = Limits().identifierBytes
    guard !group.isEmpty, group.utf8.count <= longest else {
      throw ValidationError("--group takes a name of 1 to \(longest) bytes")
    }
  }

  private func endpoint() throws -> Endpoint {
    guard let endpoint = Endpoint(server) else {
      throw ValidationError("--server takes host:port, such as 127.0.0.1:7878, not \(server)")
    }
    return endpoint
  }

  func run() throws {
    ProcessSettings.ignoreBrokenPipes()
    let settings = try settings()
    let endpoint = try endpoint()
    let loop = try EventLoop()
    defer { loop.close() }
    let console = JoinConsole(
      name: name, group: group, watching: media, stays: stay, asks: ask, on: loop)
    do throws(PlayerStartError) {
      try console.start(settings, at: endpoint, player: player, headless: isHeadless)
    } catch {
      throw complaint("\(error)", 69)
    }
    let sources = try [Signal.interrupt, .terminate].map { signal in
      try SignalSource(signal, on: loop) { console.quit() }
    }
    loop.run()
    for source in sources { source.close() }
    if let problem = console.connectProblem { throw complaint(problem, 69) }
    if let disappointment = console.disappointment { throw complaint(disappointment, 2) }
    if console.wasSentAway { throw ExitCode(1) }
  }

  private func settings() throws -> ClientSettings {
    let longest = Limits().titleBytes
    guard !name.isEmpty, name.utf8.count <= longest else {
      throw ValidationError("--as takes a name of 1 to \(longest) bytes")
    }
    guard abs(offset) <= 5_000 else {
      throw ValidationError("--offset takes at most 5000 ms either way, not \(offset)")
    }
    // One person may join from several places, so each start is a device of its own.
    let device = "\(name.prefix(16))-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    var settings = ClientSettings(
      user: UserID(String(name.prefix(32))), device: DeviceID(device), name: name)
    settings.playerOffset = .microseconds(Int64(offset * 1000))
    settings.platform = InAppMessaging.PlatformState(
      width: 720, height: 400, supportedOrientations: [.landscape])
    settings.mediaEvent = InAppMessageOptions.defaultMediaEvent
    settings.app = "matinee"
    settings.appVersion = MatineeVersion.number
    // People bring files of their own, and try things on one machine.
    settings.presenter.mediaURLs.allowsFiles = true
    settings.presenter.mediaURLs.allowsDevelopment = true
    settings.presenter.drainPolicy = .onSlotFree
    return settings
  }

  /// Without a display there is no window to open.
  private var isHeadless: Bool {
    let environment = ProcessInfo.processInfo.environment
    return headless || (environment["DISPLAY"] == nil && environment["WAYLAND_DISPLAY"] == nil)
  }
}
