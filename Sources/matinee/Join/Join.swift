import ArgumentParser
import EventLoops
import Foundation
import MatineeClient
import PushTransports
import Server

/// `matinee join`: one person with a player joins a group.
struct Join: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join a group and watch along.",
    usage: "matinee join [<options>] --group <name> --as <name> [<file|url>]",
    discussion: """
      Joins the group, shows who is here and what happens, and plays what the group plays. With a \
      FILE or URL it starts watching that as soon as somebody else is there; without one it waits \
      for what others start. Your player's own keys steer the group; so do verbs, typed or piped \
      in, one a line. Return alone shows where things stand; help lists the verbs.

      Two people who each have the file need not have it in the same place: what counts is its \
      name, and each plays their own copy. Others are told a file's name, size and length, never its \
      path; --privacy hash tells them only enough to compare name and size with those of their own \
      copy, as Syncplay's clients do, and --privacy none only the length.

      Two verbs are for scripts. `expect CONDITION [within DURATION]` waits for a condition before the \
      next line, and exits with 2 on timeout; the conditions are those of scenarios, such as joined, \
      playing, beyond 1:30 or participants Ann Ben. `wait DURATION` waits for that long.

      Exit codes: 0 left, 1 the server or the group sent you away, 2 what was expected was not seen, \
      64 wrong usage, 66 no token in the file, 69 the player cannot be started, or the input ended \
      before the server was reached.
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

  @Option(
    help: ArgumentHelp(
      "The file with your token (JWT), for a server that asks who you are.",
      discussion: """
        It is read again whenever the server wants a new one. You are the person that the token \
        names, whatever --as says.
        """, valueName: "file"))
  var tokenFile: String?

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

  @Option(
    help: ArgumentHelp(
      "What others are told of your files: name (with the size), hash (of both), or none.",
      valueName: "mode"))
  var privacy = FilePrivacy.name

  @Flag(help: "Join what others start only when you accept its invitation.")
  var ask = false

  @Flag(help: "Stay when the input ends, instead of leaving.")
  var stay = false

  @Argument(help: ArgumentHelp("What to watch.", valueName: "file|url"))
  var media: String?

  func validate() throws {
    _ = try endpoint()
    let (names, titles) = (Limits().identifierBytes, Limits().titleBytes)
    guard !group.isEmpty, group.utf8.count <= names else {
      throw ValidationError("--group takes a name of 1 to \(names) bytes")
    }
    guard !name.isEmpty, name.utf8.count <= titles else {
      throw ValidationError("--as takes a name of 1 to \(titles) bytes")
    }
    guard abs(offset) <= 5_000 else {
      throw ValidationError("--offset takes at most 5000 ms either way, not \(offset)")
    }
  }

  private func endpoint() throws -> Endpoint {
    guard let endpoint = Endpoint(server) else {
      throw ValidationError("--server takes host:port, such as 127.0.0.1:7878, not \(server)")
    }
    return endpoint
  }

  @MainActor
  func run() async throws {
    ProcessSettings.ignoreBrokenPipes()
    let terminal = try TerminalInput()
    let endpoint = try endpoint()
    let identity = try identity()
    let client: GroupWatchClient
    do throws(GroupWatchError) {
      client = try GroupWatchClient(startingAt: endpoint, as: identity, options: options)
    } catch {
      throw complaint(error.message, 69)
    }
    let console = JoinConsole(
      client, terminal,
      .init(
        group: GroupID(group), name: name, media: media, privacy: privacy, stays: stay,
        asks: ask))
    switch await console.run() {
    case .left: break
    case .sentAway: throw ExitCode(1)
    case .disappointed(let text): throw complaint(text, 2)
    case .unreachable(let why): throw complaint(why, 69)
    }
  }

  /// Each start is a device of its own, because one person can join from several terminals.
  private func identity() throws -> Identity {
    let device = "\(name.prefix(16))-\(String(UInt32.random(in: .min ... .max), radix: 36))"
    let user: UserID?
    do throws(KeyFileError) { user = try tokenFile.map(TokenFile.init)?.user } catch {
      throw complaint("\(error)", 66)
    }
    return Identity(
      user: user ?? UserID(String(name.prefix(32))), device: DeviceID(device), name: name)
  }

  private var options: ClientOptions {
    var options = ClientOptions()
    options.playing =
      switch player {
      case .simulated: .simulated
      case .mpv: .mpv(window: isHeadless ? nil : "Matinee: \(group)")
      }
    if let tokenFile { options.credential = { try TokenFile(tokenFile).text } }
    options.playerOffset = .microseconds(Int64(offset * 1000))
    options.inAppMessages.app = "matinee"
    options.inAppMessages.appVersion = MatineeVersion.number
    // Local files and plain `http` are allowed, because people bring files and test on one machine.
    options.inAppMessages.allowsFileMedia = true
    options.inAppMessages.allowsDevelopmentMedia = true
    options.inAppMessages.drainPolicy = .onSlotFree
    return options
  }

  /// Whether mpv runs without a window; always so without a display.
  private var isHeadless: Bool {
    let environment = ProcessInfo.processInfo.environment
    return headless || (environment["DISPLAY"] == nil && environment["WAYLAND_DISPLAY"] == nil)
  }
}
