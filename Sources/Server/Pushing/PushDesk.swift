package import Coordination
package import EventLoops
package import Logging
package import PushTransports
package import UserNotifications
import Vocabulary

/// Hears from a desk what became of pushes; on the loop's thread.
package protocol PushDeskDelegate: AnyObject {
  /// An attempt ended; of each that was ordered there is one word, unless the desk is stopped.
  func desk(_ desk: PushDesk, didEnd attempt: PushAttempt, _ result: PushResult)
}

/// Takes the server's orders to push, and tells it how each attempt ended.
///
/// Confined to the loop's thread, and never waits there: push services are asked on other threads.
/// Nothing is kept here; what a stop or a crash cuts short is still due by the journal.
package final class PushDesk {
  /// Who hears how attempts ended.
  package weak var delegate: (any PushDeskDelegate)?

  private let loop: EventLoop
  private let log: Logger
  private let retrying = RetryPolicy()
  private var sender: PushSender?
  private var mailbox: LoopMailbox<PushDesk>?
  private var timer: LoopTimer?
  /// The attempts that a push service is being asked for; as many as the sender takes.
  private var underWay: [PushID: PushAttempt] = [:]
  private var complaints = Complaints()

  /// How long connections may take to close: a moment each, but the other end may be gone.
  private static let farewell = Duration.seconds(3)

  /// A desk with these ways, which it stops when it is stopped; ``stop()`` is due before the loop
  /// ends.
  package init(
    _ transports: [any PushTransport], bounds: PushBounds = PushBounds(), on loop: EventLoop,
    log: Logger
  ) throws(UVError) {
    self.loop = loop
    self.log = log
    let mailbox = try LoopMailbox(on: loop, context: self)
    self.mailbox = mailbox
    sender = PushSender(transports, bounds: bounds) { report in
      mailbox.post { $0.take(report) }
    }
  }

  /// Asks a push service, soon and once.
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
    // Whoever waited so long that it was ordered again is not asked twice.
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

  /// Says what is wrong, but not with each of many.
  private func complain(_ code: String, _ text: String, _ attempt: PushAttempt) {
    guard let unsaid = complaints.raise(code, at: loop.now) else { return }
    var metadata = Self.metadata(attempt)
    metadata["code"] = "\(code)"
    if unsaid > 0 { metadata["alsoUnsaid"] = "\(unsaid)" }
    log.warning("\(text)", metadata: metadata)
  }

  /// Where a push goes is a secret of the device, and stands in no log.
  private static func metadata(_ attempt: PushAttempt) -> Logger.Metadata {
    [
      "user": "\(attempt.user)", "device": "\(attempt.device)",
      "notification": "\(attempt.notification)", "attempt": "\(attempt.number)",
    ]
  }

  /// Stops: attempts under way end without a word, and are still due.
  ///
  /// The loop runs on until the connections are closed, or for three seconds. A second call does
  /// nothing.
  package func stop() {
    guard let sender, let mailbox else { return }
    self.sender = nil
    underWay = [:]
    let timer = LoopTimer(on: loop) { [weak self] in self?.close() }
    self.timer = timer
    timer.fire(at: loop.now + Self.farewell)
    Task {
      await sender.stop()
      mailbox.post { $0.close() }
    }
  }

  private func close() {
    timer?.close()
    mailbox?.close()
    mailbox = nil
  }
}

@available(*, unavailable)
extension PushDesk: Sendable {}

/// Which complaint is said, so that one trouble of a thousand pushes is a line in the log.
struct Complaints {
  private struct Raised {
    var next: HostTime
    var unsaid = 0
  }

  /// The shortest time between two of a kind.
  private static let interval = Duration.seconds(60)

  /// By kind, of which there are as many as there are codes.
  private var raised: [String: Raised] = [:]

  /// Raises one of a kind.
  ///
  /// - Returns: `nil` if it is not to be said; or else how many of its kind were not, since the last.
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
