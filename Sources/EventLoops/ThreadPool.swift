/// A few threads for jobs that may block, such as reads of a disk that may hang.
///
/// Confined to its loop's thread, on which results are handed over. It does not use libuv's
/// threads: name lookups would wait there behind jobs that hang, and so would the end of the loop
/// and of the process.
package final class ThreadPool {
  private let most: Int
  private var threads: [BatchThread<Job>] = []
  /// The places in `threads` of those that have no job.
  private var idle: [Int]
  /// The jobs that no thread has begun; they wait here so that any thread can take them.
  private var waiting: [Job] = []
  /// What hands over the results of the unfinished jobs, by the jobs' numbers.
  private var finishers: [Int: () -> Void] = [:]
  private var nextNumber = 0
  /// Nil once closed.
  private var mailbox: LoopMailbox<ThreadPool>?

  fileprivate struct Job: Sendable {
    let number: Int
    let run: @Sendable () -> Void
  }

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - loop: the loop on which results are handed over; it keeps running until ``close()``.
  ///   - count: how many threads there are.
  ///   - most: how many jobs may be unfinished.
  /// - Throws: the system's error if a thread cannot be started.
  package init(on loop: EventLoop, threads count: Int, jobsAtMost most: Int) throws(UVError) {
    self.most = most
    idle = Array(0..<count)
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    do throws(UVError) {
      for place in 0..<count {
        let thread = try BatchThread<Job>(every: .zero) {
          JobRunner { number in mailbox.post { $0.finish(number, at: place) } }
        }
        threads.append(thread)
      }
    } catch {
      close()
      throw error
    }
  }

  /// Does a job on one of the threads, and then something with its result on the loop's thread.
  ///
  /// - Parameters:
  ///   - job: may block.
  ///   - finish: receives the result; `nil` if the pool is closed, or if too many jobs are
  ///     unfinished. It may receive `nil` before this call returns.
  package func run<Result: Sendable>(
    _ job: @escaping @Sendable () -> Result, then finish: @escaping (Result?) -> Void
  ) {
    guard mailbox != nil, finishers.count < most else { return finish(nil) }
    let place = Locked<Result?>(nil)
    nextNumber += 1
    finishers[nextNumber] = { finish(place.withLock { $0.take() }) }
    waiting.append(
      Job(number: nextNumber) {
        let result = job()
        place.withLock { $0 = result }
      })
    startWaiting()
  }

  private func startWaiting() {
    while !waiting.isEmpty, let place = idle.popLast() {
      threads[place].post(waiting.removeFirst())
    }
  }

  private func finish(_ number: Int, at place: Int) {
    idle.append(place)
    startWaiting()
    finishers.removeValue(forKey: number)?()
  }

  /// Gives up all unfinished jobs and releases the loop; a second call does nothing.
  ///
  /// It does not wait for jobs under way, because they may hang: they end on their own or with the
  /// process, and their results are dropped.
  package func close() {
    guard let mailbox else { return }
    self.mailbox = nil
    waiting = []
    for thread in threads { thread.stop() }
    mailbox.close()
    let given = finishers
    finishers = [:]
    for finish in given.values { finish() }
  }
}

@available(*, unavailable)
extension ThreadPool: Sendable {}

/// Does the jobs of one thread of a ``ThreadPool``, which come one at a time.
private final class JobRunner: BatchConsumer {
  private let didRun: (_ number: Int) -> Void

  init(_ didRun: @escaping (_ number: Int) -> Void) {
    self.didRun = didRun
  }

  func consume(_ jobs: [ThreadPool.Job]) {
    for job in jobs {
      job.run()
      didRun(job.number)
    }
  }
}

@available(*, unavailable)
extension JobRunner: Sendable {}
