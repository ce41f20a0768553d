import EventLoops
import GroupSessions
import Participation
import Scenarios
import Transports
import Vocabulary
import Wire

/// The client of one person on a loop: the real one, over real TCP, with a player.
final class ClientShell: LineConnectionDelegate {
  private(set) var client: Client
  let player: StagePlayer
  private let endpoint: (host: String, port: UInt16)
  private let connections: FlushList
  private let onUpdate: (Client.Update) -> Void
  private var attempt: ConnectAttempt?
  private var connection: LineConnection?
  private var decoder = ServerLineDecoder(maximumBytes: ClientShell.lineBytesMaximum)
  private var timer: LoopTimer?
  private var inputs: [Client.Input] = []
  private var isHandling = false

  /// A snapshot of a session with some hundred participants.
  static let lineBytesMaximum = 1024 * 1024

  init(
    _ settings: ParticipantSettings, seed: UInt64, to endpoint: (host: String, port: UInt16),
    in connections: FlushList, player: StagePlayer, onUpdate: @escaping (Client.Update) -> Void
  ) {
    client = Client(settings, seed: seed)
    self.endpoint = endpoint
    self.connections = connections
    self.player = player
    self.onUpdate = onUpdate
    timer = LoopTimer(on: connections.loop) { [unowned self] in give(.clockAdvanced) }
  }

  /// Hands an input over and carries out what is asked for; what that brings about comes after it.
  func give(_ input: Client.Input) {
    inputs.append(input)
    guard !isHandling else { return }
    isHandling = true
    while !inputs.isEmpty {
      for output in client.handle(inputs.removeFirst(), at: connections.loop.now) {
        perform(output)
      }
    }
    isHandling = false
    timer?.fire(at: client.nextDeadline)
  }

  func close() {
    give(.close)
    timer?.close()
    timer = nil
    player.close()
  }

  private func perform(_ output: Client.Output) {
    switch output {
    case .connect: connect()
    case .disconnect:
      attempt?.cancel()
      attempt = nil
      connection?.close(after: nil)
      connection = nil
    case .send(let message): connection?.enqueue(SharedBytes(encode(message)))
    case .player(let order): player.carryOut(order)
    case .publish(let update): onUpdate(update)
    }
  }

  private func connect() {
    do throws(EndpointError) {
      attempt = try ConnectAttempt(
        host: endpoint.host, port: endpoint.port, on: connections.loop
      ) { [weak self] result in
        self?.take(result)
      }
    } catch {
      inputs.append(.connectionClosed("\(error)"))
    }
  }

  private func take(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    switch result {
    case .success(let stream):
      do throws(UVError) {
        connection = try LineConnection(
          stream, id: PeerID(slot: 0, generation: 0), in: connections, delegate: self)
        give(.connectionOpened)
      } catch {
        give(.connectionClosed("\(error)"))
      }
    case .failure(let error): give(.connectionClosed("\(error)"))
    }
  }

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    do throws(MalformedLine) {
      give(.received(try decoder.decode(line)))
    } catch {
      // A newer server's word; this client does without.
    }
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {}

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    guard connection === self.connection else { return }
    self.connection = nil
    give(.connectionClosed("\(reason)"))
  }
}

@available(*, unavailable)
extension ClientShell: Sendable {}
