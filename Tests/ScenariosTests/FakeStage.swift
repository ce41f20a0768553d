import Scenarios
import Vocabulary

/// A stage on which every verb comes true after a while: play makes everyone play, and so on.
struct FakeStage: ScenarioStage {
  var now = Duration.zero
  var failure: String?
  /// From a verb to what is seen of it.
  var delay = Duration.milliseconds(100)
  /// The stage gives way then.
  var breaksAt: Duration?
  private var observations: [String: Observation]
  private var changes: [(at: Duration, change: (inout Observation) -> Void)] = []
  private(set) var performed: [String] = []

  init(_ names: [String]) {
    var fresh = Observation()
    fresh.connection = .connected
    fresh.ineligibility = nil
    fresh.session = .joined
    fresh.player = Observation.Player(position: .zero, isRunning: false, commands: 0)
    observations = Dictionary(uniqueKeysWithValues: names.map { ($0, fresh) })
  }

  mutating func perform(_ verb: Verb, by peer: String) {
    performed.append("\(peer) at \(now.secondsText)")
    switch verb {
    case .play:
      changes.append(
        (
          now + delay,
          { seen in
            seen.phase = .playing
            seen.player?.isRunning = true
          }
        ))
    case .pause:
      changes.append(
        (
          now + delay,
          { seen in
            seen.phase = .paused(at: .seconds(1))
            seen.player = Observation.Player(position: .seconds(1), isRunning: false, commands: 2)
          }
        ))
    default: break
    }
  }

  mutating func perform(_ verb: ServerVerb) {
    performed.append("server \(verb.rawValue) at \(now.secondsText)")
  }

  func observe() -> [String: Observation] { observations }

  mutating func run(until moment: Duration) {
    now = moment
    if let breaksAt, breaksAt <= now { failure = "the server died" }
    for (at, change) in changes where at <= now {
      for name in observations.keys {
        if var seen = observations[name] { change(&seen); observations[name] = seen }
      }
    }
    changes.removeAll { $0.at <= now }
  }

  /// Puts one peer's player elsewhere.
  mutating func move(_ name: String, to position: MediaTime) {
    observations[name]?.player?.position = position
  }
}
