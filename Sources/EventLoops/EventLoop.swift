internal import CLibuv
package import Vocabulary

/// A libuv loop: everything that waits for sockets, timers and other threads waits in here.
///
/// Confined to the thread that made it: all its handles are made, used and closed there, and
/// `run()` is called there. Other threads talk to it through a ``LoopMailbox``. It lives until
/// ``close()``, which must be called once nothing is to be done any more.
@safe package final class EventLoop {
  let raw: UnsafeMutablePointer<uv_loop_t>
  /// The one buffer all streams of this loop read into: a span of it is valid in the callback only.
  let readBuffer: UnsafeMutableRawBufferPointer
  /// Scratch for the pieces of one `writev`.
  let pieces: UnsafeMutableBufferPointer<uv_buf_t>
  /// Requests for writes that could not finish at once, kept for the next ones.
  var spareWrites: [WriteRequest] = []
  /// Done before any stream tells what it read.
  ///
  /// The kernel's own order does not say what came first: a descriptor that it has just told of stands
  /// in front of those that wait since (epoll(7), level-triggered).
  var aheadOfReads: (() -> Void)?
  private let prepare: UnsafeMutablePointer<uv_prepare_t>
  private let check: UnsafeMutablePointer<uv_check_t>
  private let thread = uv_thread_self()
  private var hooks: [(phase: TurnEndPhase, run: () -> Void)] = []
  private(set) var isClosing = false

  /// Large enough that a busy peer costs few calls, small enough to stay in the processor's cache.
  static let readBufferBytes = 64 * 1024
  /// Pieces of one `writev`; the system takes 1024 (`IOV_MAX`), but 256 short lines fill a buffer.
  static let piecesMaximum = 256
  /// Beyond this many, requests for unfinished writes are freed when done.
  static let spareWritesMaximum = 64

  /// Makes a loop for the calling thread.
  ///
  /// - Throws: the system's error if it has no descriptors left for the loop's own three.
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
    startTurnEnds()
  }

  /// Runs until ``stop()``, or until nothing is left that could wake the loop.
  package func run() {
    preconditionOnLoop()
    _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
  }

  /// Makes ``run()`` return at the end of this turn; what was enqueued in it is still written.
  package func stop() {
    preconditionOnLoop()
    unsafe uv_stop(raw)
  }

  /// The time now, read from the clock at each call: read it once per callback and pass it down.
  package var now: HostTime { MonotonicClock.read() }

  /// Does `body` at the end of every turn; it may do so more than once a turn, and with nothing to do.
  ///
  /// A turn ends right after the poll, when all that had arrived was handled, and again before the
  /// loop goes back to sleep, since timers run between the two. Bodies of the first phase run
  /// before those of the next. They go when the loop closes.
  package func atTurnEnd(_ phase: TurnEndPhase, _ body: @escaping () -> Void) {
    preconditionOnLoop()
    let place = hooks.firstIndex { $0.phase > phase } ?? hooks.endIndex
    hooks.insert((phase, body), at: place)
  }

  /// Traps unless called on the loop's thread: a call from elsewhere is a bug of ours.
  package func preconditionOnLoop() {
    precondition(isOnLoop, "called off the loop's thread; post to its LoopMailbox instead")
  }

  /// Closes all handles, waits for their close callbacks, and frees the loop; it cannot run again.
  ///
  /// Nobody hears of it: delegates are dropped before. A second call does nothing.
  package func close() {
    preconditionOnLoop()
    guard !isClosing else { return }
    isClosing = true
    hooks = []
    unsafe uv_walk(raw, { handle, _ in unsafe closeWalked(handle) }, nil)
    while unsafe uv_loop_close(raw) == UV_EBUSY.rawValue {
      _ = unsafe uv_run(raw, UV_RUN_DEFAULT)
      unsafe uv_walk(raw, { handle, _ in unsafe closeWalked(handle) }, nil)
    }
    spareWrites = []
  }

  /// libuv's own references (prepare, check) keep an unclosed loop, so this follows ``close()``.
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
  }
}

@available(*, unavailable)
extension EventLoop: Sendable {}

/// Closes one handle of a closing loop, through its owner so that the owner knows.
private func closeWalked(_ handle: UnsafeMutablePointer<uv_handle_t>?) {
  guard let handle = unsafe handle, unsafe uv_is_closing(handle) == 0 else { return }
  let owner = unsafe owner(of: handle, as: AnyObject.self)
  if let owner = owner as? any LoopHandle {
    owner.close()
  } else {
    unsafe closeHandle(handle)
  }
}

/// When in the end of a turn something is done.
package enum TurnEndPhase: Comparable {
  /// First: settle what the turn's events add up to, such as one transaction for all of them.
  case settle
  /// Last: write what was enqueued meanwhile, one write a peer.
  case write
}

/// A class that owns one libuv handle, so that closing the loop can close it.
protocol LoopHandle: AnyObject {
  /// Closes the handle; a second call does nothing.
  func close()
}

// The life of every handle here: its memory is allocated before `uv_*_init`; libuv then holds one
// reference to the owner in `data`; `uv_close` is called once; the close callback frees the memory
// and lets go of the owner. So an owner outlives its handle, and neither dies inside a callback.

/// Memory for one handle, zeroed.
func allocateHandle<Handle>(_ type: Handle.Type) -> UnsafeMutablePointer<Handle> {
  let size = MemoryLayout<Handle>.size
  let memory = UnsafeMutableRawPointer.allocate(
    byteCount: size, alignment: MemoryLayout<Handle>.alignment)
  unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  return unsafe memory.assumingMemoryBound(to: Handle.self)
}

/// Gives libuv its reference to the owner, to be given back by ``closeHandle(_:)``.
func setOwner<Handle>(_ owner: AnyObject, of handle: UnsafeMutablePointer<Handle>) {
  unsafe asHandle(handle).pointee.data = Unmanaged.passRetained(owner).toOpaque()
}

/// The owner of the handle that a callback was given.
func owner<Owner: AnyObject, Handle>(
  of handle: UnsafeMutablePointer<Handle>?, as type: Owner.Type
) -> Owner? {
  guard let handle = unsafe handle, let data = unsafe asHandle(handle).pointee.data else {
    return nil
  }
  return unsafe Unmanaged<Owner>.fromOpaque(data).takeUnretainedValue()
}

/// Closes a handle; its memory and its owner's reference go in the close callback.
func closeHandle<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
  unsafe uv_close(asHandle(handle)) { handle in
    guard let handle = unsafe handle else { return }
    let data = unsafe handle.pointee.data
    unsafe UnsafeMutableRawPointer(handle).deallocate()
    if let data = unsafe data { unsafe Unmanaged<AnyObject>.fromOpaque(data).release() }
  }
}

/// C's upcast, which Swift's import of the structs lacks.
func asHandle<Handle>(_ handle: UnsafeMutablePointer<Handle>) -> UnsafeMutablePointer<uv_handle_t> {
  unsafe UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self)
}
