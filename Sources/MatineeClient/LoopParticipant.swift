package import EventLoops
import GroupSessions
package import Participation
package import Players
package import TLS
package import Transports
import UserNotifications
package import Vocabulary
package import Wire

/// One client on a loop: executes the outputs of a ``Participation/Participant`` and feeds it
/// inputs.
///
/// Confined to its loop's thread. It stays alive, and holds its delegate and its player, until
/// ``close()``.
package final class LoopParticipant {
  /// The client's state, readable at any time.
  package private(set) var value: Client
  /// The server's address.
  package let endpoint: Endpoint
  /// This device's own copies of items, which are opened instead of the session's URLs.
  ///
  /// A copy is found by the item or by its URL, because those who use another kind of client may
  /// share the same file name under an identifier of their own.
  package private(set) var ownCopies: [ItemID: String] = [:]
  /// Whether the player opens a path that others name, and nobody on this device.
  ///
  /// With `false` it opens addresses, names of files in this process's folder, and own copies: else
  /// others could find out which files are here.
  package var opensPathsOfOthers = true
  /// The number of received lines that could not be decoded, sent by a newer or faulty server.
  package private(set) var malformedLines = 0
  /// The player; `nil` if the client has none.
  package private(set) var player: (any Player)?
  private var hasLostPlayer = false
  /// The player's last reported state, also while one person watches alone.
  package private(set) var playerState = PlayerState()
  private let client: ClientLoop
  private let trust: TLSTrust?
  private var delegate: (any LoopParticipantDelegate)?
  private var attempt: ConnectAttempt?
  private var connection: LineConnection?
  /// The server's address while it has said nothing there; a name may have others.
  private var silentAddress: String?
  private var timer: LoopTimer?
  private var item: ItemID?
  /// When the wall clock was last read.
  private var clockRead: HostTime?
  private var inputs: [Client.Input] = []
  private var isHandling = false

  /// Makes a client that is not connecting yet; call ``start()``.
  ///
  /// - Parameters:
  ///   - settings: the client's identity and options.
  ///   - endpoint: the server's address.
  ///   - trust: which servers may answer there; `nil` does not encrypt.
  ///   - client: the loop that the client runs on.
  ///   - seed: the seed for the jitter of its back-off; different for each client.
  ///   - delegate: receives the client's updates, and is held until ``close()``.
  ///   - makePlayer: makes the player, if the client has one; receives the player's delegate.
  package init(
    _ settings: ClientSettings, at endpoint: Endpoint, under trust: TLSTrust? = nil,
    on client: ClientLoop, seed: UInt64,
    delegate: any LoopParticipantDelegate,
    makePlayer: ((any PlayerDelegate) -> (any Player)?)? = nil
  ) {
    var settings = settings
    settings.host = endpoint.host
    value = Client(settings, seed: seed)
    self.endpoint = endpoint
    self.trust = trust
    self.client = client
    self.delegate = delegate
    timer = LoopTimer(on: client.loop) { [weak self] in
      self?.readWallClock()
      self?.take(.clockAdvanced)
    }
    player = makePlayer?(self)
  }

  /// Starts to connect, and keeps trying until ``close()``.
  package func start() {
    readWallClock()
    take(.start)
  }

  /// Sends a request; its single outcome is published with the tag.
  package func ask(_ request: Request, tag: Client.Tag) {
    take(.ask(request, tag))
  }

  /// Sets this device's own copy of an item, which is opened at once if the item could not be played.
  package func setOwnCopy(of item: ItemID, at url: String) {
    ownCopies[item] = url
    take(.ownCopyNamed(of: item))
  }

  /// Leaves everything and ends; the delegate receives the last outcomes before this returns.
  ///
  /// The call is idempotent.
  package func close() {
    guard delegate != nil else { return }
    take(.close)
    timer?.close()
    timer = nil
    player?.close()
    player = nil
    delegate = nil
  }

  /// Handles an input, and executes the outputs before this returns.
  ///
  /// An input that arrives while another one is being handled is handled right after it.
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

  /// Updates the client's clock when the wall clock was adjusted or the UTC offset changed.
  ///
  /// It reads the clock at most every 10 s and ignores steps below 1 s, because people do not
  /// notice either.
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
        host: endpoint.host, port: endpoint.port, avoiding: silentAddress, under: trust,
        on: client.loop
      ) { [weak self] result in self?.finishAttempt(result) }
    } catch {
      take(.connectionClosed("\(error)"))
    }
  }

  private func finishAttempt(_ result: Result<ByteStream, EndpointError>) {
    attempt = nil
    do throws(EndpointError) {
      let stream = try result.get()
      silentAddress = stream.peerAddress
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
    // It hangs in the handshake of TLS.
    if let address = attempt?.address { silentAddress = address }
    attempt?.cancel()
    attempt = nil
    connection?.close(after: nil)
    connection = nil
  }

  /// Sends an order to the player directly, bypassing the client, for a person who watches alone.
  package func order(_ order: Client.PlayerOrder) {
    carryOut(order)
    switch order {
    case .load, .unload: take(.openedAlone)
    case .carryOut: break
    }
  }

  /// Takes note that the app attached a player, or another one, or detached it.
  package func notePlayer(isAttached: Bool) {
    playerState.open()
    take(.playerAttached(isAttached))
  }

  private func carryOut(_ order: Client.PlayerOrder) {
    switch order {
    case .load(let media, let position):
      item = media.item
      playerState.open()
      let copy = ownCopies[media.item] ?? ownCopies[ItemID(media.url)]
      guard copy != nil || opensPathsOfOthers || !media.isElsewhere else {
        player?.unload()
        return failItem("\(media.url) is opened only if you name it yourself")
      }
      player?.load(copy ?? media.url, startingAt: position)
      if hasLostPlayer { failItem("the player is gone") }
    case .unload:
      item = nil
      playerState.open()
      player?.unload()
    case .carryOut(let command): player?.perform(command)
    }
  }
}

extension LoopParticipant: LineConnectionDelegate {
  /// Decodes a line and handles its message; a malformed line is counted and skipped.
  ///
  /// If a skipped line was an event, the gap in the sequence numbers reveals it, and the client
  /// fetches what it missed.
  package func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    silentAddress = nil
    let message: ServerMessage
    do throws(MalformedLine) {
      message = try client.decoder.decode(line)
    } catch {
      malformedLines += 1
      return
    }
    take(.received(message))
  }

  /// Counts and skips the line, like one that cannot be decoded.
  package func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    malformedLines += 1
  }

  /// Tells the client, which reconnects.
  package func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    guard self.connection === connection else { return }
    self.connection = nil
    take(.connectionClosed(reason.text))
  }
}

extension LoopParticipant: PlayerDelegate {
  /// Forwards the player's events for the item that it was last told to open.
  package func player(_ player: any Player, didSend event: PlayerEvent, at moment: HostTime) {
    guard let item else { return }
    playerState.note(event)
    take(.player(event, of: item))
  }

  /// Reports the open item as failed, because the player is gone.
  package func player(_ player: any Player, didClose reason: PlayerCloseReason) {
    self.player = nil
    hasLostPlayer = true
    failItem("the player is gone")
    delegate?.participant(self, didLosePlayer: reason)
  }

  /// Reports the open item as failed, so that nothing waits for the player.
  private func failItem(_ reason: String) {
    if let item { take(.player(.failed(reason: reason), of: item)) }
  }
}

extension MediaItem {
  /// Whether it is a file that need not lie in this process's folder.
  fileprivate var isElsewhere: Bool {
    let isAddress = ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
    return !isAddress && (url.contains("/") || [".", ".."].contains(url))
  }
}

@available(*, unavailable)
extension LoopParticipant: Sendable {}

extension CloseReason {
  /// The reason as text for people.
  fileprivate var text: String {
    switch self {
    case .ended: "the server closed the connection"
    case .failed(let error): "the connection broke: \(error)"
    case .slow(let bytes): "the server does not read: \(bytes) bytes wait"
    }
  }
}

extension ClientMessage {
  /// Whether the message may be dropped when the server does not read.
  fileprivate var isDroppable: Bool {
    switch self {
    case .report, .droppable: true
    case .hello, .ping, .request, .answerInvitation: false
    }
  }
}

/// Receives the updates of a ``LoopParticipant`` on its loop's thread.
package protocol LoopParticipantDelegate: AnyObject {
  /// An update for the app; called in order, and never from within another call.
  func participant(
    _ participant: LoopParticipant, didPublish update: Client.Update)

  /// The player is gone; the session continues without it.
  func participant(_ participant: LoopParticipant, didLosePlayer reason: PlayerCloseReason)
}

/// The resources that the clients of one loop share: the list of connections to flush, and a
/// decoder.
///
/// Confined to its loop's thread; one loop serves any number of clients.
package final class ClientLoop {
  /// The loop on which its clients run.
  package let loop: EventLoop
  /// The clients' connections, which are flushed at the end of each loop iteration.
  package let connections: FlushList
  var decoder: ServerLineDecoder

  /// 8 MiB: enough for a snapshot of a session with 5,000 participants.
  private static let lineBytesMaximum = 8 * 1024 * 1024

  /// Prepares a loop for clients.
  package init(on loop: EventLoop) {
    self.loop = loop
    connections = FlushList(
      on: loop, limits: ConnectionLimits(lineBytesMaximum: Self.lineBytesMaximum))
    decoder = ServerLineDecoder(maximumBytes: Self.lineBytesMaximum)
  }
}

@available(*, unavailable)
extension ClientLoop: Sendable {}
