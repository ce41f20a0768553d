package import EventLoops
import GroupSessions
package import Participation
package import Players
package import Transports
import UserNotifications
package import Vocabulary
package import Wire

/// One client on a loop: carries the outputs of a ``Participation/Participant`` out, and brings it
/// what happens.
///
/// Confined to its loop's thread. It lives, and holds its delegate and its player, until
/// ``close()``.
package final class LoopParticipant {
  /// The client's state, for a look at it at any time.
  package private(set) var value: Client
  /// Where the server is.
  package let endpoint: Endpoint
  /// Where this device has media of its own: played in place of what the session's URL says.
  package var ownCopies: [ItemID: String] = [:]
  /// Lines that were no message, which a newer or broken server sent.
  package private(set) var malformedLines = 0
  /// What plays; `nil` where the app does so itself.
  package private(set) var player: (any Player)?
  /// What the player said of itself, also of what one person watches alone.
  package private(set) var playerState = PlayerState()
  private let client: ClientLoop
  private var delegate: (any LoopParticipantDelegate)?
  private var attempt: ConnectAttempt?
  private var connection: LineConnection?
  private var timer: LoopTimer?
  private var item: ItemID?
  /// When the clock on the wall was read last.
  private var clockRead: HostTime?
  private var inputs: [Client.Input] = []
  private var isHandling = false

  /// Makes a client that has not begun to connect; ``start()`` begins.
  ///
  /// - Parameters:
  ///   - settings: who it is.
  ///   - endpoint: where the server is.
  ///   - client: the loop it lives on.
  ///   - seed: for the jitter of its back-off; another one for each client.
  ///   - delegate: hears what happens, and is held until ``close()``.
  ///   - makePlayer: makes the player, if there is to be one; it is given its delegate.
  package init(
    _ settings: ClientSettings, at endpoint: Endpoint, on client: ClientLoop, seed: UInt64,
    delegate: any LoopParticipantDelegate,
    makePlayer: ((any PlayerDelegate) -> (any Player)?)? = nil
  ) {
    value = Client(settings, seed: seed)
    self.endpoint = endpoint
    self.client = client
    self.delegate = delegate
    timer = LoopTimer(on: client.loop) { [weak self] in
      self?.readWallClock()
      self?.take(.clockAdvanced)
    }
    player = makePlayer?(self)
  }

  /// Begins to connect, and never gives up until ``close()``.
  package func start() {
    readWallClock()
    take(.start)
  }

  /// Asks for something; its one outcome is published under the tag.
  package func ask(_ request: Request, tag: Client.Tag) {
    take(.ask(request, tag))
  }

  /// Leaves everything and ends; the delegate hears the last outcomes before this returns.
  ///
  /// A second call does nothing.
  package func close() {
    guard delegate != nil else { return }
    take(.close)
    timer?.close()
    timer = nil
    player?.close()
    player = nil
    delegate = nil
  }

  /// Takes an input in; what it leads to is carried out before this returns, unless it comes from
  /// within: then right after what is going on.
  package func take(_ input: Client.Input) {
    inputs.append(input)
    guard !isHandling else { return }
    isHandling = true
    var next = 0
    while next < inputs.count {
      let outputs = value.handle(inputs[next], at: client.loop.now)
      next += 1
      for output in outputs { carryOut(output) }
    }
    inputs.removeAll(keepingCapacity: true)
    isHandling = false
    timer?.fire(at: value.nextDeadline)
  }

  /// Tells the client when the clock on the wall was put right, or the hour changed; people notice
  /// neither a second, nor that it was ten seconds ago.
  private func readWallClock() {
    let now = client.loop.now
    guard clockRead.map({ now - $0 >= .seconds(10) }) != false else { return }
    clockRead = now
    let instant = WallClock.read()
    let clock = DeviceClock(instant, at: now, offset: WallClock.offset(at: instant))
    let known = value.center.clock
    let step = known.instant(at: now) - instant
    guard known.offset != clock.offset || step <= .seconds(-1) || step >= .seconds(1) else {
      return
    }
    take(.center(.clock(clock)))
  }

  private func carryOut(_ output: Client.Output) {
    switch output {
    case .connect: connect()
    case .disconnect: disconnect()
    case .send(let message):
      connection?.enqueue(SharedBytes(encode(message)), droppable: message.isDroppable)
    case .player(let order): carryOut(order)
    case .publish(let update): delegate?.participant(self, didPublish: update)
    }
  }

  private func connect() {
    do throws(EndpointError) {
      attempt = try ConnectAttempt(
        host: endpoint.host, port: endpoint.port, on: client.loop
      ) { [weak self] result in self?.finishAttempt(result) }
    } catch {
      take(.connectionClosed("\(error)"))
    }
  }

  private func finishAttempt(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    do throws(EndpointError) {
      let stream = try result.get()
      do throws(UVError) {
        connection = try LineConnection(
          stream, id: PeerID(slot: 0, generation: 0), in: client.connections, delegate: self)
        take(.connectionOpened)
      } catch {
        take(.connectionClosed("\(error)"))
      }
    } catch {
      take(.connectionClosed("\(error)"))
    }
  }

  private func disconnect() {
    attempt?.cancel()
    attempt = nil
    connection?.close(after: nil)
    connection = nil
  }

  /// Tells the player, past the client: a person who watches alone.
  package func order(_ order: Client.PlayerOrder) {
    carryOut(order)
  }

  private func carryOut(_ order: Client.PlayerOrder) {
    switch order {
    case .load(let media):
      item = media.item
      playerState.open()
      player?.load(ownCopies[media.item] ?? media.url, startingAt: nil)
    case .unload:
      item = nil
      playerState.open()
      player?.unload()
    case .carryOut(let command): player?.perform(command)
    }
  }
}

extension LoopParticipant: LineConnectionDelegate {
  /// Hands a message on; a line that is none is counted and left out.
  ///
  /// If an event was lost with it, the gap in the numbers shows, and is mended.
  package func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    let message: ServerMessage
    do throws(MalformedLine) {
      message = try client.decoder.decode(line)
    } catch {
      malformedLines += 1
      return
    }
    take(.received(message))
  }

  /// Leaves the line out, like one that cannot be read.
  package func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    malformedLines += 1
  }

  /// Tells the client, which will connect again.
  package func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    guard self.connection === connection else { return }
    self.connection = nil
    take(.connectionClosed(reason.text))
  }
}

extension LoopParticipant: PlayerDelegate {
  /// Hands on what the player tells of the item it was last told to open.
  package func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
    guard let item else { return }
    playerState.note(event)
    take(.player(event, of: item))
  }

  /// A player that is gone can play nothing more.
  package func player(_ player: any Player, didClose reason: PlayerCloseReason) {
    self.player = nil
    if let item { take(.player(.failed(reason: "the player is gone"), of: item)) }
    delegate?.participant(self, didLosePlayer: reason)
  }
}

@available(*, unavailable)
extension LoopParticipant: Sendable {}

extension CloseReason {
  /// The reason, for people.
  fileprivate var text: String {
    switch self {
    case .ended: "the server closed the connection"
    case .failed(let error): "the connection broke: \(error)"
    case .slow(let bytes): "the server does not read: \(bytes) bytes wait"
    }
  }
}

extension ClientMessage {
  /// Whether it may be dropped when the server does not read.
  fileprivate var isDroppable: Bool {
    switch self {
    case .report, .droppable: true
    case .hello, .ping, .request, .answerInvitation: false
    }
  }
}

/// Hears what a ``LoopParticipant`` has to tell, on its loop's thread.
package protocol LoopParticipantDelegate: AnyObject {
  /// Something happened that an app wants to know; told in order, never from within a call.
  func participant(
    _ participant: LoopParticipant, didPublish update: Client.Update)

  /// The player is gone; the session goes on without it.
  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason)
}

/// What the clients of one loop share: one list of connections to flush, one decoder.
///
/// Confined to its loop's thread; one loop holds any number of clients.
package final class ClientLoop {
  /// Where everything of its clients happens.
  package let loop: EventLoop
  /// Their connections, each of which writes when the turn ends.
  package let connections: FlushList
  var decoder: ServerLineDecoder

  /// A snapshot of a session of five thousand, with room to spare.
  private static let lineBytesMaximum = 8 * 1024 * 1024

  /// Makes ready for clients on a loop.
  package init(on loop: EventLoop) {
    self.loop = loop
    connections = FlushList(
      on: loop, limits: ConnectionLimits(lineBytesMaximum: Self.lineBytesMaximum))
    decoder = ServerLineDecoder(maximumBytes: Self.lineBytesMaximum)
  }
}

@available(*, unavailable)
extension ClientLoop: Sendable {}
