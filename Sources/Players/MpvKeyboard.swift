package import EventLoops
package import Vocabulary

/// Acts as a person at the keyboard of an mpv, over a separate connection to its IPC socket.
///
/// Keys pressed before the connection exists are sent once it does. Other controllers of that mpv
/// see spontaneous changes. Confined to its loop's thread.
package final class MpvKeyboard: MpvConnectionDelegate {
  private var search: PatientConnect?
  private var connection: MpvConnection?
  private var waiting: [MpvCommand] = []
  private var lastID: Int64 = 0

  /// How many keys are kept until the player is there.
  private static let waitingMaximum = 100

  /// Starts connecting.
  ///
  /// - Parameters:
  ///   - socketPath: mpv's `--input-ipc-server`; it may appear within `patience`.
  ///   - patience: how long to try.
  ///   - loop: the loop of the connection.
  package init(socketPath: String, patience: Duration, on loop: EventLoop) {
    search = PatientConnect(to: .socket(path: socketPath), within: patience, on: loop) {
      [weak self] in self?.begin($0)
    }
  }

  /// Whether it is connected to an mpv.
  package var isConnected: Bool { connection != nil }

  /// Resumes playback.
  package func play() { send(.setFlag(.pause, false)) }

  package func pause() { send(.setFlag(.pause, true)) }

  /// Seeks to exactly this position.
  package func seek(to position: MediaTime) { send(.seek(to: position)) }

  /// Opens a file or URL from its beginning.
  package func open(_ url: String) { send(.load(url: url, startingAt: nil)) }

  package func quit() { send(.quit) }

  /// Closes the connection; mpv continues to play.
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
