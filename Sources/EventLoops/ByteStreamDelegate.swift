/// Receives the events of a ``ByteStream``, on its loop's thread, and none after its `close()`.
package protocol ByteStreamDelegate: AnyObject {
  /// Bytes arrived. They are valid only during the call, so copy what is needed later.
  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>)

  /// The other side sends no more, but may still read. Nothing more is read after this.
  func byteStreamDidEnd(_ stream: ByteStream)

  /// The kernel has taken everything that was queued.
  func byteStreamDidDrain(_ stream: ByteStream)

  /// The stream failed and has closed itself.
  func byteStream(_ stream: ByteStream, didFail error: StreamError)

  /// What is sent and received is encrypted from here on.
  func byteStreamDidSecure(_ stream: ByteStream)
}

extension ByteStreamDelegate {
  package func byteStreamDidDrain(_ stream: ByteStream) {}
  package func byteStreamDidSecure(_ stream: ByteStream) {}
}
