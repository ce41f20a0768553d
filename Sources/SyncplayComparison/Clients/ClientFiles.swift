import EventLoops
import Foundation

/// What a client of Syncplay's works with, in a directory of its own that nobody else reads: its
/// configuration, what starts its mpv, and where that mpv listens.
struct ClientFiles {
  private let directory: PrivateDirectory

  private static let configurationName = "syncplay.ini"
  /// The client knows its player by the name of the program.
  private static let playerName = "mpv"
  private static let socketName = "player"

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
    // The client starts its player unbound; it would outlive a client that is killed.
    let player = "#!/bin/sh\n\(BoundProgram.binding) mpv \"$@\"\n"
    try write(configuration, to: Self.configurationName, permissions: 0o600)
    try write(player, to: Self.playerName, permissions: 0o700)
  }

  /// Where its mpv listens for others.
  var socketPath: String { directory.path(of: Self.socketName) }

  private var playerPath: String { directory.path(of: Self.playerName) }

  /// What keeps it away from what the user's own client has.
  var variables: [String: String] {
    ["HOME": directory.path, "XDG_CONFIG_HOME": directory.path]
  }

  func remove() {
    directory.remove(files: [Self.configurationName, Self.playerName, Self.socketName])
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
