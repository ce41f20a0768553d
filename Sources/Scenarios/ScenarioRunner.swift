package import Vocabulary

/// Runs a scenario on a stage: performs the verbs, observes the peers, and checks the expectations.
///
/// It stops at the first expectation that is not met, because later results would be meaningless.
package struct ScenarioRunner {
  /// The interval between observations: twice per frame of 1/25 s.
  package static let lookInterval = Duration.milliseconds(20)

  private struct Pending {
    let expectation: Expectation
    let since: Duration
    /// Since when the condition holds, if it does.
    var trueSince: Duration?
  }

  private let scenario: Scenario
  private let tell: (TimelineEntry) -> Void
  private var entries: [TimelineEntry] = []
  private var steps: ArraySlice<ScenarioStep>
  private var pending: [Pending] = []
  /// When the last of the earlier expectations was met.
  private var settledAt = Duration.zero
  private var seen: [String: Observation] = [:]
  private var spreads: [Duration] = []
  private var phases: [ScenarioReport.Phase] = []
  private var looks: [String: [ScenarioReport.Look]] = [:]

  private init(_ scenario: Scenario, _ tell: @escaping (TimelineEntry) -> Void) {
    self.scenario = scenario
    self.tell = tell
    steps = scenario.steps[...]
    for name in scenario.names { seen[name] = Observation() }
  }

  /// Runs a scenario from its first step to its last expectation.
  ///
  /// - Parameters:
  ///   - stage: the stage; its peers are those of the scenario.
  ///   - tell: called with every entry as it occurs.
  package static func run(
    _ scenario: Scenario, on stage: inout some ScenarioStage,
    tell: @escaping (TimelineEntry) -> Void = { _ in }
  ) -> ScenarioReport {
    var runner = ScenarioRunner(scenario, tell)
    runner.play(on: &stage)
    return ScenarioReport(
      scenario: scenario.name, entries: runner.entries, phases: runner.phases,
      duration: stage.now,
      spread: ScenarioReport.Spread(runner.spreads), looks: runner.looks)
  }

  private var hasFailed: Bool { entries.last?.isFailure == true }

  private mutating func play(on stage: inout some ScenarioStage) {
    while true {
      look(at: stage.observe(), stage.now)
      guard !hasFailed else { return }
      if let failure = stage.failure {
        return record(TimelineEntry(at: stage.now, peers: [], .broke(failure)))
      }
      while let step = dueStep(at: stage.now) {
        if let name = step.phase {
          phases.append(
            ScenarioReport.Phase(name, at: stage.now, cues: step.cues, server: step.server))
        }
        for verb in step.server {
          record(TimelineEntry(at: stage.now, peers: ["server"], .did(verb.rawValue)))
          stage.perform(verb)
        }
        give(step.cues, on: &stage)
        pending += step.expectations.map { Pending(expectation: $0, since: stage.now) }
      }
      if steps.isEmpty, pending.isEmpty { return }
      stage.run(until: min(stage.now + Self.lookInterval, nextMoment ?? .seconds(86_400)))
    }
  }

  /// Performs the verbs; peers with the same verb share one entry.
  private mutating func give(_ cues: [ScenarioStep.Cue], on stage: inout some ScenarioStage) {
    var rest = cues[...]
    while let first = rest.first {
      let same = rest.prefix { $0.text == first.text }
      rest = rest.dropFirst(same.count)
      record(TimelineEntry(at: stage.now, peers: same.map(\.peer), .did(first.text)))
      for cue in same { stage.perform(cue.verb, by: cue.peer) }
    }
  }

  private var nextMoment: Duration? {
    switch steps.first?.moment {
    case .at(let moment): moment
    case .after(let pause): pending.isEmpty ? settledAt + pause : nil
    case nil: nil
    }
  }

  private mutating func dueStep(at now: Duration) -> ScenarioStep? {
    guard let moment = nextMoment, moment <= now else { return nil }
    return steps.popFirst()
  }

  private mutating func record(_ entry: TimelineEntry) {
    entries.append(entry)
    tell(entry)
  }
}

// MARK: Observing and judging

extension ScenarioRunner {
  private mutating func look(at observations: [String: Observation], _ now: Duration) {
    noteChanges(to: observations, now)
    noteSpread(of: observations)
    notePlayers(of: observations, now)
    judge(observations, now)
  }

  private mutating func notePlayers(of observations: [String: Observation], _ now: Duration) {
    for (name, seen) in observations {
      guard seen.session == .joined, let player = seen.player,
        looks[name, default: []].count < ScenarioReport.looksMaximum
      else { continue }
      looks[name, default: []].append(ScenarioReport.Look(at: now, position: player.position))
    }
  }

  /// Records what changed; peers with the same change share one entry.
  private mutating func noteChanges(to observations: [String: Observation], _ now: Duration) {
    var texts: [(text: String, names: [String])] = []
    for name in scenario.names {
      guard let old = seen[name], let new = observations[name] else { continue }
      for text in new.changes(since: old) {
        if let index = texts.firstIndex(where: { $0.text == text }) {
          texts[index].names.append(name)
        } else {
          texts.append((text, [name]))
        }
      }
      seen[name] = new
    }
    for (text, names) in texts { record(TimelineEntry(at: now, peers: names, .saw(text))) }
  }

  private mutating func noteSpread(of observations: [String: Observation]) {
    let together = observations.values.filter {
      $0.session == .joined && $0.phase == .playing && $0.suspensions.isEmpty
        && $0.connection == .connected
    }
    let positions = together.compactMap { $0.player?.isRunning == true ? $0.player?.position : nil }
    guard positions.count == together.count, positions.count > 1, let first = positions.min(),
      let last = positions.max()
    else { return }
    spreads.append(last - first)
  }

  private mutating func judge(_ observations: [String: Observation], _ now: Duration) {
    var open: [Pending] = []
    for item in pending {
      let expectation = item.expectation
      switch judge(item, expectation.condition.judge(expectation.peers, observations), now) {
      case .open(let next): open.append(next)
      case .met(let delay): record(entry(expectation, now, .met(expectation.text, after: delay)))
      case .failed(let instead): return fail(expectation, instead, now)
      }
    }
    if open.isEmpty, !pending.isEmpty { settledAt = now }
    pending = open
  }

  /// The state of an expectation after another observation.
  private func judge(_ item: Pending, _ verdict: Verdict, _ now: Duration) -> Judgement {
    let waited = now - item.since
    switch (item.expectation.manner, verdict) {
    case (.once, .met): return .met(after: waited)
    case (.once(let limit), .unmet(let instead)),
      (.lasting(_, let limit), .unmet(let instead)):
      guard waited < limit else { return .failed(instead) }
      return .open(Pending(expectation: item.expectation, since: item.since))
    case (.lasting(let length, _), .met):
      let start = item.trueSince ?? now
      guard now - start < length else { return .met(after: start - item.since) }
      return .open(Pending(expectation: item.expectation, since: item.since, trueSince: start))
    case (.throughout(let length), .met):
      return waited < length ? .open(item) : .met(after: waited)
    case (.throughout, .unmet(let instead)): return .failed(instead)
    }
  }

  private enum Judgement {
    case open(Pending)
    case met(after: Duration)
    case failed(String)
  }

  private mutating func fail(_ expectation: Expectation, _ instead: String, _ now: Duration) {
    let event = TimelineEntry.Event.failed(
      expectation.text, instead: instead, line: expectation.line)
    record(entry(expectation, now, event))
  }

  private func entry(
    _ expectation: Expectation, _ now: Duration, _ event: TimelineEntry.Event
  ) -> TimelineEntry {
    TimelineEntry(at: now, peers: expectation.peers, event)
  }
}

/// What a scenario runs on: a clock, and peers that perform verbs and can be observed.
package protocol ScenarioStage {
  /// The time since the scenario began.
  var now: Duration { get }

  /// Why the stage cannot continue, such as a server that died; `nil` while it can.
  var failure: String? { get }

  /// Lets a peer perform a verb; the result appears in later observations.
  mutating func perform(_ verb: Verb, by peer: String)

  /// Kills or starts the server; the peers notice on their own.
  mutating func perform(_ verb: ServerVerb)

  /// The current observation of each peer.
  func observe() -> [String: Observation]

  /// Runs until a moment, or slightly longer, but never shorter.
  mutating func run(until moment: Duration)
}

/// The result of a scenario.
package struct ScenarioReport: Equatable, Sendable {
  package var scenario: String
  package var entries: [TimelineEntry]
  /// The phases that began, in order; each lasts until the next.
  package var phases: [Phase] = []
  /// How long the scenario took.
  package var duration: Duration
  /// How far apart the running players were in all observations; `nil` if no two ran together.
  package var spread: Spread?
  /// Where each peer's player was at each observation while the peer had joined.
  package var looks: [String: [Look]] = [:]

  /// Half an hour of looks at one peer.
  static let looksMaximum = 100_000

  package init(
    scenario: String, entries: [TimelineEntry] = [], phases: [Phase] = [],
    duration: Duration = .zero, spread: Spread? = nil, looks: [String: [Look]] = [:]
  ) {
    self.scenario = scenario
    self.entries = entries
    self.phases = phases
    self.duration = duration
    self.spread = spread
    self.looks = looks
  }

  /// Whether every expectation was met.
  package var hasPassed: Bool { !entries.contains(where: \.isFailure) }

  /// The number of expectations met.
  package var metCount: Int {
    entries.count { if case .met = $0.event { true } else { false } }
  }

  /// A player's position when it was observed.
  package struct Look: Equatable, Sendable {
    /// The time since the start of the scenario.
    package var at: Duration
    package var position: MediaTime

    package init(at: Duration, position: MediaTime) {
      self.at = at
      self.position = position
    }
  }

  /// A named part of the scenario.
  package struct Phase: Equatable, Sendable {
    package var name: String
    /// When it began, since the start of the scenario.
    package var at: Duration
    /// The verbs at its beginning.
    package var cues: [ScenarioStep.Cue]
    /// What was done to the server at its beginning.
    package var server: [ServerVerb]

    package init(
      _ name: String, at: Duration, cues: [ScenarioStep.Cue], server: [ServerVerb] = []
    ) {
      self.name = name
      self.at = at
      self.cues = cues
      self.server = server
    }
  }

  /// The differences between the players' positions.
  package struct Spread: Equatable, Sendable {
    /// The number of observations.
    package var looks: Int
    package var median: Duration
    /// 95 % of the observations found no larger difference.
    package var percentile95: Duration
    package var worst: Duration

    init?(_ samples: [Duration]) {
      guard !samples.isEmpty else { return nil }
      let sorted = samples.sorted()
      looks = sorted.count
      median = sorted[(sorted.count - 1) / 2]
      percentile95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
      worst = sorted[sorted.count - 1]
    }
  }
}
