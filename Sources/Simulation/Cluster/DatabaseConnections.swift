import Vocabulary

/// The connections of a simulated cluster's nodes to their database, and what is on its way over them.
struct DatabaseConnections: Sendable {
  /// A batch on its way to the database, or the answer on its way back.
  private struct Call: Sendable {
    let node: Int
    let process: Int64
    let writes: [SimulatedDatabase.Write]
    let number: Int
    var arrives: Duration
    /// What the database answers; `nil` before it is asked.
    var isKept: Bool?
    /// Whether its connection is over, so that the answer reaches nobody.
    var isSevered = false
  }

  /// The answer to a batch.
  struct Answer {
    let node: Int
    let process: Int64
    let isKept: Bool
  }

  private(set) var database = SimulatedDatabase()
  private var calls: [Call] = []
  /// Until when the database answers nobody.
  private(set) var heldUntil = Duration.zero
  /// Until when it is not there.
  private var deadUntil = Duration.zero
  /// Until when a node does not reach it.
  private var cutOffUntil: [Int: Duration] = [:]
  /// Until when a node takes no answer.
  private var frozenUntil: [Int: Duration] = [:]
  private var generator: SplitMix64

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  /// Whether a node's connection works; the database may be slow to answer.
  func reaches(from node: Int, at now: Duration) -> Bool {
    deadUntil <= now && cutOffUntil[node, default: .zero] <= now
  }

  /// When the next batch or answer arrives.
  var nextArrival: Duration? { calls.map(\.arrives).min() }

  /// Sends a batch to the database.
  mutating func send(
    _ writes: [SimulatedDatabase.Write], _ number: Int, from node: Int, by process: Int64,
    at now: Duration
  ) {
    calls.append(
      Call(
        node: node, process: process, writes: writes, number: number,
        arrives: max(now + delay(), heldUntil)))
  }

  /// A disk is quick, but for every fourth time, so that what fails meets batches under way.
  private mutating func delay() -> Duration {
    let isSlow = Int.random(in: 0..<4, using: &generator) == 0
    return .microseconds(Int.random(in: 100...(isSlow ? 200_000 : 600), using: &generator))
  }

  /// Handles what arrives.
  ///
  /// - Returns: the answers that arrive at nodes.
  mutating func advance(to now: Duration) -> [Answer] {
    var answers: [Answer] = []
    while let place = calls.indices.first(where: { calls[$0].arrives <= now }) {
      let call = calls[place]
      if let isKept = call.isKept {
        calls.remove(at: place)
        answers.append(Answer(node: call.node, process: call.process, isKept: isKept))
      } else {
        calls[place].isKept = database.write(call.writes, number: call.number, by: call.process)
        if call.isSevered {
          calls.remove(at: place)
          continue
        }
        calls[place].arrives = max(now + delay(), frozenUntil[call.node, default: .zero])
      }
    }
    return answers
  }

  /// Freezes a node until a moment: answers arrive no sooner.
  mutating func freeze(_ node: Int, until moment: Duration) {
    frozenUntil[node] = moment
    for place in calls.indices where calls[place].node == node && calls[place].isKept != nil {
      calls[place].arrives = max(calls[place].arrives, moment)
    }
  }

  /// A node's connections end: of what is under way no answer comes, whether it is kept or not.
  mutating func disconnect(_ node: Int, process: Int64?) {
    calls.removeAll { $0.node == node && $0.isKept != nil }
    if Bool.random(using: &generator) { calls.removeAll { $0.node == node } }
    for place in calls.indices where calls[place].node == node { calls[place].isSevered = true }
    if let process { database.unlock(by: process) }
  }

  /// A node connects anew, which waits for what is left of its old connection.
  mutating func reconnect(_ node: Int) {
    while let place = calls.indices.first(where: {
      calls[$0].node == node && calls[$0].isKept == nil
    }) {
      let call = calls.remove(at: place)
      _ = database.write(call.writes, number: call.number, by: call.process)
    }
  }

  /// What a process asks without waiting in a line of batches.
  mutating func ask<Answer>(_ question: (inout SimulatedDatabase) -> Answer) -> Answer {
    question(&database)
  }

  // MARK: Faults

  /// A node does not reach the database for a while.
  mutating func cutOff(_ node: Int, until moment: Duration) {
    cutOffUntil[node] = max(cutOffUntil[node, default: .zero], moment)
  }

  /// The database answers nobody for a while, and then everything.
  mutating func holdAll(until moment: Duration) {
    heldUntil = max(heldUntil, moment)
    for place in calls.indices where calls[place].isKept == nil {
      calls[place].arrives = max(calls[place].arrives, moment)
    }
  }

  /// The database is killed, and is there again later.
  mutating func killDatabase(until moment: Duration) {
    deadUntil = max(deadUntil, moment)
    calls = []
    database.unlock()
  }
}
