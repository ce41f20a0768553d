internal import CLibuv

/// One write that could not finish at once: libuv's request, and the bytes it points into.
@safe final class WriteRequest {
  let raw: UnsafeMutablePointer<uv_write_t> = .allocate(capacity: 1)
  var bytes: [SharedBytes] = []
  var stream: ByteStream?

  init() {
    unsafe raw.initialize(to: uv_write_t())
  }

  deinit {
    unsafe raw.deallocate()
  }

  /// Gives libuv a reference to this request, to be taken back by ``end(_:)``.
  func begin() -> UnsafeMutablePointer<uv_write_t> {
    unsafe raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
    return unsafe raw
  }

  static func end(_ raw: UnsafeMutablePointer<uv_write_t>?) -> WriteRequest? {
    guard let data = unsafe raw?.pointee.data else { return nil }
    return unsafe Unmanaged<WriteRequest>.fromOpaque(data).takeRetainedValue()
  }

  /// Lets go of the bytes, goes back among the loop's spares, and tells the stream.
  func finish(_ status: Int32) {
    guard let stream else { return }
    self.stream = nil
    bytes = []
    if stream.loop.spareWrites.count < EventLoop.spareWritesMaximum {
      stream.loop.spareWrites.append(self)
    }
    if status < 0 {
      stream.fail(UVError("write", .init(status)))
    } else if stream.queuedBytes == 0 {
      stream.tellDrained()
    }
  }
}

@available(*, unavailable)
extension WriteRequest: Sendable {}
