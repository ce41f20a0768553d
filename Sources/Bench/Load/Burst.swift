import EventLoops
import Vocabulary

/// A crowd that joins one session at once, on a thread of its own: what it reads does not delay what
/// is measured on another loop.
final class Burst {
  private let thread: LoopThread<SessionCrowd>
  private let founders: Int
  private let lastSnapshotAt = Locked<HostTime?>(nil)

  /// Connects the crowd, and has its founders begin the session.
  ///
  /// - Parameters:
  ///   - count: how many peers join at once.
  ///   - founders: how many are in the session before; one alone is not eligible.
  ///   - number: the first number in their names.
  ///   - server: where they are.
  init(
    of count: Int, behind founders: Int, firstNumber number: Int, at server: RunningServer
  ) throws(BenchError) {
    self.founders = founders
    let failure = Locked<BenchError?>(nil)
    do throws(UVError) {
      thread = try LoopThread { loop in
        let sessions = SessionCrowd(
          at: server, on: Stage(on: loop), sessionSize: .max, firstNumber: number)
        do throws(BenchError) {
          try sessions.grow(to: founders)
          try sessions.crowd.grow(to: founders + count)
        } catch {
          failure.withLock { $0 = error }
        }
        return sessions
      }
    } catch {
      throw .broken(.system(error))
    }
    if let error = failure.withLock({ $0 }) {
      close()
      throw error
    }
  }

  /// When the last one had its snapshot; `nil` until then.
  var end: HostTime? { lastSnapshotAt.withLock { $0 } }

  func joinAtOnce() {
    thread.mailbox.post { [founders, lastSnapshotAt] sessions in
      sessions.joinAtOnce(from: founders) { now in lastSnapshotAt.withLock { $0 = now } }
    }
  }

  func close() {
    thread.mailbox.post { $0.crowd.close() }
    thread.stop()
    thread.join()
  }
}
