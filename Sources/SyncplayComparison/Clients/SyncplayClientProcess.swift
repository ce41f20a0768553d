package import EventLoops
import Foundation
import Players
package import Scenarios
import Stages

/// A user with Debian's `syncplay` and a headless mpv, behind a simulated network of their own.
///
/// It asks no questions, neither reads nor writes the user's own files, and ends with this process.
/// Its player's position is measured from outside, at ``socketPath``. Confined to its loop's
/// thread.
package final class SyncplayClientProcess: StagedClient {
  package let name: String
  /// The path of its mpv's socket for others, such as a `PlayheadRecorder`; it appears some seconds
  /// after the start.
  package var socketPath: String { files.socketPath }
  /// The simulated network between it and the server.
  private let proxy: DelayProxy
  private let watch: StateWatch
  private let files: ClientFiles
  private let keyboard: MpvKeyboard
  private let program: BoundProgram

  /// The longest time for its mpv to start: usually a second or two, on a busy machine many.
  package static let patience = Duration.seconds(120)

  /// Starts a client.
  ///
  /// - Parameters:
  ///   - settings: the user, the room and the film.
  ///   - port: the server's port, on 127.0.0.1.
  ///   - conditions: its network.
  ///   - seed: the seed of the network's jitter.
  ///   - loop: the loop that watches it.
  ///   - onChange: called when it writes and when it ends; not after ``close()``.
  package init(
    _ settings: SyncplayClientSettings, to port: UInt16, through conditions: NetworkConditions,
    seed: UInt64 = 1, on loop: EventLoop, onChange: @escaping () -> Void = {}
  ) throws(SyncplayProgramError) {
    name = settings.name
    do throws(EndpointError) {
      proxy = try DelayProxy(to: "127.0.0.1", [port], conditions, seed: seed, on: loop)
    } catch {
      throw .endpoint(error)
    }
    let watch = StateWatch(on: loop)
    self.watch = watch
    proxy.onServerBytes = { watch.take($0) }
    do throws(SyncplayProgramError) {
      files = try ClientFiles(for: settings, host: "127.0.0.1", port: proxy.localPort)
    } catch {
      proxy.close()
      throw error
    }
    do throws(UVError) {
      program = try BoundProgram(
        "syncplay", ["--no-gui", "--no-store"] + [settings.file].compactMap { $0 },
        in: settings.directory,
        variables: files.variables.merging(Self.variables) { $1 }, on: loop, onChange: onChange)
    } catch {
      proxy.close()
      files.remove()
      throw .cannotStart("syncplay", error)
    }
    keyboard = MpvKeyboard(socketPath: files.socketPath, patience: Self.patience, on: loop)
  }

  /// Makes it print without buffering, and in UTF-8.
  private static let variables = ["PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"]

  /// Whether its mpv is running.
  package var hasPlayer: Bool { keyboard.isConnected }

  /// The end of its output: its notices, in English.
  package var words: String { program.words }

  /// Whether it has ended.
  package var hasEnded: Bool { program.ending != nil }

  /// How often it received no State for over two seconds, while it was connected.
  package var silences: Int { watch.silences }

  /// Ends it by closing its player, or by a signal if it has none.
  ///
  /// Its files are removed at once; the process ends some 100 ms later: see ``hasEnded``. A second
  /// call does nothing.
  package func close() {
    program.end {
      // A client without a player would wait for one.
      if keyboard.isConnected { keyboard.quit() } else { $0.kill(.kill) }
    }
    watch.noteEnd()
    proxy.close()
    files.remove()
  }

  /// Does nothing, because ``close()`` removes the files.
  package func removeFiles() {}
}

// MARK: Actions of the user

extension SyncplayClientProcess {
  /// Presses a key on the player itself; the client has to notice the effect.
  package func press(_ key: PlayerKey) { keyboard.press(key) }

  /// Opens a film in the player, from its start.
  package func open(_ path: String) { keyboard.open(path) }

  /// Closes the player; the client then ends.
  package func quitPlayer() { keyboard.quit() }

  /// Enters a line at the client's own console.
  package func say(_ line: String) { program.say(line) }

  /// Sends a chat message to the room.
  package func chat(_ text: String) { say("chat \(text)") }

  /// Toggles the user's readiness.
  package func toggleReady() { say("toggle") }

  /// Adds a film to the shared playlist.
  package func queue(_ file: String) { say("queue \(file)") }

  /// Selects a film of the shared playlist.
  ///
  /// - Parameter entry: the entry's number, counted from one.
  package func select(_ entry: Int) { say("select \(entry)") }

  /// Moves to another room.
  package func move(to room: String) { say("room \(room)") }

  /// Makes a managed room of that name, and moves there as its operator.
  package func createManagedRoom(_ name: String) { say("create \(name)") }

  /// Sends an operator's password.
  package func identify(with password: String) { say("auth \(password)") }
}

// MARK: Simulated network

extension SyncplayClientProcess {
  /// Breaks its connection, and blocks new ones until ``restoreNetwork()``.
  package func cutNetwork() {
    watch.noteEnd()
    proxy.cut()
  }

  /// Allows connections again.
  package func restoreNetwork() { proxy.restore() }
}

@available(*, unavailable)
extension SyncplayClientProcess: Sendable {}

/// The files of a Syncplay client, in a private directory: its configuration, a script that starts
/// its mpv, and mpv's socket.
struct ClientFiles {
  private let directory: PrivateDirectory

  private static let configurationName = "syncplay.ini"
  /// The client recognizes its player by the program's name.
  private static let playerName = "mpv"
  private static let socketName = "player"
  /// The module that tells the client where its authorities are.
  private static let authoritiesName = "certifi.py"

  init(
    for settings: SyncplayClientSettings, host: String, port: UInt16
  ) throws(SyncplayProgramError) {
    do throws(UVError) {
      directory = try PrivateDirectory(prefix: "matinee-syncplay-")
    } catch {
      throw .directory("\(error)")
    }
    let configuration = settings.configuration(
      host: host, port: port, playerPath: playerPath, socketPath: socketPath)
    // The client does not bind its player, which would survive when the client is killed.
    let player = "#!/bin/sh\n\(BoundProgram.binding) mpv \"$@\"\n"
    try write(configuration, to: Self.configurationName, permissions: 0o600)
    try write(player, to: Self.playerName, permissions: 0o700)
    if let authorities = settings.authorities {
      let module = "def where(): return \(pythonLiteral(authorities))\n"
      try write(module, to: Self.authoritiesName, permissions: 0o600)
    }
  }

  /// The path of its mpv's socket for others.
  var socketPath: String { directory.path(of: Self.socketName) }

  private var playerPath: String { directory.path(of: Self.playerName) }

  /// Environment variables that keep it away from the files of the user's own client, and let it
  /// find the module with its authorities.
  var variables: [String: String] {
    [
      "HOME": directory.path, "XDG_CONFIG_HOME": directory.path, "PYTHONPATH": directory.path,
      "PYTHONDONTWRITEBYTECODE": "1",
    ]
  }

  func remove() {
    directory.remove(files: [
      Self.configurationName, Self.playerName, Self.socketName, Self.authoritiesName,
    ])
  }

  private func write(
    _ text: String, to name: String, permissions: Int
  ) throws(SyncplayProgramError) {
    let isWritten = FileManager.default.createFile(
      atPath: directory.path(of: name), contents: Data(text.utf8),
      attributes: [.posixPermissions: permissions])
    guard isWritten else {
      remove()
      throw .directory("\(name) cannot be written")
    }
  }
}

/// The settings with which a Syncplay client is started.
package struct SyncplayClientSettings: Equatable, Sendable {
  /// The name that the others see.
  package var name: String
  package var room: String
  /// The server's password, if it has one.
  package var password: String?
  /// The film that it opens at the start, by its name in ``directory``; `nil` opens none.
  package var file: String?
  /// Its working directory, which contains its films and those of a shared playlist.
  package var directory: String
  /// Whether the user is ready from the start.
  package var isReady: Bool
  /// The PEM file of the authorities that the client trusts; `nil` for its own.
  package var authorities: String?

  /// The settings of a user in a room.
  package init(
    name: String, room: String = "friday", password: String? = nil, file: String? = nil,
    directory: String, isReady: Bool = true, authorities: String? = nil
  ) {
    self.name = name
    self.room = room
    self.password = password
    self.file = file
    self.directory = directory
    self.isReady = isReady
    self.authorities = authorities
  }

  /// The client's configuration: no questions, no updates, and mpv without video and audio output.
  ///
  /// All settings for following others have their defaults, except that "play" always plays; by
  /// default it means "I am ready" while another user is not.
  func configuration(host: String, port: UInt16, playerPath: String, socketPath: String) -> String {
    let arguments = [
      "--config=no", "--vo=null", "--ao=null", "--ytdl=no", "--input-ipc-server=\(socketPath)",
    ]
    let options: [(String, [(String, String)])] = [
      ("server_data", [("host", host), ("port", "\(port)"), ("password", password ?? "")]),
      (
        "client_settings",
        [
          ("name", name), ("room", room), ("playerPath", playerPath),
          ("perPlayerArguments", "{\(pythonLiteral(playerPath)): \(literal(arguments))}"),
          ("mediaSearchDirectories", literal([directory])),
          ("forceGuiPrompt", "False"), ("readyAtStart", isReady ? "True" : "False"),
          ("unpauseAction", "Always"), ("autoplayInitialState", "False"),
          ("sharedPlaylistEnabled", "True"),
        ]
      ),
      ("general", [("language", "en"), ("checkForUpdatesAutomatically", "False")]),
    ]
    return options.map { section, values in
      // A percent sign would refer to another value.
      "[\(section)]\n"
        + values.map { "\($0) = \($1.replacing("%", with: "%%"))\n" }.joined()
    }.joined(separator: "\n")
  }

  /// A list of texts as a Python literal.
  private func literal(_ texts: [String]) -> String {
    "[\(texts.map(pythonLiteral).joined(separator: ", "))]"
  }
}

private func pythonLiteral(_ text: String) -> String {
  "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
}
