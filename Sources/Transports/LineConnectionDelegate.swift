/// Hears what happens on a ``LineConnection``, on its loop's thread, until it is closed.
///
/// Nothing is ever told from within a call to the connection: `enqueue` never calls back.
package protocol LineConnectionDelegate: AnyObject {
  /// A line arrived, without its ending; the bytes are valid during the call only.
  func connection(_ connection: LineConnection, didReceive line: Span<UInt8>)

  /// A line over the limit was thrown away; the connection goes on, unless it is closed now.
  func connectionDidReceiveOverlongLine(_ connection: LineConnection)

  /// The connection has closed itself; told once, and not after `close()`.
  func connection(_ connection: LineConnection, didClose reason: CloseReason)
}
