package import Coordination
package import EventLoops
package import Logging
package import PushTransports
package import UserNotifications
import Vocabulary

/// Receives the results of push attempts, on the loop's thread.
package protocol PushDeskDelegate: AnyObject {
  /// Handles the end of an attempt; each ordered attempt ends once, unless the desk is stopped.
  func desk(_ desk: PushDesk, didEnd attempt: PushAttempt, _ result: PushResult)
}

/// Sends the server's pushes, and reports the result of each attempt.
///
/// Confined to the loop's thread, which it never blocks: requests to push services run on another
/// thread. It stores nothing; an attempt that is interrupted by a stop or a crash is still due
/// according to the journal.
package final class PushDesk {
  /// Receives the results.
  package weak var delegate: (any PushDeskDelegate)?

  private let loop: EventLoop
  private let log: Logger
  private let retrying = RetryPolicy()
  private var sender: PushSender?
  private var mailbox: LoopMailbox<PushDesk>?
  /// The pending attempts; the sender limits their number.
  private var underWay: [PushID: PushAttempt] = [:]
  private var complaints = Complaints()

  /// A desk with these routes; ``stop()`` must be called before the loop ends.
  package init(
    _ routes: [PushRoute], bounds: PushBounds = PushBounds(), on loop: EventLoop,
    log: Logger
  ) throws(UVError) {
    self.loop = loop
    self.log = log
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    sender = try PushSender(routes, bounds: bounds) { report in
      mailbox.post { $0.take(report) }
    }
  }

  /// Sends a push once, as soon as possible.
  package func send(_ order: PushOrder, _ attempt: PushAttempt) {
    guard let sender else { return }
    let message: PushMessage
    do throws(PushEndpointFlaw) {
      message = try PushMessage(order, attempt)
    } catch {
      complain("endpoint", "\(error)", attempt)
      delegate?.desk(self, didEnd: attempt, .refused)
      return
    }
    // An attempt that is ordered again while it is pending is not sent twice.
    if underWay.updateValue(attempt, forKey: message.id) != nil { return }
    guard !sender.submit(message) else { return }
    underWay[message.id] = nil
    complain("tooMany", "too many pushes wait, later ones are put off", attempt)
    var chance = SystemRandomNumberGenerator()
    let wait = retrying.wait(after: attempt.number, using: &chance)
    delegate?.desk(self, didEnd: attempt, .retry(after: wait))
  }

  private func take(_ report: PushReport) {
    guard let attempt = underWay.removeValue(forKey: report.id) else { return }
    let result: PushResult
    switch report.outcome {
    case .delivered: result = .delivered
    case .retry(let wait, let trouble):
      complain("trouble", "a push has to be tried again: \(trouble)", attempt)
      result = .retry(after: wait)
    case .forget(let since):
      log.info("a push service does not know a device any more", metadata: Self.metadata(attempt))
      result = .forget(since: since)
    case .refused(let refusal):
      complain(refusal.code, "a push comes to nothing: \(refusal)", attempt)
      result = .refused
    }
    delegate?.desk(self, didEnd: attempt, result)
  }

  /// Logs a failure, with a limited number of lines for many failures.
  private func complain(_ code: String, _ text: String, _ attempt: PushAttempt) {
    guard let unsaid = complaints.raise(code, at: loop.now) else { return }
    var metadata = Self.metadata(attempt)
    metadata["code"] = "\(code)"
    if unsaid > 0 { metadata["alsoUnsaid"] = "\(unsaid)" }
    log.warning("\(text)", metadata: metadata)
  }

  /// The address of a push is a secret of the device, so it is not logged.
  private static func metadata(_ attempt: PushAttempt) -> Logger.Metadata {
    [
      "user": "\(attempt.user)", "device": "\(attempt.device)",
      "notification": "\(attempt.notification)", "attempt": "\(attempt.number)",
    ]
  }

  /// Stops: pending attempts end without a result, and are still due.
  ///
  /// The loop runs until the connections are closed, which waits for nobody. A second call does
  /// nothing.
  package func stop() {
    guard let sender, let mailbox else { return }
    self.sender = nil
    underWay = [:]
    sender.stop {
      mailbox.post { desk in
        sender.join()
        desk.close()
      }
    }
  }

  private func close() {
    mailbox?.close()
    mailbox = nil
  }
}

@available(*, unavailable)
extension PushDesk: Sendable {}

/// Limits how often a failure is logged, so that one cause of a thousand failed pushes is one line.
struct Complaints {
  private struct Raised {
    var next: HostTime
    var unsaid = 0
  }

  /// The shortest time between two log lines of one kind.
  private static let interval = Duration.seconds(60)

  /// The state of each kind; there is one kind for each code.
  private var raised: [String: Raised] = [:]

  /// Records a failure of a kind.
  ///
  /// - Returns: `nil` if it is suppressed; otherwise how many of its kind were suppressed since the
  ///   last log line.
  mutating func raise(_ kind: String, at now: HostTime) -> Int? {
    guard var known = raised[kind], now < known.next else {
      let unsaid = raised[kind]?.unsaid ?? 0
      raised[kind] = Raised(next: now + Self.interval)
      return unsaid
    }
    known.unsaid += 1
    raised[kind] = known
    return nil
  }
}
