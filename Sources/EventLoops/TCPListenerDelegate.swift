/// Hears of the connections a ``TCPListener`` accepts, on its loop's thread.
package protocol TCPListenerDelegate: AnyObject {
  /// Somebody connected; the stream reads once it is started, and lives until it is closed.
  func listener(_ listener: TCPListener, didAccept stream: ByteStream)

  /// A connection could not be accepted; the listener goes on.
  ///
  /// ``UVError/Code/tooManyOpenFiles`` comes once the last descriptor is taken: from then on libuv
  /// lets in and hangs up on whoever comes, since otherwise the loop would spin on them, and tells
  /// nobody of each.
  func listener(_ listener: TCPListener, didFail error: UVError)
}
