package import EventLoops
package import Scenarios
import Vocabulary

/// A poor network between one client and a server, made of real TCP on this machine.
///
/// Bytes pass in order, each after a delay and some jitter one way; the connections can be cut,
/// and held up. Confined to its loop's thread; it lives, and is held by its listener, until
/// ``close()``.
package final class DelayProxy: TCPListenerDelegate {
  /// What it does to bytes that come in from now on.
  package var conditions: NetworkConditions
  /// Hears what the server says to any client, as it leaves the server.
  package var onServerBytes: ((Span<UInt8>) -> Void)?
  let loop: EventLoop
  private let host: String
  private let port: UInt16
  private var listener: TCPListener?
  private var relays: [Relay] = []
  private var chance: SplitMix64
  private var isCut = false
  /// Until then nothing passes.
  private(set) var heldUntil: HostTime
  private var release: LoopTimer?

  /// Begins to listen on a port of the system's choice.
  ///
  /// - Parameters:
  ///   - host: where the server is.
  ///   - port: where the server is.
  ///   - conditions: what the network does at first.
  ///   - seed: what the jitter comes from.
  ///   - loop: where it lives.
  package init(
    to host: String, _ port: UInt16, _ conditions: NetworkConditions, seed: UInt64,
    on loop: EventLoop
  ) throws(EndpointError) {
    self.loop = loop
    self.host = host
    self.port = port
    self.conditions = conditions
    chance = SplitMix64(seed: seed)
    heldUntil = loop.now
    release = LoopTimer(on: loop) { [unowned self] in
      for relay in relays { relay.resume() }
    }
    listener = try TCPListener(host: "127.0.0.1", port: 0, on: loop, delegate: self)
  }

  /// The port that clients connect to.
  package var localPort: UInt16 { listener?.localPort ?? 0 }

  /// Breaks all connections, and refuses new ones until ``restore()``.
  package func cut() {
    isCut = true
    for relay in relays { relay.close() }
    relays = []
  }

  /// Lets connections through again.
  package func restore() { isCut = false }

  /// Lets nothing through for a while, in either direction, and stops reading meanwhile.
  package func stall(for duration: Duration) {
    heldUntil = max(heldUntil, loop.now + duration)
    for relay in relays { relay.pause() }
    release?.fire(at: heldUntil)
  }

  /// Breaks all connections and stops listening; a second call does nothing.
  package func close() {
    cut()
    onServerBytes = nil
    release?.close()
    release = nil
    listener?.close()
    listener = nil
  }

  /// When bytes that come in now may leave.
  func departure(at now: HostTime) -> HostTime {
    let width = conditions.longest - conditions.shortest
    let extra = width * (Double(chance.next() >> 11) / 9_007_199_254_740_992)
    return max(now, heldUntil) + conditions.shortest + extra
  }

  func forget(_ relay: Relay) { relays.removeAll { $0 === relay } }

  /// A client connected.
  package func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    guard !isCut else { return stream.close() }
    do throws(EndpointError) {
      relays.append(try Relay(stream, to: host, port, by: self))
    } catch {
      stream.close()
    }
  }

  /// A client could not connect; it tries again.
  package func listener(_ listener: TCPListener, didFail error: UVError) {}
}

@available(*, unavailable)
extension DelayProxy: Sendable {}
