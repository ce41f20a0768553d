import Vocabulary
import Wire

/// The latest requests of one device and their outcomes, so that a repeated request gets the same
/// answer and is not carried out again.
package struct AnswerMemory: Equatable, Sendable {
  enum State: Equatable, Sendable {
    /// Not answered yet; a repetition waits for the same answer.
    case pending
    case settled(RequestOutcome)
  }

  private var states: [(id: RequestID, state: State)] = []
  /// The index of the oldest request once the memory is full.
  private var oldest = 0
  /// How many requests have begun so far.
  private var begun = 0
  /// The largest request number so far; most devices count up, so a larger number is new.
  private var largest = RequestID.min

  package init() {}

  subscript(id: RequestID) -> State? {
    guard id <= largest else { return nil }
    return index(of: id).map { states[$0].state }
  }

  /// Adds a request without an outcome.
  ///
  /// - Returns: the request's number on this device, from 1.
  @discardableResult
  mutating func begin(_ id: RequestID, limit: Int) -> Int {
    begun += 1
    largest = max(largest, id)
    if states.count < limit {
      states.makeRoom()
      states.append((id, .pending))
    } else if limit > 0 {
      states[oldest] = (id, .pending)
      oldest = (oldest + 1) % limit
    }
    return begun
  }

  /// Sets a request's outcome, unless newer requests have displaced it.
  mutating func settle(_ id: RequestID, _ outcome: RequestOutcome) {
    guard let index = index(of: id) else { return }
    states[index].state = .settled(outcome)
  }

  /// Removes a request, so that a repetition is carried out.
  mutating func forget(_ id: RequestID) {
    guard let index = index(of: id) else { return }
    // The entry stays in use, with an identifier that no request has.
    states[index].id = .min
  }

  private func index(of id: RequestID) -> Int? {
    age(of: id).map { (newest - $0 + states.count) % states.count }
  }

  /// The index of the newest request: the one before the oldest in the ring.
  private var newest: Int { (oldest + states.count - 1) % states.count }

  /// How many requests have begun since this one.
  ///
  /// It searches from the newest request, which is the usual one, and uses a span, because a loop
  /// over the array copies each outcome.
  private func age(of id: RequestID) -> Int? {
    let span = states.span
    return (0..<span.count).first { age in
      let index = oldest - 1 - age
      return span[index < 0 ? index + span.count : index].id == id
    }
  }

  /// The requests with their outcomes, oldest first.
  private var inOrder: some Collection<(id: RequestID, state: State)> {
    states.indices.lazy.map { [states, oldest] in states[(oldest + $0) % states.count] }
  }

  /// Whether both give the same answers.
  package static func == (left: AnswerMemory, right: AnswerMemory) -> Bool {
    left.begun == right.begun && left.states.count == right.states.count
      && left.inOrder.elementsEqual(right.inOrder) { $0 == $1 }
  }
}

extension AnswerMemory {
  /// Restores the memory from a journal.
  ///
  /// - Parameter answers: sorted by number.
  package init(_ answers: some BidirectionalCollection<RecordedAnswer>) {
    states.reserveCapacity(answers.count)
    for answer in answers {
      states.append((answer.request, .settled(answer.outcome)))
      largest = max(largest, answer.request)
    }
    begun = answers.last?.number ?? 0
  }

  /// Adds the next request with its outcome.
  package mutating func keep(_ answer: RecordedAnswer, limit: Int) {
    begin(answer.request, limit: limit)
    settle(answer.request, answer.outcome)
    begun = answer.number
  }

  /// The newest requests, up to the server's limit.
  func limited(to limit: Int) -> AnswerMemory {
    guard states.count > limit else { return self }
    var late = AnswerMemory()
    late.begun = begun
    late.largest = largest
    late.states = Array(inOrder.suffix(limit))
    return late
  }
}
