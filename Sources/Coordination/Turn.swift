import DequeModule
import Vocabulary
import Wire

/// The moment at hand of one of the server's values: its time, who wants to be woken, and what the
/// value says to the others and to the shell.
struct Turn<Subject: Hashable & Sendable>: Sendable {
  let limits: Limits
  /// The instant of the input at hand: one input, one instant.
  private(set) var now = Instant(microseconds: 0)
  private var deadlines = Deadlines<Subject>()
  private var words: Deque<Word> = []
  private var entropy: [UInt64] = []

  init(limits: Limits) {
    self.limits = limits
  }

  mutating func begin(at instant: Instant) { now = instant }

  // MARK: Words

  mutating func say(_ word: consuming Word) { words.append(word) }

  var hasWords: Bool { !words.isEmpty }

  /// Takes out what was said first, and is not carried yet.
  mutating func takeWord() -> Word? { words.popFirst() }

  // MARK: What becomes of requests

  /// Has steps kept.
  mutating func append(_ append: Append) { say(.output(.append(append))) }

  /// Tells whoever asked what is kept of it.
  mutating func tell(_ answer: RecordedAnswer) { say(.front(.answered(answer))) }

  /// Refuses a request.
  ///
  /// - Parameter answer: the refusal, if it is kept already.
  mutating func refuse(
    _ reply: Reply?, _ error: ProtocolError, _ answer: RecordedAnswer? = nil
  ) {
    if let answer { return tell(answer) }
    if let reply { say(.front(.refused(reply, error))) }
  }

  /// A request is done, without any event.
  mutating func finish(_ reply: Reply?) {
    if let reply { say(.front(.done(reply))) }
  }

  mutating func send(_ message: ServerMessage, to device: DeviceID) {
    say(.front(.tell(message, device)))
  }

  /// Has a snapshot kept every so many events, so that a start reads few.
  func isSnapshotDue(from old: Int, to new: Int) -> Bool {
    old / limits.snapshotInterval != new / limits.snapshotInterval
  }

  // MARK: Time

  /// When somebody is to be woken, perhaps for nothing.
  var nextDeadline: Instant? { deadlines.earliest }

  mutating func arm(_ subject: Subject, at deadline: Instant?) {
    deadlines.arm(subject, at: deadline)
  }

  mutating func disarm(_ subject: Subject) { deadlines.forget(subject) }

  /// Somebody whose time has come.
  mutating func popDue() -> Subject? { deadlines.popDue(at: now) }

  // MARK: Random numbers

  /// How many fresh random numbers are missing: asked for in batches of 128.
  var wantedEntropy: Int { entropy.count < 32 ? 128 - entropy.count : 0 }

  mutating func refill(with numbers: some Sequence<UInt64>) {
    entropy.append(contentsOf: numbers)
  }

  mutating func freshNumber() -> UInt64 {
    guard let number = entropy.popLast() else {
      preconditionFailure("refill(with:) was not called before this input")
    }
    return number
  }

  mutating func mintText(prefix: String) -> String {
    prefix + "-" + mintedText(freshNumber(), digits: 12)
  }
}
