/// Hears what happens on a ``ByteStream``, always on its loop's thread, never after its `close()`.
package protocol ByteStreamDelegate: AnyObject {
  /// Bytes arrived; they are valid during the call only, so what is needed later is copied.
  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>)

  /// The other side will send no more; it may still read. Nothing more is read after this.
  func byteStreamDidEnd(_ stream: ByteStream)

  /// All that could not be written at once has now left for the kernel.
  func byteStreamDidDrain(_ stream: ByteStream)

  /// The stream broke and has closed itself.
  func byteStream(_ stream: ByteStream, didFail error: UVError)
}
