package import EventLoops
import Foundation
import Players
package import Scenarios
import Stages
import Vocabulary
import Wire

/// A user with `matinee join` and a headless mpv, in the group of a Syncplay room, behind a
/// simulated network of their own.
///
/// Confined to its loop's thread; it ends with this process.
package final class NativeClientProcess: StagedClient {
  package let name: String
  private let proxy: DelayProxy
  private let directory: PrivateDirectory
  private let program: BoundProgram
  private var keyboard: MpvKeyboard?
  private var search: LoopTimer?

  /// How often it looks for mpv's socket.
  private static let interval = Duration.milliseconds(50)
  private static let socketName = "mpv"

  /// Starts a client.
  ///
  /// - Parameters:
  ///   - settings: the user, the room and the film; password and readiness are ignored.
  ///   - executable: the path of `matinee`.
  ///   - port: the server's port for native clients, on 127.0.0.1.
  ///   - conditions: its network.
  ///   - seed: the seed of the network's jitter.
  ///   - loop: the loop that watches it.
  ///   - onPlayer: called with the path of mpv's socket, once it is known.
  package init(
    _ settings: SyncplayClientSettings, by executable: String, to port: UInt16,
    through conditions: NetworkConditions, seed: UInt64, on loop: EventLoop,
    onPlayer: @escaping (_ socketPath: String) -> Void
  ) throws(SyncplayProgramError) {
    name = settings.name
    do throws(UVError) {
      directory = try PrivateDirectory(prefix: "matinee-native-")
    } catch {
      throw .directory("\(error)")
    }
    do throws(EndpointError) {
      proxy = try DelayProxy(to: "127.0.0.1", [port], conditions, seed: seed, on: loop)
    } catch {
      directory.remove(files: [])
      throw .endpoint(error)
    }
    let arguments = [
      "join", "--server", "127.0.0.1:\(proxy.localPort)", "--group", settings.room,
      "--as", settings.name, "--headless", "--stay",
    ]
    do throws(UVError) {
      program = try BoundProgram(
        executable, arguments + [settings.file].compactMap { $0 }, in: settings.directory,
        // Its player makes its socket in the directory for temporary files.
        variables: ["TMPDIR": directory.path], on: loop, onChange: {})
    } catch {
      proxy.close()
      directory.remove(files: [])
      throw .cannotStart(executable, error)
    }
    // Retained until the player is found, or the client is closed.
    let search = LoopTimer(on: loop) { self.lookForPlayer(on: loop, onPlayer) }
    search.fire(at: loop.now)
    self.search = search
  }

  private func lookForPlayer(on loop: EventLoop, _ onPlayer: (_ socketPath: String) -> Void) {
    guard let place = places.first else {
      search?.fire(at: loop.now + Self.interval)
      return
    }
    search?.close()
    search = nil
    let socketPath = "\(directory.path(of: place))/\(Self.socketName)"
    keyboard = MpvKeyboard(
      socketPath: socketPath, patience: SyncplayClientProcess.patience, on: loop)
    onPlayer(socketPath)
  }

  /// The directories of its players; there is one while a player runs.
  private var places: [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: directory.path)
    } catch {
      return []
    }
  }

  package var words: String { program.words }

  package var hasPlayer: Bool { keyboard?.isConnected == true }

  package var hasEnded: Bool { program.ending != nil }

  package func press(_ key: PlayerKey) { keyboard?.press(key) }

  package func say(_ line: String) { program.say(line) }

  package func cutNetwork() { proxy.cut() }

  package func restoreNetwork() { proxy.restore() }

  package func close() {
    search?.close()
    search = nil
    keyboard?.close()
    program.end { $0.say("quit") }
    proxy.close()
  }

  package func removeFiles() {
    do {
      try FileManager.default.removeItem(atPath: directory.path)
    } catch {
      // The system removes temporary files.
    }
  }
}

@available(*, unavailable)
extension NativeClientProcess: Sendable {}

/// A user on a stage: a client program with an mpv, behind its own simulated network.
package protocol StagedClient: AnyObject {
  /// The name that the others see.
  var name: String { get }
  /// The end of its output.
  var words: String { get }
  /// Whether its mpv is running.
  var hasPlayer: Bool { get }
  /// Whether it has ended.
  var hasEnded: Bool { get }

  /// Presses a key on the player itself; the client has to notice the effect.
  func press(_ key: PlayerKey)
  /// Ends the program; a second call does nothing.
  func close()
  /// Removes its files, once it has ended.
  func removeFiles()
}

extension MpvKeyboard {
  func press(_ key: PlayerKey) {
    switch key {
    case .play: play()
    case .pause: pause()
    case .seek(let position): seek(to: position)
    // Syncplay has no playback rates.
    case .rate: break
    }
  }
}

/// Reads a server's lines to one client, and counts the silences between States.
///
/// Confined to its loop's thread.
final class StateWatch {
  private let loop: EventLoop
  private var splitter = LineSplitter(
    maximumLineBytes: PeerCrowd.lineBytesMaximum, endingWith: .carriageReturnLineFeed)
  private var counted = StateSilences()

  init(on loop: EventLoop) { self.loop = loop }

  /// The silences so far, including one that continues.
  var silences: Int { counted.count(at: loop.now) }

  func take(_ bytes: Span<UInt8>) {
    splitter.split(bytes) { line in
      switch ServerLine(line) {
      // After a new Hello, the next State is due soon.
      case .state, .greeting: counted.noteState(at: loop.now)
      case .other: break
      }
    } onOverlongLine: {
      // An overlong line is no State.
    }
  }

  /// Records that the connection is closed on purpose.
  func noteEnd() {
    counted.noteEnd(at: loop.now)
    splitter = LineSplitter(
      maximumLineBytes: PeerCrowd.lineBytesMaximum, endingWith: .carriageReturnLineFeed)
  }
}

@available(*, unavailable)
extension StateWatch: Sendable {}
