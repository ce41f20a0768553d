package import EventLoops
package import Participation
package import Vocabulary

/// mpv as a ``Player``: starts it, controls it over its JSON IPC, and ends it with this process.
///
/// mpv receives commands over a socket that it inherits, and quits when that socket ends. So it
/// ends with this process even if the process is killed (measured: 16 ms later). Other programs may
/// control mpv over ``socketPath``; their changes are reported like a person's keys.
package final class MpvPlayer: Player {
  /// Where mpv accepts other connections, such as from a ``PlayheadProbe``.
  ///
  /// The socket appears about 200 ms after the start, and only this user can reach it.
  package var socketPath: String { directory.path(of: Self.socketName) }

  private let loop: EventLoop
  private let directory: PrivateDirectory
  private let program: MpvProgram
  private var connection: MpvConnection?
  private var delegate: (any PlayerDelegate)?
  private var timer: LoopTimer?
  private var dialogue = MpvDialogue()
  private var pending: [MpvDialogue.Output] = []
  private var isCarryingOut = false
  private var hasEnded = false

  private static let socketName = "mpv"

  /// Starts mpv without an item.
  ///
  /// - Parameters:
  ///   - settings: the program and its output.
  ///   - loop: the loop that watches it.
  ///   - delegate: kept until the player is closed.
  package init(
    _ settings: MpvSettings = MpvSettings(), on loop: EventLoop, delegate: any PlayerDelegate
  ) throws(PlayerStartError) {
    self.loop = loop
    self.delegate = delegate
    do throws(UVError) {
      directory = try PrivateDirectory(prefix: "matinee-")
    } catch {
      throw PlayerStartError(executable: settings.executable, cause: error)
    }
    program = MpvProgram(on: loop)
    do throws(UVError) {
      let arguments = settings.arguments(socketPath: directory.path(of: Self.socketName))
      let stream = try program.start(settings.executable, arguments) { reason in self.end(reason) }
      connection = try MpvConnection(stream, delegate: self)
    } catch {
      program.close()
      directory.remove(files: [])
      throw PlayerStartError(executable: settings.executable, cause: error)
    }
    timer = LoopTimer(on: loop) { [weak self] in self?.meetDeadline() }
    carryOut(dialogue.begin(at: loop.now))
  }

  /// See ``Player/load(_:startingAt:)``.
  package func load(_ url: String, startingAt position: MediaTime?) {
    carryOut(dialogue.load(url, startingAt: position, at: loop.now))
  }

  /// See ``Player/perform(_:)``.
  package func perform(_ command: PlayerCommand) {
    carryOut(dialogue.perform(command, at: loop.now))
  }

  /// See ``Player/unload()``.
  package func unload() {
    carryOut(dialogue.unload(at: loop.now))
  }

  /// Ends mpv by closing its connection, and after two seconds by force.
  package func close() {
    guard !hasEnded else { return }
    hasEnded = true
    delegate = nil
    timer?.close()
    connection?.close()
    connection = nil
    program.close()
    directory.remove(files: [Self.socketName])
  }

  private func end(_ reason: PlayerCloseReason) {
    let delegate = delegate
    close()
    delegate?.player(self, didClose: reason)
  }

  private func meetDeadline() {
    let now = loop.now
    guard !dialogue.isHung(at: now) else {
      return end(.failed(reason: "mpv no longer answers; start it again"))
    }
    carryOut(dialogue.advance(to: now))
  }

  /// Carries outputs out in order, even if the delegate calls back and adds more.
  private func carryOut(_ outputs: [MpvDialogue.Output]) {
    pending += outputs
    guard !isCarryingOut, !hasEnded else { return }
    isCarryingOut = true
    var next = 0
    while next < pending.count, !hasEnded {
      switch pending[next] {
      case .send(let id, let command): connection?.send(command, id: id)
      case .tell(let event): delegate?.player(self, didSend: event, at: loop.now)
      }
      next += 1
    }
    pending.removeAll()
    isCarryingOut = false
    if !hasEnded { timer?.fire(at: dialogue.nextDeadline) }
  }
}

extension MpvPlayer: MpvConnectionDelegate {
  func connection(_ connection: MpvConnection, didReceive message: MpvMessage) {
    carryOut(dialogue.handle(message, at: loop.now))
  }

  func connectionDidEnd(_ connection: MpvConnection) {
    // mpv is about to exit, and its exit tells the reason. If it does not exit, it is killed.
    self.connection = nil
    timer?.fire(at: nil)
    program.expectExit()
  }
}

@available(*, unavailable)
extension MpvPlayer: Sendable {}
