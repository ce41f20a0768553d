import EventLoops
import GroupSessions
import Participation
import TLS
import Transports
public import UserNotifications
import Vocabulary
import Wire

extension InvitationDetails {
  /// Accepts the invitation where no client runs, as from a notification of an app that is not open.
  ///
  /// The person joins the session when one of their devices next comes into its group.
  ///
  /// - Parameters:
  ///   - endpoint: the server's address.
  ///   - security: how the connection is protected.
  ///   - patience: how long the answer may take.
  /// - Throws: ``GroupWatchError/Code/invalidToken`` if the invitation has no token; the server's
  ///   error, such as ``GroupWatchError/Code/invitationOver``;
  ///   ``GroupWatchError/Code/timedOut`` if the server cannot be reached or does not answer;
  ///   ``GroupWatchError/Code/cancelled`` if the task is cancelled, whether or not the server was told;
  ///   ``GroupWatchError/Code/invalidSecurity``.
  public func accept(
    at endpoint: Endpoint, under security: ConnectionSecurity = .automatic,
    within patience: Duration = .seconds(10)
  ) async throws(GroupWatchError) {
    try await answer(.accepted, at: endpoint, under: security, within: patience)
  }

  /// Declines the invitation where no client runs.
  ///
  /// - Parameters:
  ///   - endpoint: the server's address.
  ///   - security: how the connection is protected.
  ///   - patience: how long the answer may take.
  /// - Throws: as ``accept(at:under:within:)``.
  public func decline(
    at endpoint: Endpoint, under security: ConnectionSecurity = .automatic,
    within patience: Duration = .seconds(10)
  ) async throws(GroupWatchError) {
    try await answer(.declined, at: endpoint, under: security, within: patience)
  }

  private func answer(
    _ answer: InvitationAnswer, at endpoint: Endpoint, under security: ConnectionSecurity,
    within patience: Duration
  ) async throws(GroupWatchError) {
    let trust = try security.trust(for: endpoint)
    guard let token else {
      throw GroupWatchError(
        .invalidToken, "the invitation has no token",
        advice: "answer it with a client that is connected")
    }
    let line = encode(.answerInvitation(1, token: token, answer))
    let thread: LoopThread<TokenAnswer>
    do throws(UVError) {
      thread = try LoopThread { (loop) throws(UVError) in
        TokenAnswer(line, to: endpoint, under: trust, on: loop)
      }
    } catch {
      throw GroupWatchError(
        .closed, "no thread could be started: \(error)", advice: "close some files or threads")
    }
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOpen = thread.mailbox.post {
          $0.begin(within: patience) { continuation.resume(returning: $0) }
        }
        if !isOpen { continuation.resume(returning: TokenAnswer.cancelled) }
      }
    } onCancel: {
      thread.mailbox.post { $0.cancel() }
    }
    thread.stop()
    // The process may exit as soon as this call returns, and must not exit while the thread cleans
    // up.
    _ = thread.join(within: GroupWatchClient.cleanUp)
    if let failure { throw failure }
  }
}

/// One answer to an invitation by its token, over a connection of its own without a hello.
///
/// Confined to its loop's thread.
private final class TokenAnswer: LineConnectionDelegate {
  private let line: [UInt8]
  private let endpoint: Endpoint
  private let trust: TLSTrust?
  private let connections: FlushList
  private var attempt: ConnectAttempt?
  private var connection: LineConnection?
  private var timer: LoopTimer?
  private var isCancelled = false
  private var decoder = ServerLineDecoder(maximumBytes: lineBytesMaximum)
  /// Called once.
  private var onEnd: ((GroupWatchError?) -> Void)?

  /// The limit for a line from the server, which is an answer or an error.
  private static let lineBytesMaximum = 64 * 1024

  init(_ line: [UInt8], to endpoint: Endpoint, under trust: TLSTrust?, on loop: EventLoop) {
    self.line = line
    self.endpoint = endpoint
    self.trust = trust
    connections = FlushList(on: loop)
  }

  static let cancelled = GroupWatchError(
    .cancelled, "the task that answered was cancelled", advice: "answer again")

  /// Connects and sends the answer.
  ///
  /// - Parameter onEnd: receives why the answer was not accepted; `nil` if it was.
  func begin(within patience: Duration, _ onEnd: @escaping (GroupWatchError?) -> Void) {
    guard !isCancelled else { return onEnd(Self.cancelled) }
    self.onEnd = onEnd
    let timer = LoopTimer(on: connections.loop) { [unowned self] in fail("no answer in time") }
    timer.fire(at: connections.loop.now + patience)
    self.timer = timer
    do throws(EndpointError) {
      attempt = try ConnectAttempt(
        host: endpoint.host, port: endpoint.port, under: trust, on: connections.loop
      ) { [unowned self] in send(over: $0) }
    } catch {
      fail("\(error)")
    }
  }

  /// Gives up, before or after the beginning.
  func cancel() {
    isCancelled = true
    end(Self.cancelled)
  }

  private func send(over result: Result<ByteStream, EndpointError>) {
    attempt = nil
    let stream: ByteStream
    do throws(EndpointError) {
      stream = try result.get()
    } catch {
      return fail("\(error)")
    }
    do throws(UVError) {
      let connection = try LineConnection(
        stream, id: PeerID(slot: 0, generation: 0), in: connections, delegate: self)
      self.connection = connection
      connection.enqueue(SharedBytes(line))
    } catch {
      fail("\(error)")
    }
  }

  private func fail(_ why: String) {
    end(
      GroupWatchError(
        .timedOut, "no answer came from \(endpoint): \(why)",
        advice: "check the address and the server"))
  }

  private func end(_ failure: GroupWatchError?) {
    guard let onEnd else { return }
    self.onEnd = nil
    timer?.close()
    attempt?.cancel()
    connection?.close()
    (timer, attempt, connection) = (nil, nil, nil)
    onEnd(failure)
  }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    do throws(MalformedLine) {
      switch try decoder.decode(line) {
      case .answer: end(nil)
      case .error(_, let error), .closing(let error): end(GroupWatchError(.refused(error)))
      case .unknownError(_, let error): end(GroupWatchError(.refusedUnknown(error)))
      default: break
      }
    } catch {
      fail("\(error)")
    }
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    fail("a line is longer than an answer")
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) { fail("\(reason)") }
}

@available(*, unavailable)
extension TokenAnswer: Sendable {}
