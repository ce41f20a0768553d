import Vocabulary
import Wire

/// The late requests of one device: a repeated request is answered as before, never done again.
struct AnswerMemory: Equatable, Sendable {
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

  subscript(id: RequestID) -> State? {
    place(of: id).map { states[$0].state }
  }

  mutating func begin(_ id: RequestID, limit: Int) {
    begun += 1
    if states.count < limit {
      states.makeRoom()
      states.append((id, .pending))
    } else if limit > 0 {
      states[oldest] = (id, .pending)
      oldest = (oldest + 1) % limit
    }
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

  /// Which of the device's requests it is, counted from 1.
  func number(of id: RequestID) -> Int? {
    age(of: id).map { begun - $0 }
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

  static func == (left: AnswerMemory, right: AnswerMemory) -> Bool {
    left.oldest == right.oldest && left.begun == right.begun
      && left.states.elementsEqual(right.states) { $0.id == $1.id && $0.state == $1.state }
  }
}

extension AnswerMemory {
  /// The memory as a journal kept it.
  init(_ answers: [RecordedAnswer], limit: Int) {
    states.reserveCapacity(min(answers.count, limit))
    for answer in answers.inOrder() {
      begin(answer.request, limit: limit)
      settle(answer.request, answer.outcome)
      begun = answer.number
    }
  }
}
