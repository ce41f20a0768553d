internal import CLibuv

extension EventLoop {
  /// Does a job that may block on one of libuv's threads, and then something with its result on the
  /// loop's thread.
  ///
  /// The threads are few (four, unless `UV_THREADPOOL_SIZE` says otherwise), and looking up names uses
  /// them, too. Jobs have no bound here, so callers bound theirs.
  package func work<Result: Sendable>(
    _ job: @escaping @Sendable () -> Result, then finish: @escaping (Result) -> Void
  ) {
    preconditionOnLoop()
    let place = Place<Result>()
    let work = Work(
      job: { place.result = job() },
      finish: { if let result = place.result { finish(result) } })
    work.start(on: self)
  }
}

/// Where a job leaves its result.
///
/// Unchecked, because libuv hands it from thread to thread, one after the other.
private final class Place<Result: Sendable>: @unchecked Sendable {
  var result: Result?
}

/// A job under way, which holds itself until it is finished.
@safe private final class Work {
  private let request: UnsafeMutablePointer<uv_work_t> = .allocate(capacity: 1)
  private let job: @Sendable () -> Void
  private let finish: () -> Void

  init(job: @escaping @Sendable () -> Void, finish: @escaping () -> Void) {
    self.job = job
    self.finish = finish
    unsafe request.initialize(to: uv_work_t())
  }

  deinit {
    unsafe request.deallocate()
  }

  func start(on loop: EventLoop) {
    unsafe request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    // The call fails only without a job.
    unsafe uv_queue_work(
      loop.raw, request,
      { request in
        guard let data = unsafe request?.pointee.data else { return }
        unsafe Unmanaged<Work>.fromOpaque(data).takeUnretainedValue().job()
      },
      { request, _ in
        guard let data = unsafe request?.pointee.data else { return }
        unsafe Unmanaged<Work>.fromOpaque(data).takeRetainedValue().finish()
      })
  }
}

@available(*, unavailable)
extension Work: Sendable {}
