internal import CLibuv

/// Receives what arrives on standard input, on the loop's thread, until it is closed.
package protocol StandardInputDelegate: AnyObject {
  /// Bytes arrived; they are valid only during the call.
  func standardInput(_ input: StandardInput, didRead bytes: Span<UInt8>)

  /// Standard input ended, normally (`nil`) or with an error.
  func standardInput(_ input: StandardInput, didEnd error: StreamError?)
}

/// This process's standard input: a terminal, pipe, socket or file.
///
/// Confined to its loop's thread. It keeps the loop running until it ends or is closed. Make one
/// per process, because two would each receive a part of the input.
@safe package final class StandardInput: ByteStreamDelegate {
  private let loop: EventLoop
  private var delegate: (any StandardInputDelegate)?
  private var stream: ByteStream?

  /// Starts reading.
  ///
  /// - Throws: the system's error, for example if there is no standard input.
  package init(on loop: EventLoop, delegate: any StandardInputDelegate) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    self.delegate = delegate
    switch uv_guess_handle(0) {
    case UV_FILE, UV_UNKNOWN_HANDLE:
      // The system cannot poll a file or a device such as /dev/null, so libuv's thread pool reads
      // it.
      readFile()
    case UV_TTY:
      try start(ByteStream(.terminal(0), on: loop))
    default:
      let stream = try ByteStream(.pipe, on: loop)
      let status = unsafe uv_pipe_open(stream.pipe, 0)
      guard status == 0 else {
        stream.close()
        throw UVError("open", .init(status))
      }
      try start(stream)
    }
  }

  /// Stops reading; a second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    // The delegate may be freed with this reference and call back here, so it is released after the
    // access.
    let dropped = delegate
    delegate = nil
    stream?.close()
    stream = nil
    withExtendedLifetime(dropped) {}
  }

  /// Forwards the bytes.
  package func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    delegate?.standardInput(self, didRead: bytes)
  }

  /// Forwards the end.
  package func byteStreamDidEnd(_ stream: ByteStream) {
    end(nil)
  }

  /// Forwards the error.
  package func byteStream(_ stream: ByteStream, didFail error: StreamError) {
    end(error)
  }

  private func start(_ stream: ByteStream) throws(UVError) {
    self.stream = stream
    do throws(UVError) {
      try stream.start(self)
    } catch {
      stream.close()
      throw error
    }
  }

  private func end(_ error: StreamError?) {
    let delegate = delegate
    close()
    delegate?.standardInput(self, didEnd: error)
  }

  private func readFile() {
    let read = FileRead()
    read.begin(on: loop) { [self] read, count in
      guard let delegate, !loop.isClosing else { return }
      guard count > 0 else {
        return end(count < 0 ? .system(UVError("read", .init(Int32(count)))) : nil)
      }
      unsafe delegate.standardInput(self, didRead: read.bytes(count).span)
      readFile()
    }
  }
}

@available(*, unavailable)
extension StandardInput: Sendable {}

/// One read of standard input by libuv's thread pool, into its own memory.
@safe private final class FileRead {
  private let raw: UnsafeMutablePointer<uv_fs_t> = .allocate(capacity: 1)
  private let memory: UnsafeMutableBufferPointer<UInt8> = .allocate(capacity: 16 * 1024)
  private var completion: ((FileRead, Int) -> Void)?

  init() {
    unsafe raw.initialize(to: uv_fs_t())
    unsafe memory.initialize(repeating: 0)
  }

  deinit {
    unsafe uv_fs_req_cleanup(raw)
    unsafe raw.deallocate()
    unsafe memory.deallocate()
  }

  /// Reads from the current position, then calls `completion` with the count or the error.
  func begin(on loop: EventLoop, completion: @escaping (FileRead, Int) -> Void) {
    self.completion = completion
    unsafe raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
    var piece = unsafe uv_buf_t(
      base: UnsafeMutableRawPointer(memory.baseAddress)?.assumingMemoryBound(to: CChar.self),
      len: memory.count)
    // Offset −1 means the file's own position. The call fails only without a callback.
    unsafe uv_fs_read(loop.raw, raw, 0, &piece, 1, -1) { raw in
      guard let raw = unsafe raw, let data = unsafe raw.pointee.data else { return }
      let read = unsafe Unmanaged<FileRead>.fromOpaque(data).takeRetainedValue()
      let completion = read.completion
      read.completion = nil
      completion?(read, unsafe raw.pointee.result)
    }
  }

  func bytes(_ count: Int) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(rebasing: memory[..<count])
  }
}

@available(*, unavailable)
extension FileRead: Sendable {}
