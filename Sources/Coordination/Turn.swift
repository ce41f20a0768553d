import DequeModule
import Vocabulary
import Wire

/// The context of one input for one of the three values: the time, the timers, the words it says,
/// and random numbers.
struct Turn<Subject: Hashable & Sendable>: Sendable {
  let limits: Limits
  /// The instant of the current input.
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

  /// Removes and returns the first word that has not been carried yet.
  mutating func takeWord() -> Word? { words.popFirst() }

  // MARK: Outcomes of requests

  /// Asks the shell to store steps.
  mutating func append(_ append: Append) { say(.output(.append(append))) }

  /// Tells the device its stored answer.
  mutating func tell(_ answer: RecordedAnswer) { say(.front(.answered(answer))) }

  /// Refuses a request.
  ///
  /// - Parameter answer: the refusal, if it is already stored.
  mutating func refuse(
    _ reply: Reply?, _ error: ProtocolError, _ answer: RecordedAnswer? = nil
  ) {
    if let answer { return tell(answer) }
    if let reply { say(.front(.refused(reply, error))) }
  }

  /// Answers a request that caused no event.
  mutating func finish(_ reply: Reply?) {
    if let reply { say(.front(.done(reply))) }
  }

  mutating func send(_ message: ServerMessage, to device: DeviceID) {
    say(.front(.tell(message, device)))
  }

  /// Whether a snapshot is due after these events; snapshots keep the number of events small that a
  /// start reads.
  func isSnapshotDue(from old: Int, to new: Int) -> Bool {
    old / limits.snapshotInterval != new / limits.snapshotInterval
  }

  // MARK: Time

  /// When a subject may have to be woken.
  var nextDeadline: Instant? { deadlines.earliest }

  mutating func arm(_ subject: Subject, at deadline: Instant?) {
    deadlines.arm(subject, at: deadline)
  }

  mutating func disarm(_ subject: Subject) { deadlines.forget(subject) }

  /// Removes and returns a subject whose deadline has passed.
  mutating func popDue() -> Subject? { deadlines.popDue(at: now) }

  // MARK: Random numbers

  /// How many random numbers to ask for; they come in batches of 128.
  var wantedEntropy: Int { entropy.count < 32 ? 128 - entropy.count : 0 }

  mutating func refill(with numbers: some Sequence<UInt64>) {
    entropy.append(contentsOf: numbers)
  }

  /// Takes back a random number that was not needed.
  mutating func takeBack(_ number: UInt64) { entropy.append(number) }

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
