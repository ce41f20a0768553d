internal import CLibuv
internal import TLS
package import Vocabulary

/// A libuv event loop.
///
/// Confined to the thread that made it: its handles are made, used and closed there, and `run()` is
/// called there. Other threads reach it through a ``LoopMailbox``. It lives until ``close()``,
/// which must be called when the loop is no longer needed.
@safe package final class EventLoop {
  let raw: UnsafeMutablePointer<uv_loop_t>
  /// The buffer into which all streams of this loop read; a span of it is valid only during the
  /// callback.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// Scratch space for the buffers of one `writev`.
  let pieces: UnsafeMutableBufferPointer<uv_buf_t>
  /// Where the streams of this loop encrypt and decrypt; made for the first that does.
  private(set) lazy var tlsBuffers = TLSBuffers()
  /// Write requests kept for reuse.
  var spareWrites: [WriteRequest] = []
  /// Runs before any stream reports what it read.
  ///
  /// The kernel does not report descriptors in the order of their events: one that has just become
  /// ready may precede those that have been ready for longer (epoll(7), level-triggered).
  var aheadOfReads: (() -> Void)?
  private let prepare: UnsafeMutablePointer<uv_prepare_t>
  private let check: UnsafeMutablePointer<uv_check_t>
  private let idle: UnsafeMutablePointer<uv_idle_t>
  private let thread = uv_thread_self()
  private var hooks: [(phase: TurnEndPhase, run: () -> Void)] = []
  /// The streams that have read as much as they may in this turn.
  private var waitingStreams: [ByteStream] = []
  private(set) var isClosing = false

  /// Large enough that a busy peer needs few calls, small enough for the processor's cache.
  static let readBufferBytes = 64 * 1024
  /// Buffers per `writev`.
  ///
  /// The system takes 1024 (`IOV_MAX`), but 256 short lines already fill a send buffer.
  static let piecesMaximum = 256
  /// How many write requests are kept for reuse; further ones are freed.
  static let spareWritesMaximum = 64

  /// Makes a loop for the calling thread.
  ///
  /// - Throws: the system's error if there are no descriptors for the three that a loop needs.
  package init() throws(UVError) {
    unsafe raw = .allocate(capacity: 1)
    let status = unsafe uv_loop_init(raw)
    guard status == 0 else {
      unsafe raw.deallocate()
      throw UVError("loop_init", .init(status))
    }
    unsafe readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 64)
    unsafe pieces = .allocate(capacity: Self.piecesMaximum)
    unsafe prepare = allocateHandle(uv_prepare_t.self)
    unsafe check = allocateHandle(uv_check_t.self)
    unsafe idle = allocateHandle(uv_idle_t.self)
    unsafe uv_idle_init(raw, idle)
    unsafe setOwner(self, of: idle)
    startTurnEnds()
  }

  /// Runs until ``stop()``, or until nothing is left that could wake the loop.
  package func run() {
    preconditionOnLoop()
    _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
  }

  /// Makes ``run()`` return at the end of this turn; messages queued in it are still written.
  package func stop() {
    preconditionOnLoop()
    unsafe uv_stop(raw)
  }

  /// The current time; each access reads the clock.
  ///
  /// Read it once per callback and pass it on.
  package var now: HostTime { MonotonicClock.read() }

  /// Runs `body` at the end of every turn.
  ///
  /// It may run several times per turn, and without any work to do.
  ///
  /// A turn ends directly after the poll, when everything that arrived is handled, and again before
  /// the loop goes to sleep, because timers run between the two. All bodies of the first phase run
  /// before those of the second. They are dropped when the loop closes.
  package func atTurnEnd(_ phase: TurnEndPhase, _ body: @escaping () -> Void) {
    preconditionOnLoop()
    let place = hooks.firstIndex { $0.phase > phase } ?? hooks.endIndex
    hooks.insert((phase, body), at: place)
  }

  /// Makes the next poll return at once, so that a turn's end that has left work comes again soon.
  package func continueSoon() {
    preconditionOnLoop()
    // libuv does not wait while an idle handle is active (uv_backend_timeout).
    unsafe uv_idle_start(idle) { handle in unsafe uv_idle_stop(handle) }
  }

  /// Lets a stream read again in the next turn.
  func readNextTurn(_ stream: ByteStream) { waitingStreams.append(stream) }

  /// Traps on any other thread, because such a call is a bug of ours.
  package func preconditionOnLoop() {
    precondition(isOnLoop, "called off the loop's thread; post to its LoopMailbox instead")
  }

  /// Closes all handles, waits for their close callbacks, and frees the loop, which cannot run
  /// again.
  ///
  /// Delegates are dropped first, so they receive no calls. A second call does nothing.
  package func close() {
    preconditionOnLoop()
    guard !isClosing else { return }
    isClosing = true
    hooks = []
    waitingStreams = []
    unsafe uv_walk(raw, { handle, _ in unsafe closeWalked(handle) }, nil)
    while unsafe uv_loop_close(raw) == UV_EBUSY.rawValue {
      _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
      unsafe uv_walk(raw, { handle, _ in unsafe closeWalked(handle) }, nil)
    }
    spareWrites = []
  }

  /// Runs only after ``close()``, because libuv's references (prepare, check, idle) keep an open loop
  /// alive.
  deinit {
    unsafe raw.deallocate()
    unsafe readBuffer.deallocate()
    unsafe pieces.deallocate()
  }

  private var isOnLoop: Bool { uv_thread_self() == thread }

  private func startTurnEnds() {
    unsafe uv_prepare_init(raw, prepare)
    unsafe setOwner(self, of: prepare)
    unsafe uv_prepare_start(prepare) { handle in
      unsafe owner(of: handle, as: EventLoop.self)?.endTurn()
    }
    unsafe uv_unref(asHandle(prepare))
    unsafe uv_check_init(raw, check)
    unsafe setOwner(self, of: check)
    unsafe uv_check_start(check) { handle in
      unsafe owner(of: handle, as: EventLoop.self)?.endTurn()
    }
    unsafe uv_unref(asHandle(check))
  }

  private func endTurn() {
    for hook in hooks { hook.run() }
    guard !waitingStreams.isEmpty else { return }
    let streams = waitingStreams
    waitingStreams = []
    for stream in streams { stream.beginTurn() }
  }
}

@available(*, unavailable)
extension EventLoop: Sendable {}

/// Closes a handle of a closing loop, through its owner so that the owner knows.
private func closeWalked(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
  guard let handle = unsafe handle, unsafe uv_is_closing(handle) == 0 else { return }
  let owner = unsafe owner(of: handle, as: AnyObject.self)
  if let owner = owner as? any LoopHandle {
    owner.close()
  } else {
    unsafe closeHandle(handle)
  }
}

/// The phases of the end of a turn.
package enum TurnEndPhase: Comparable {
  /// First: combine the turn's work, such as one transaction for all its events.
  case settle
  /// Last: write what the turn queued, with one write per peer.
  case write
}

/// Owns a libuv handle, so that closing the loop can close it.
protocol LoopHandle: AnyObject {
  /// Closes the handle; a second call does nothing.
  func close()
}

// The life cycle of every handle: its memory is allocated before `uv_*_init`. libuv then holds one
// reference to the owner in `data`. `uv_close` is called once, and the close callback frees the
// memory and releases the owner. So an owner outlives its handle, and neither is freed during
// another callback.

/// Zeroed memory for a handle.
func allocateHandle<Handle>(_ type: Handle.Type) -> UnsafeMutablePointer<Handle> {
  let size = MemoryLayout<Handle>.size
  let memory = UnsafeMutableRawPointer.allocate(
    byteCount: size, alignment: MemoryLayout<Handle>.alignment)
  unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  return unsafe memory.assumingMemoryBound(to: Handle.self)
}

/// Gives libuv a reference to the owner; ``closeHandle(_:)`` releases it.
func setOwner<Handle>(_ owner: AnyObject, of handle: UnsafeMutablePointer<Handle>) {
  unsafe asHandle(handle).pointee.data = Unmanaged.passRetained(owner).toOpaque()
}

/// The owner of a handle passed to a callback.
func owner<Owner: AnyObject, Handle>(
  of handle: UnsafeMutablePointer<Handle>?, as type: Owner.Type
) -> Owner? {
  guard let handle = unsafe handle, let data = unsafe asHandle(handle).pointee.data else {
    return nil
  }
  return unsafe Unmanaged<Owner>.fromOpaque(data).takeUnretainedValue()
}

/// Closes a handle; the close callback frees its memory and releases its owner.
func closeHandle<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
  unsafe uv_close(asHandle(handle)) { handle in
    guard let handle = unsafe handle else { return }
    let data = unsafe handle.pointee.data
    unsafe UnsafeMutableRawPointer(handle).deallocate()
    if let data = unsafe data { unsafe Unmanaged<AnyObject>.fromOpaque(data).release() }
  }
}

/// Makes a request that keeps its owner until its callback; ``takeOwner(of:as:)`` frees both.
func makeRequest<Request>(
  _ request: Request, of owner: AnyObject
) -> UnsafeMutablePointer<Request> {
  let memory = UnsafeMutablePointer<Request>.allocate(capacity: 1)
  unsafe memory.initialize(to: request)
  unsafe asRequest(memory).pointee.data = Unmanaged.passRetained(owner).toOpaque()
  return unsafe memory
}

/// Frees a request that is over, and returns its owner.
func takeOwner<Owner: AnyObject, Request>(
  of request: UnsafeMutablePointer<Request>?, as type: Owner.Type
) -> Owner? {
  guard let request = unsafe request else { return nil }
  defer { unsafe request.deallocate() }
  guard let data = unsafe asRequest(request).pointee.data else { return nil }
  return unsafe Unmanaged<Owner>.fromOpaque(data).takeRetainedValue()
}

private func asRequest<Request>(
  _ request: UnsafeMutablePointer<Request>
) -> UnsafeMutablePointer<uv_req_t> {
  unsafe UnsafeMutableRawPointer(request).assumingMemoryBound(to: uv_req_t.self)
}

/// Upcasts a handle as C does; Swift imports the structs as unrelated types.
func asHandle<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> UnsafeMutablePointer<uv_handle_t> {
  unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
}
