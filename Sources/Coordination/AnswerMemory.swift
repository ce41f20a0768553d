import Vocabulary
import Wire

/// The late requests of one device: a repeated request is answered as before, never done again.
package struct AnswerMemory: Equatable, Sendable {
  enum State: Equatable, Sendable {
    /// Not answered yet: the repetition waits for the same answer.
    case pending
    case settled(RequestOutcome)
  }

  private var states: [(id: RequestID, state: State)] = []
  /// The place of the oldest, once the memory is full.
  private var oldest = 0
  /// How many requests were begun so far.
  private var begun = 0
  /// The largest number of a request so far: most devices count, and what is beyond is new.
  private var largest = RequestID.min

  /// A memory of nothing.
  package init() {}

  subscript(id: RequestID) -> State? {
    guard id <= largest else { return nil }
    return place(of: id).map { states[$0].state }
  }

  /// Notes a request that is not answered yet.
  ///
  /// - Returns: which of the device's requests it is, counted from 1.
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

  /// Notes what a request came to, unless newer ones took its place.
  mutating func settle(_ id: RequestID, _ outcome: RequestOutcome) {
    guard let place = place(of: id) else { return }
    states[place].state = .settled(outcome)
  }

  /// A request came to nothing: repeated, it is carried out.
  mutating func forget(_ id: RequestID) {
    guard let place = place(of: id) else { return }
    // Its place stays taken, by nobody's request.
    states[place].id = .min
  }

  private func place(of id: RequestID) -> Int? {
    age(of: id).map { (newest - $0 + states.count) % states.count }
  }

  /// The newest stands before the oldest, in a ring.
  private var newest: Int { (oldest + states.count - 1) % states.count }

  /// How many requests were begun since that one.
  ///
  /// From the newest on, as it is mostly that; and where they lie, as a loop over the array copies
  /// each outcome.
  private func age(of id: RequestID) -> Int? {
    let span = states.span
    return (0..<span.count).first { age in
      let place = oldest - 1 - age
      return span[place < 0 ? place + span.count : place].id == id
    }
  }

  /// The requests and what became of them, from the oldest on.
  private var inOrder: some Collection<(id: RequestID, state: State)> {
    states.indices.lazy.map { [states, oldest] in states[(oldest + $0) % states.count] }
  }

  /// Whether both answer the same to everything.
  package static func == (left: AnswerMemory, right: AnswerMemory) -> Bool {
    left.begun == right.begun && left.states.count == right.states.count
      && left.inOrder.elementsEqual(right.inOrder) { $0 == $1 }
  }
}

extension AnswerMemory {
  /// The memory as a journal kept it.
  ///
  /// - Parameter answers: by their numbers.
  package init(_ answers: some BidirectionalCollection<RecordedAnswer>) {
    states.reserveCapacity(answers.count)
    for answer in answers {
      states.append((answer.request, .settled(answer.outcome)))
      largest = max(largest, answer.request)
    }
    begun = answers.last?.number ?? 0
  }

  /// Adds what the next request came to.
  package mutating func keep(_ answer: RecordedAnswer, limit: Int) {
    begin(answer.request, limit: limit)
    settle(answer.request, answer.outcome)
    begun = answer.number
  }

  /// The last ones, as many as a server with this limit remembers.
  func limited(to limit: Int) -> AnswerMemory {
    guard states.count > limit else { return self }
    var late = AnswerMemory()
    late.begun = begun
    late.largest = largest
    late.states = Array(inOrder.suffix(limit))
    return late
  }
}
