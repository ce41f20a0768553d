package import EventLoops
package import Vocabulary

/// Somebody at the keyboard of an mpv, over a connection of their own to its IPC socket.
///
/// What is pressed before the connection stands is carried out then. Whoever else steers that mpv
/// sees it change by itself. Confined to its loop's thread.
package final class MpvKeyboard: MpvConnectionDelegate {
  private var search: PatientConnect?
  private var connection: MpvConnection?
  private var waiting: [MpvCommand] = []
  private var lastID: Int64 = 0

  /// As many keys as somebody presses at a player that does not come.
  private static let waitingMaximum = 100

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - socketPath: mpv's `--input-ipc-server`; it may appear later, within `patience`.
  ///   - patience: how long to try.
  ///   - loop: where it lives.
  package init(socketPath: String, patience: Duration, on loop: EventLoop) {
    search = PatientConnect(to: .socket(path: socketPath), within: patience, on: loop) {
      [weak self] in self?.begin($0)
    }
  }

  /// Whether there is an mpv that hears.
  package var isConnected: Bool { connection != nil }

  /// Plays on.
  package func play() { send(.setFlag(.pause, false)) }

  /// Stands still.
  package func pause() { send(.setFlag(.pause, true)) }

  /// Goes to exactly that place.
  package func seek(to place: MediaTime) { send(.seek(to: place)) }

  /// Opens a file or an address, from its beginning.
  package func open(_ url: String) { send(.load(url: url, startingAt: nil)) }

  /// Ends mpv.
  package func quit() { send(.quit) }

  /// Goes away from the keyboard; mpv plays on.
  ///
  /// A second call does nothing.
  package func close() {
    search?.cancel()
    search = nil
    connection?.close()
    connection = nil
    waiting = []
  }

  private func begin(_ result: Result<ByteStream, EndpointError>) {
    search = nil
    guard case .success(let stream) = result else { return }
    do throws(UVError) {
      connection = try MpvConnection(stream, delegate: self)
    } catch {
      return close()
    }
    let pressed = waiting
    waiting = []
    for command in pressed { send(command) }
  }

  private func send(_ command: MpvCommand) {
    guard let connection else {
      if search != nil, waiting.count < Self.waitingMaximum { waiting.append(command) }
      return
    }
    lastID += 1
    connection.send(command, id: lastID)
  }

  func connection(_ connection: MpvConnection, didReceive message: MpvMessage) {}

  func connectionDidEnd(_ connection: MpvConnection) { close() }
}

@available(*, unavailable)
extension MpvKeyboard: Sendable {}
