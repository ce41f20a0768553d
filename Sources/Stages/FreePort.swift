package import EventLoops

/// A port of loopback for a program that does not say which one it takes if it may choose.
///
/// It is none of those that Linux hands out as it comes: between the moment one was found free and
/// the moment the program listens, it may go to somebody else, and everybody would talk with them.
package enum FreePort {
  /// Below `net.ipv4.ip_local_port_range`, which begins at 32768 unless somebody changed it (ip(7)),
  /// and above most services.
  package static let candidates: Range<UInt16> = 20_000..<32_768
  /// How many may be taken before something else must be wrong.
  private static let attempts = 100

  /// Finds one.
  ///
  /// - Parameters:
  ///   - loop: where they are tried.
  ///   - numbers: which ones are tried.
  /// - Throws: why the last one was not free, if a hundred were not.
  package static func find(
    on loop: EventLoop, from numbers: inout some RandomNumberGenerator
  ) throws(EndpointError) -> UInt16 {
    for _ in 1..<attempts {
      let port = UInt16.random(in: candidates, using: &numbers)
      do throws(EndpointError) {
        return try tryOut(port, on: loop)
      } catch {
        continue
      }
    }
    return try tryOut(UInt16.random(in: candidates, using: &numbers), on: loop)
  }

  /// Finds one, any of them.
  package static func find(on loop: EventLoop) throws(EndpointError) -> UInt16 {
    var numbers = SystemRandomNumberGenerator()
    return try find(on: loop, from: &numbers)
  }

  private static func tryOut(
    _ port: UInt16, on loop: EventLoop
  ) throws(EndpointError) -> UInt16 {
    let listener = try TCPListener(host: "127.0.0.1", port: port, on: loop, delegate: Nobody())
    defer { listener.close() }
    return listener.localPort
  }

  private final class Nobody: TCPListenerDelegate {
    func listener(_ listener: TCPListener, didAccept stream: ByteStream) { stream.close() }
    func listener(_ listener: TCPListener, didFail error: UVError) {}
  }
}
