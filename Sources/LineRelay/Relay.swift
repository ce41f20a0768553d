import EventLoops
import Transports
import Vocabulary

/// Sends every line a peer sends to all peers, itself included, as `bare-relay` does in plain C.
///
/// Confined to its loop's thread.
final class Relay: TCPListenerDelegate, LineConnectionDelegate {
  private let list: FlushList
  private var peers: [LineConnection?] = []
  private var freeSlots: [UInt32] = []

  init(on loop: EventLoop) {
    list = FlushList(on: loop)
  }

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    let slot = freeSlots.popLast() ?? UInt32(peers.count)
    if slot == peers.count { peers.append(nil) }
    do throws(UVError) {
      peers[Int(slot)] = try LineConnection(
        stream, id: PeerID(slot: slot, generation: 0), in: list, delegate: self)
    } catch {
      freeSlots.append(slot)
    }
  }

  /// The listener goes on by itself.
  func listener(_ listener: TCPListener, didFail error: UVError) {}

  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>) {
    let message = SharedBytes(capacity: line.count + 1) { output in
      for index in line.indices { output.append(line[index]) }
      output.append(UInt8(ascii: "\n"))
    }
    for peer in peers { peer?.enqueue(message) }
  }

  func connectionDidReceiveOverlongLine(_ connection: LineConnection) {
    connection.close(after: SharedBytes("line too long\n"))
    forget(connection)
  }

  func connection(_ connection: LineConnection, didClose reason: CloseReason) {
    forget(connection)
  }

  private func forget(_ connection: LineConnection) {
    peers[Int(connection.id.slot)] = nil
    freeSlots.append(connection.id.slot)
  }
}

@available(*, unavailable)
extension Relay: Sendable {}
