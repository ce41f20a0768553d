package import EventLoops
package import Scenarios
import Vocabulary

/// A poor network between one client and a server, made of real TCP on this machine.
///
/// Bytes pass in order, each after a one-way delay with jitter; the connections can be cut and
/// stalled. Confined to its loop's thread. Its listener keeps it alive until ``close()``.
package final class DelayProxy: TCPListenerDelegate {
  /// The delay and jitter for bytes that arrive from now on.
  package var conditions: NetworkConditions
  /// Receives the server's bytes to any client, undelayed.
  package var onServerBytes: ((Span<UInt8>) -> Void)?
  let loop: EventLoop
  private let host: String
  private let ports: [UInt16]
  private var listener: TCPListener?
  private var relays: [Relay] = []
  private var chance: SplitMix64
  private var isCut = false
  /// Nothing passes before this time.
  private(set) var heldUntil: HostTime
  private var release: LoopTimer?

  /// Starts listening on a port that the system chooses.
  ///
  /// - Parameters:
  ///   - host: the server's host.
  ///   - ports: its port; the next one is for where nobody listens at the one before.
  ///   - conditions: the network's initial conditions.
  ///   - seed: the seed for the jitter.
  ///   - loop: the loop it runs on.
  package init(
    to host: String, _ ports: [UInt16], _ conditions: NetworkConditions, seed: UInt64,
    on loop: EventLoop
  ) throws(EndpointError) {
    self.loop = loop
    self.host = host
    self.ports = ports
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

  /// Closes all connections, and refuses new ones until ``restore()``.
  package func cut() {
    isCut = true
    for relay in relays { relay.close() }
    relays = []
  }

  /// Accepts connections again.
  package func restore() { isCut = false }

  /// Stalls both directions for a while, and stops reading meanwhile.
  package func stall(for duration: Duration) {
    heldUntil = max(heldUntil, loop.now + duration)
    for relay in relays { relay.pause() }
    release?.fire(at: heldUntil)
  }

  /// Closes all connections and stops listening; a second call does nothing.
  package func close() {
    cut()
    onServerBytes = nil
    release?.close()
    release = nil
    listener?.close()
    listener = nil
  }

  /// When bytes that arrive now may leave.
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
      relays.append(try Relay(stream, to: host, ports, by: self))
    } catch {
      stream.close()
    }
  }

  /// Ignores a failed connection, because the client tries again.
  package func listener(_ listener: TCPListener, didFail error: UVError) {}
}

@available(*, unavailable)
extension DelayProxy: Sendable {}
