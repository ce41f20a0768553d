import EventLoops
import GroupSessions
import MatineeClient
import Scenarios
import Transports
import Vocabulary
import Wire

/// One answer to an invitation by its token, over a separate connection without a hello.
///
/// It acts like a notification whose app does not run.
///
/// Confined to its loop's thread.
final class TokenAnswer: LineConnectionDelegate {
  private let line: SharedBytes
  private let connections: FlushList
  private var attempt: ConnectAttempt?
  private var connection: LineConnection?
  private var decoder = ServerLineDecoder(maximumBytes: lineBytesMaximum)
  /// Called once.
  private var onEnd: ((String?) -> Void)?

  /// The limit for a line from the server, which is an answer or an error.
  private static let lineBytesMaximum = 64 * 1024

  /// Connects and sends the answer.
  ///
  /// - Parameter onEnd: receives the code of why the answer was not accepted; `nil` if it was.
  init(
    _ answer: InvitationAnswer, token: String, to endpoint: Endpoint,
    under security: ConnectionSecurity, in connections: FlushList,
    onEnd: @escaping (String?) -> Void
  ) {
    line = SharedBytes(encode(.answerInvitation(1, token: token, answer)))
    self.connections = connections
    self.onEnd = onEnd
    do {
      attempt = try ConnectAttempt(
        host: endpoint.host, port: endpoint.port, under: security.trust(for: endpoint),
        on: connections.loop
      ) { [weak self] in self?.begin($0) }
    } catch {
      end("timedOut")
    }
  }

  private func begin(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    guard case .success(let stream) = result else { return end("timedOut") }
    do throws(UVError) {
      let connection = try LineConnection(
        stream, id: PeerID(slot: 0, generation: 0), in: connections, delegate: self)
      self.connection = connection
      connection.enqueue(line)
    } catch {
      end("timedOut")
    }
  }

  /// Cancels the answer without calling `onEnd`.
  func close() {
    onEnd = nil
    attempt?.cancel()
    attempt = nil
    connection?.close()
    connection = nil
  }

  private func end(_ failure: String?) {
    let tell = onEnd
    close()
    tell?(failure)
  }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    do throws(MalformedLine) {
      switch try decoder.decode(line) {
      case .answer: end(nil)
      case .error(_, let error), .closing(let error): end(error.code.rawValue)
      default: break
      }
    } catch {
      end("timedOut")
    }
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) { end("timedOut") }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) { end("timedOut") }
}

@available(*, unavailable)
extension TokenAnswer: Sendable {}
