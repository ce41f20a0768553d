/// What has gone over the connections of one list.
package struct Traffic: Equatable, Sendable {
  /// Bytes that arrived.
  package var bytesReceived = 0
  /// Whole lines that arrived, without overlong ones.
  package var linesReceived = 0
  /// Bytes handed to the stream, whether or not the kernel has taken all of them yet.
  package var bytesSent = 0
  /// Messages handed to the stream.
  package var messagesSent = 0
  /// Droppable messages that a slow peer did not get.
  package var messagesDropped = 0

  /// Nothing yet.
  package init() {}

  mutating func countSent(bytes: Int, messages: Int) {
    bytesSent += bytes
    messagesSent += messages
  }
}
