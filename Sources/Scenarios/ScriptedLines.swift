package import Vocabulary
import YAML

/// The lines that a person types or a script pipes in, in their order.
///
/// Two words are its own, and hold up what stands behind them: `expect CONDITION [within DURATION]`
/// until the condition holds, ten seconds where nothing is said, and `wait DURATION`. So a script need
/// not guess how long a network takes.
package struct ScriptedLines: Equatable, Sendable {
  /// What comes of the lines.
  package enum Step: Equatable, Sendable {
    /// A line for whoever takes verbs.
    case obey(String)
    /// What was expected is so.
    case met(String)
    /// What was expected was not so in time; this was seen instead.
    case failed(String, instead: String)
    /// A line that cannot be read, and what is wrong with it.
    case misread(String)
  }

  private enum Hold: Equatable, Sendable {
    case expecting(ScenarioCondition, String, until: HostTime)
    case resting(until: HostTime)
  }

  /// How each of the two is written.
  package static let forms = ["expect CONDITION [within DURATION]", "wait DURATION"]
  /// How many lines may wait: a long script; a longer one is for a scenario.
  package static let limit = 10_000
  /// How often a condition is looked at: as often as a scenario's.
  package static let lookInterval = ScenarioRunner.lookInterval
  /// How long something is expected where nothing is said: people come, and players load.
  private static let patience = Duration.seconds(10)

  private var lines: ArraySlice<String> = []
  private var hold: Hold?
  private let name: String

  /// No lines yet.
  ///
  /// - Parameter name: who is judged by the conditions.
  package init(of name: String) {
    self.name = name
  }

  /// Whether nothing waits.
  package var isEmpty: Bool { lines.isEmpty && hold == nil }

  /// Adds a line; returns whether there was room for it.
  package mutating func add(_ line: String) -> Bool {
    guard lines.count < Self.limit else { return false }
    lines.append(line)
    return true
  }

  /// What comes next; `nil` while something is waited for, and with nothing to do.
  ///
  /// - Parameters:
  ///   - seen: what is seen of the person now.
  ///   - now: the moment.
  package mutating func next(seen: Observation, at now: HostTime) -> Step? {
    // Line by line, not call by call: of ten thousand none need hold anything up.
    while true {
      if let hold {
        switch resolve(hold, seen, now) {
        case .open: return nil
        case .over: self.hold = nil
        case .judged(let step):
          self.hold = nil
          return step
        }
      }
      guard let line = lines.popFirst() else { return nil }
      do throws(PhraseError) {
        hold = try Self.hold(in: line, at: now)
        if hold == nil { return .obey(line) }
      } catch {
        return .misread("\(error.problem): \(error.advice)")
      }
    }
  }

  /// When to ask again, if nothing else happens; `nil` while nothing is waited for.
  package func nextLook(at now: HostTime) -> HostTime? {
    switch hold {
    case .expecting(_, _, let limit): min(limit, now + Self.lookInterval)
    case .resting(let end): end
    case nil: nil
    }
  }

  private enum Resolution {
    case open
    case over
    case judged(Step)
  }

  private func resolve(_ hold: Hold, _ seen: Observation, _ now: HostTime) -> Resolution {
    switch hold {
    case .resting(let end): return now < end ? .open : .over
    case .expecting(let condition, let text, let limit):
      switch condition.judge([name], [name: seen]) {
      case .met: return .judged(.met(text))
      case .unmet(let instead):
        return now < limit ? .open : .judged(.failed(text, instead: instead))
      }
    }
  }

  private static func hold(in line: String, at now: HostTime) throws(PhraseError) -> Hold? {
    switch line.prefix(while: { !$0.isWhitespace }) {
    case "wait":
      var words = try Words(line)
      _ = words.next()
      let length = try words.duration("a length of time")
      try words.finish()
      return .resting(until: now + length)
    case "expect": return try expectation(String(line.dropFirst("expect".count)), at: now)
    default: return nil
    }
  }

  private static func expectation(
    _ phrase: String, at now: HostTime
  ) throws(PhraseError) -> Hold {
    var text = phrase
    var patience = patience
    if let last = phrase.ranges(of: " within ").last {
      var words = try Words(String(phrase[last.upperBound...]))
      patience = try words.duration("a length of time")
      try words.finish()
      text = String(phrase[..<last.lowerBound])
    }
    let condition = try ScenarioCondition(text)
    guard !condition.isOfSeveral else {
      throw PhraseError(
        "one person cannot see how far apart players are", "write a scenario: see matinee demo")
    }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    return .expecting(condition, trimmed, until: now + patience)
  }
}

extension ScenarioCondition {
  /// Whether it compares several people.
  fileprivate var isOfSeveral: Bool {
    switch self {
    case .together: true
    case .not(let condition): condition.isOfSeveral
    default: false
    }
  }
}
