package import EventLoops
package import Transports
import Vocabulary
import Wire

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
