internal import CLibuv

/// Watches a descriptor that another library owns, such as a socket of libcurl.
///
/// Confined to its loop's thread. It keeps the loop running while it watches, and lives until
/// ``close()``. Close it before the descriptor is closed, because the system reuses the number.
@safe package final class DescriptorPoll: LoopHandle {
  /// What a descriptor is ready for.
  package struct Events: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    /// Reading returns bytes or the end.
    package static let readable = Self(rawValue: 1)
    /// Writing takes bytes, or a connection has been made.
    package static let writable = Self(rawValue: 2)
    /// The system reports an error, which the descriptor's owner gets from its next call; only
    /// reported, never asked for.
    ///
    /// Nothing is watched any more until ``DescriptorPoll/watch(_:)`` is called.
    package static let failed = Self(rawValue: 4)
  }

  private let loop: EventLoop
  private let handle: UnsafeMutablePointer<uv_poll_t>
  private var action: ((Events) -> Void)?

  /// Watches nothing yet; `action` runs while the descriptor is ready for a watched event, once in
  /// each turn of the loop.
  ///
  /// - Throws: the system's error if the descriptor cannot be watched, because it is closed, a
  ///   file, or watched already.
  package init(
    _ descriptor: Int32, on loop: EventLoop, _ action: @escaping (Events) -> Void
  ) throws(UVError) {
    loop.preconditionOnLoop()
    self.loop = loop
    unsafe handle = allocateHandle(uv_poll_t.self)
    let status = unsafe uv_poll_init(loop.raw, handle, descriptor)
    guard status == 0 else {
      unsafe handle.deallocate()
      throw UVError("poll_init", .init(status))
    }
    self.action = action
    unsafe setOwner(self, of: handle)
  }

  /// Watches for these events in place of the previous ones; for none, it pauses.
  package func watch(_ events: Events) {
    loop.preconditionOnLoop()
    guard action != nil else { return }
    var flags: UInt32 = 0
    if events.contains(.readable) { flags |= UV_READABLE.rawValue }
    if events.contains(.writable) { flags |= UV_WRITABLE.rawValue }
    guard flags != 0 else {
      unsafe uv_poll_stop(handle)
      return
    }
    unsafe uv_poll_start(handle, CInt(flags)) { handle, status, flags in
      unsafe owner(of: handle, as: DescriptorPoll.self)?.report(status, UInt32(flags))
    }
  }

  /// Stops watching permanently and releases the action; a second call does nothing.
  package func close() {
    loop.preconditionOnLoop()
    guard action != nil else { return }
    // Captured objects may be freed with the action and call back here, so it is released after the
    // access.
    let dropped = action
    action = nil
    unsafe closeHandle(handle)
    withExtendedLifetime(dropped) {}
  }

  private func report(_ status: CInt, _ flags: UInt32) {
    guard let action else { return }
    guard status == 0 else { return action(.failed) }
    var events: Events = []
    if flags & UV_READABLE.rawValue != 0 { events.insert(.readable) }
    if flags & UV_WRITABLE.rawValue != 0 { events.insert(.writable) }
    action(events)
  }
}

@available(*, unavailable)
extension DescriptorPoll: Sendable {}
