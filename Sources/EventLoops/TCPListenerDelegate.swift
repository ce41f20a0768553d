/// Hears of the connections a ``TCPListener`` accepts, on its loop's thread.
package protocol TCPListenerDelegate: AnyObject {
  /// Somebody connected; the stream reads once it is started, and lives until it is closed.
  func listener(_ listener: TCPListener, didAccept stream: ByteStream)

  /// A connection could not be accepted; the listener goes on.
  ///
  /// With ``UVError/Code/tooManyOpenFiles`` those who wait are let in and hung up on, since
  /// otherwise the loop would spin on them.
  func listener(_ listener: TCPListener, didFail error: UVError)
}
