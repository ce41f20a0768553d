package import EventLoops

/// Why a connection closed that nobody here had closed.
package enum CloseReason: Equatable, Sendable {
  /// The peer said that it was done.
  case ended
  /// The connection broke.
  case failed(UVError)
  /// The peer did not read: this many bytes waited for it, over the limit.
  case slow(waitingBytes: Int)
}
