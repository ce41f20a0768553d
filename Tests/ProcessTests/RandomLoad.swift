import EventLoops
import LoopTesting
import Vocabulary

/// People who act at random on a real server, determined by a seed.
struct RandomLoad {
  private var random: SplitMix64
  private let callers: [Caller]
  private var request = 100

  private static let names = ["ann", "ben", "cat"]

  /// Brings three people into one session.
  init(seed: UInt64, port: UInt16, on test: TestLoop) throws {
    random = SplitMix64(seed: seed)
    callers = try Self.names.map { name in
      let caller = try Caller(port: port, on: test)
      try caller.enter("friday", as: name)
      try test.run { caller.heard(#""type":"ok""#) }
      return caller
    }
    try begin(on: test)
  }

  /// The current session's name.
  private(set) var session: Substring = ""

  /// Starts a session and lets everyone join it.
  private mutating func begin(on test: TestLoop) throws {
    request += 1
    let mark = #""id":\#(request),"session":""#
    try callers[0].say(
      #"{"type":"activate","id":\#(request),"activity":{"type":"watch","metadata":{"title":"Film night"},"media":{"item":"film","url":"film.mp4","title":"The Film","duration":5400000000}}}"#
    )
    try test.run { [callers] in callers[0].heard(mark) }
    let answer = callers[0].lines.first { $0.contains(mark) } ?? ""
    session = answer.split(separator: #""session":""#).last?.prefix { $0 != "\"" } ?? ""
    for caller in callers {
      request += 1
      let mark = #""id":\#(request),"session":"#
      try caller.say(#"{"type":"join","id":\#(request),"session":"\#(session)"}"#)
      try test.run { caller.heard(mark) }
      request += 1
      try caller.say(#"{"type":"transition","id":\#(request),"item":"film"}"#)
    }
  }

  /// Ends the session for all, and starts another.
  mutating func beginAnew(on test: TestLoop) throws {
    request += 1
    let mark = #""id":\#(request),"#
    try callers[0].say(#"{"type":"end","id":\#(request)}"#)
    try test.run { [callers] in callers[0].heard(mark) }
    try begin(on: test)
  }

  /// Performs this many random actions, and waits until all are answered.
  mutating func run(_ count: Int, on test: TestLoop) throws {
    var asked: [(caller: Caller, id: Int)] = []
    for _ in 0..<count {
      let caller = callers[Int.random(in: callers.indices, using: &random)]
      request += 1
      // Only one of the three may leave, so that the session stays.
      try caller.say(verb(request, mayLeave: caller === callers[2]))
      asked.append((caller, request))
    }
    // Waits for each answer, because answers to different callers may overtake each other.
    for (caller, id) in asked {
      try test.run {
        caller.heard("\"id\":\(id),") || caller.heard("\"id\":\(id)}") || caller.hasEnded
      }
    }
  }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: choices.indices, using: &random)]
  }

  private mutating func verb(_ id: Int, mayLeave: Bool) -> String {
    let place = Int.random(in: 0..<5_400_000_000, using: &random)
    let fields = pick([
      #""play","item":"film""#, #""pause","item":"film","mediaTime":\#(place)"#,
      #""seek","item":"film","mediaTime":\#(place)"#,
      #""setRate","item":"film","rate":\#(pick(["0.5", "1", "1.25"]))"#,
      #""send","payload":{"n":\#(place),"x":[1.5,-0.001,1e30,"ü\n\u0007",null,true]}"#,
      #""suspend","reason":"stallRecovery""#, #""endSuspension","suspension":1"#,
      #""insert","media":[{"url":"next-\#(id).mp4","title":"Next \"\#(id)\""}],"position":"end""#,
      #""shuffle""#, #""unshuffle""#, #""setRepeat","repeat":"\#(pick(["off", "one", "all"]))""#,
      #""setWaitingPolicy","waitingPolicy":"\#(pick(["keepGoing", "together"]))""#,
      #""transition","item":"film""#, mayLeave ? pick([#""leave""#, #""dismiss""#]) : #""next""#,
      #""setDismissalPolicy","dismissalPolicy":"\#(pick(["endsWithInitiator", "leavesOnly"]))""#,
      #""join","session":"\#(session)""#,
      #""setSharing","sharing":true"#, #""play","item":"other""#,
    ])
    return #"{"type":\#(fields),"id":\#(id)}"#
  }
}
