/// How much one client may ask at once.
package struct HTTPLimits: Equatable, Sendable {
  /// Bytes of a head, from the method to the empty line: browsers with many cookies send 8 KiB.
  package var headBytes: Int
  /// Fields of a head: browsers send 20.
  package var fields: Int
  /// Bytes of a request's target: the longest link is an invitation of 2 KiB.
  package var targetBytes: Int
  /// Bytes of a body; nothing that is served today takes one.
  package var bodyBytes: Int
  /// Bytes of requests that a client may send ahead of the answers, beyond the one that is read: a
  /// read of a stream.
  package var aheadBytes: Int

  package init(
    headBytes: Int = 16 * 1024, fields: Int = 100, targetBytes: Int = 4 * 1024,
    bodyBytes: Int = 0, aheadBytes: Int = 64 * 1024
  ) {
    self.headBytes = headBytes
    self.fields = fields
    self.targetBytes = targetBytes
    self.bodyBytes = bodyBytes
    self.aheadBytes = aheadBytes
  }

  /// What may wait in a reader.
  var waitingBytes: Int { headBytes + bodyBytes + aheadBytes }
}
