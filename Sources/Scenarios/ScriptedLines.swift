package import Vocabulary
import YAML

/// The lines that a person types or a script pipes in, in order.
///
/// Two verbs delay the lines after them, so that a script need not guess network delays. `expect
/// CONDITION [within DURATION]` waits until the condition holds, for ten seconds by default. `wait
/// DURATION` waits for a time.
package struct ScriptedLines: Equatable, Sendable {
  /// The result of a line.
  package enum Step: Equatable, Sendable {
    /// A verb to perform.
    case obey(String)
    /// An expectation was met.
    case met(String)
    /// An expectation was not met in time, and what was observed instead.
    case failed(String, instead: String)
    /// A line that cannot be read, and why.
    case misread(String)
  }

  private enum Hold: Equatable, Sendable {
    case expecting(ScenarioCondition, String, until: HostTime)
    case resting(until: HostTime)
  }

  /// The syntax of the two verbs.
  package static let forms = ["expect CONDITION [within DURATION]", "wait DURATION"]
  /// The maximum number of waiting lines; longer scripts should be scenarios.
  package static let limit = 10_000
  /// The interval between checks of a condition, as in scenarios.
  package static let lookInterval = ScenarioRunner.lookInterval
  /// The default time limit of an expectation: enough for people to join and players to load.
  private static let patience = Duration.seconds(10)

  private var lines: ArraySlice<String> = []
  private var hold: Hold?
  private let name: String

  /// Makes an empty queue of lines.
  ///
  /// - Parameter name: the person whom conditions are about.
  package init(of name: String) {
    self.name = name
  }

  /// Whether no line waits.
  package var isEmpty: Bool { lines.isEmpty && hold == nil }

  /// Adds a line; returns false if the queue is full.
  package mutating func add(_ line: String) -> Bool {
    guard lines.count < Self.limit else { return false }
    lines.append(line)
    return true
  }

  /// The next result; `nil` while an expectation or a pause is open, and if there is no line.
  ///
  /// - Parameter seen: the current observation of the person.
  package mutating func next(seen: Observation, at now: HostTime) -> Step? {
    // A loop instead of recursion, because thousands of lines may need no waiting.
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

  /// When to call ``next(seen:at:)`` again; `nil` unless an expectation or a pause is open.
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
    case "expect":
      let phrase = line.dropFirst("expect".count)
      guard phrase.contains(where: { !$0.isWhitespace }) else {
        throw PhraseError("`expect` lacks a condition", "write one, such as `expect playing`")
      }
      return try expectation(String(phrase), at: now)
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
    if let obstacle = condition.obstacle {
      throw PhraseError(obstacle, "write a scenario: see matinee demo")
    }
    let trimmed = text.split(separator: " ").joined(separator: " ")
    return .expecting(condition, trimmed, until: now + patience)
  }
}

extension ScenarioCondition {
  /// Why one person's lines cannot observe the condition; `nil` if they can.
  fileprivate var obstacle: String? {
    switch self {
    case .together: "`together` compares several people, but there is only one here"
    case .playerUntouched: "`untouched` counts the player's commands, which nobody does here"
    case .not(let condition): condition.obstacle
    default: nil
    }
  }
}
