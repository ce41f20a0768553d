internal import CLibuv

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
