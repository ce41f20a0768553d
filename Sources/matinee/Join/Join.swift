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
    usage: """
      matinee join [<options>] --group <name> --as <name> [<file|url>]
      matinee join [<options>] --as <name> <link>|- [<file|url>]
      """,
    discussion: """
      A LINK, which members pass on, says where the group is and opens it; this device is known \
      there from then on, and needs no link. A dash in its place has the link read from standard \
      input's first line, because other users of the machine can read a command line. A link that \
      opens new groups takes --group, too.

      Joins the group, shows who is here and what happens, and plays what the group plays. With a \
      FILE or URL it starts watching that as soon as somebody else is there; without one it waits \
      for what others start. Your player's own keys steer the group; so do verbs, typed or piped \
      in, one a line. Return alone shows where things stand; help lists the verbs.

      The connection is encrypted, except to a server on this machine or where you say --plaintext. A \
      server is known again by its key: a link with another one is refused.

      Two people who each have the file need not have it in the same place: what counts is its \
      name, and each plays their own copy. Others are told a file's name, size and length, never its \
      path; --privacy hash tells them only enough to compare name and size with those of their own \
      copy, as Syncplay's clients do, and --privacy none only the length.

      Two verbs are for scripts. `expect CONDITION [within DURATION]` waits for a condition before the \
      next line, and exits with 2 on timeout; the conditions are those of scenarios, such as joined, \
      playing, beyond 1:30 or participants Ann Ben. `wait DURATION` waits for that long. If one of \
      the two cannot be read and the input is no terminal, the program exits with 2, too.

      Exit codes: 0 left, 1 the server or the group sent you away, 2 what was expected was not \
      seen or cannot be read, 64 wrong usage, 66 no such file, or no token or credential in it, 69 \
      the player cannot be started or failed, or the input ended before the server was reached.
      """)

  enum PlayerKind: String, CaseIterable, ExpressibleByArgument {
    case mpv, simulated
  }

  @Option(
    help: ArgumentHelp(
      "The server's address, without a link; by default \(GroupPlace.standardServer).",
      valueName: "host:port"))
  var server: String?

  @Option(
    help: ArgumentHelp("The group to join; it opens with its first member.", valueName: "name"))
  var group: String?

  @Option(name: .customLong("as"), help: ArgumentHelp("Your name.", valueName: "name"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "The file with your token (JWT), for a server that asks who you are.",
      discussion: """
        It is read again whenever the server wants a new one. You are the person that the token \
        names, whatever --as says.
        """, valueName: "file"), completion: .file())
  var tokenFile: String?

  @OptionGroup(title: "Encryption")
  var securityArguments: SecurityArguments

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

  @Argument(help: ArgumentHelp("The group's link, or a dash.", valueName: "link"))
  var link: String?

  @Argument(help: ArgumentHelp("What to watch.", valueName: "file|url"))
  var media: String?

  func validate() throws {
    _ = try words()
    try checkOwnName(name, hasToken: tokenFile != nil)
    guard abs(offset) <= 5_000 else {
      throw ValidationError("--offset takes at most 5000 ms either way, not \(offset)")
    }
  }

  @MainActor
  func run() async throws {
    ProcessSettings.ignoreBrokenPipes()
    ProcessSettings.acceptTermination()
    let words = try words()
    // The simulated player plays what is not there, too.
    if player == .mpv, let media = words.media,
      let absence = OwnMedia(media, privacy).absence(as: media)
    {
      throw complaint(absence, 66)
    }
    let terminal = try TerminalInput()
    let place = try await place(words.way, terminal)
    let identity = try identity()
    let security = try security(of: place)
    let credential = try credential(at: place, of: identity.user)
    var options = options(of: place, credential)
    options.security = security.security
    let client: GroupWatchClient
    do throws(GroupWatchError) {
      client = try GroupWatchClient(startingAt: place.endpoint, as: identity, options: options)
    } catch {
      throw complaint(error.message, 69)
    }
    let console = JoinConsole(
      client, terminal,
      .init(
        place: place, security: security, name: name, hasToken: tokenFile != nil,
        media: words.media, privacy: privacy,
        stays: stay, asks: ask, isTyped: isatty(STDIN_FILENO) == 1))
    let ending = await console.run()
    try settle(credential, isTaken: console.wasLetIn, ending, at: place, of: identity.user)
    switch ending {
    case .left: break
    case .sentAway: throw ExitCode(1)
    case .disappointed(let text): throw complaint(text, 2)
    case .unreachable(let why): throw complaint(why, 69)
    case .unplayable(let why): throw complaint(why, 69)
    }
  }

  private func identity() throws -> Identity {
    do throws(KeyFileError) {
      return Identity(atTerminal: name, user: try tokenFile.map(TokenFile.init)?.user)
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  private func security(of place: GroupPlace) throws -> ServerSecurity {
    do throws(KeyFileError) {
      return try securityArguments.security(of: place.endpoint, linked: place.linkedSecurity)
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  private func options(
    of place: GroupPlace, _ credential: OwnCredential.Established?
  ) -> ClientOptions {
    var options = options(titled: "Matinee: \(place.group)")
    if let tokenFile {
      options.credential = { try TokenFile(tokenFile).text }
    } else if let text = credential?.text {
      options.credential = { text }
    }
    return options
  }

  /// What the server knows this device by; a link makes one, and nothing else leaves files behind.
  private func credential(
    at place: GroupPlace, of user: UserID
  ) throws -> OwnCredential.Established? {
    guard tokenFile == nil else { return nil }
    do throws(KeyFileError) {
      guard place.key == nil else {
        return try OwnCredential(at: place.endpoint, of: user).establish()
      }
      return try OwnCredential.known(at: place.endpoint, of: user)?.stored()
        .map { .init(text: $0, isNew: false) }
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  /// Removes a new credential that the server refused.
  private func settle(
    _ credential: OwnCredential.Established?, isTaken: Bool, _ ending: JoinConsole.Ending,
    at place: GroupPlace, of user: UserID
  ) throws {
    guard let credential, credential.isNew else { return }
    do throws(KeyFileError) {
      let own = try OwnCredential(at: place.endpoint, of: user)
      if isTaken {
        try own.keep(credential.text)
      } else if ending == .sentAway {
        try own.forget()
      }
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  private func options(titled title: String) -> ClientOptions {
    var options = ClientOptions()
    options.playing =
      switch player {
      case .simulated: .simulated
      case .mpv: .mpv(window: isHeadless ? nil : title)
      }
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

// MARK: The way to the group

extension Join {
  /// How the group is found.
  fileprivate enum Way {
    case known(GroupPlace)
    /// The link comes on standard input.
    case typed
  }

  /// What the arguments without names are.
  fileprivate func words() throws -> (way: Way, media: String?) {
    guard let first = link, first == "-" || GroupLink.isLink(first) else {
      guard media == nil else {
        throw ValidationError("give one file or URL, behind the link if there is one")
      }
      return (.known(try GroupPlace(server: server, group: group)), link)
    }
    guard server == nil else {
      throw ValidationError("the link names the server; leave --server out")
    }
    guard tokenFile == nil else {
      throw ValidationError("a server takes tokens or keys; give --token-file or a link, not both")
    }
    return (first == "-" ? .typed : .known(try GroupPlace(link: first, group: group)), media)
  }

  /// The place; a link on standard input is its first line.
  @MainActor
  fileprivate func place(_ way: Way, _ terminal: TerminalInput) async throws -> GroupPlace {
    if case .known(let place) = way { return place }
    // Scripts read standard output, and see no prompt.
    if isatty(STDIN_FILENO) == 1 { FileHandle.standardError.write(Data("the group's link: ".utf8)) }
    guard case .line(let line)? = await terminal.next() else {
      throw complaint("no link came on standard input", 64)
    }
    do throws(ValidationError) {
      return try GroupPlace(link: line, group: group)
    } catch {
      throw complaint(error.message, 64)
    }
  }
}
