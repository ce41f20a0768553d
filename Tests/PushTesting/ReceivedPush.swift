/// A request as a push service got it.
package struct ReceivedPush: Equatable, Sendable {
  package var method: String
  package var path: String
  /// Names in lower case.
  package var fields: [String: String]
  package var body: [UInt8]
  /// Whether it came by HTTP/2.
  package var isHTTP2: Bool
  /// Which of the connections, or of a connection's streams, it came by, from 0.
  package var connection: Int
}
