package import EventLoops
import Players
package import Scenarios
import Stages
import Vocabulary

/// One person with Debian's `syncplay` and its headless mpv, behind a poor network of their own.
///
/// It asks nothing, reads and keeps nothing of the user's, and ends with this process. Where its
/// player is, is measured from outside, at ``socketPath``. Confined to its loop's thread.
package final class SyncplayClientProcess: StagedClient {
  package let name: String
  /// Where its mpv listens for others, such as a `PlayheadRecorder`; it appears some seconds after
  /// the start.
  package var socketPath: String { files.socketPath }
  /// What lies between it and the server.
  private let proxy: DelayProxy
  private let watch: StateWatch
  private let files: ClientFiles
  private let keyboard: MpvKeyboard
  private let program: BoundProgram

  /// How long its mpv may take to come: a second or two, on a busy machine many.
  package static let patience = Duration.seconds(120)

  /// Starts one.
  ///
  /// - Parameters:
  ///   - settings: who it is, and where it goes.
  ///   - port: the server's, on 127.0.0.1.
  ///   - conditions: its network.
  ///   - seed: what the network's jitter comes from.
  ///   - loop: where it is watched.
  ///   - onChange: called as it writes, and as it ends; not after ``close()``.
  package init(
    _ settings: SyncplayClientSettings, to port: UInt16, through conditions: NetworkConditions,
    seed: UInt64 = 1, on loop: EventLoop, onChange: @escaping () -> Void = {}
  ) throws(SyncplayProgramError) {
    name = settings.name
    do throws(EndpointError) {
      proxy = try DelayProxy(to: "127.0.0.1", port, conditions, seed: seed, on: loop)
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

  /// So that what it prints comes at once, and as UTF-8.
  private static let variables = ["PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"]

  /// Whether its mpv is there.
  package var hasPlayer: Bool { keyboard.isConnected }

  /// What it printed last: its notices, in English.
  package var words: String { program.words }

  /// Whether it is gone.
  package var hasEnded: Bool { program.ending != nil }

  /// How often it heard no State for over two seconds, while it was connected.
  package var silences: Int { watch.silences }

  /// Ends it as somebody does who closes the player, and by force if need be.
  ///
  /// Its files are gone at once, itself some 100 ms later: see ``hasEnded``. A second call does
  /// nothing.
  package func close() {
    program.end {
      // Without its player it would wait for one.
      if keyboard.isConnected { keyboard.quit() } else { $0.kill(.kill) }
    }
    watch.noteEnd()
    proxy.close()
    files.remove()
  }

  /// Does nothing: they are gone already.
  package func removeFiles() {}
}

// MARK: What the person does

extension SyncplayClientProcess {
  /// A key on the player itself; it is up to the client to see that.
  package func press(_ key: PlayerKey) { keyboard.press(key) }

  /// Opens a film in the player, from its beginning.
  package func open(_ path: String) { keyboard.open(path) }

  /// Closes the player, whereupon the client ends.
  package func quitPlayer() { keyboard.quit() }

  /// A line at the client's own console.
  package func say(_ line: String) { program.say(line) }

  /// Says something to the room.
  package func chat(_ text: String) { say("chat \(text)") }

  /// Is ready, if not so before, and the other way round.
  package func toggleReady() { say("toggle") }

  /// Adds a film to the shared playlist.
  package func queue(_ file: String) { say("queue \(file)") }

  /// Chooses a film of the shared playlist.
  ///
  /// - Parameter entry: counted from one.
  package func select(_ entry: Int) { say("select \(entry)") }

  /// Goes to another room.
  package func move(to room: String) { say("room \(room)") }

  /// Makes a managed room of that name, and goes there as its operator.
  package func createManagedRoom(_ name: String) { say("create \(name)") }

  /// Says an operator's password.
  package func identify(with password: String) { say("auth \(password)") }
}

// MARK: What befalls its network

extension SyncplayClientProcess {
  /// Breaks its connection, and lets no other through until ``restoreNetwork()``.
  package func cutNetwork() {
    watch.noteEnd()
    proxy.cut()
  }

  /// Lets connections through again.
  package func restoreNetwork() { proxy.restore() }

  /// Makes its network another.
  package func setNetwork(_ conditions: NetworkConditions) { proxy.conditions = conditions }
}

@available(*, unavailable)
extension SyncplayClientProcess: Sendable {}
