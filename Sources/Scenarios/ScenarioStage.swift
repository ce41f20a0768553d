import Vocabulary

/// Something a scenario runs on: peers that can be told what to do and looked at, and time.
package protocol ScenarioStage {
  /// The time since the scenario began.
  var now: Duration { get }

  /// Why the stage cannot go on, such as a server that died; `nil` while it can.
  var failure: String? { get }

  /// Lets a peer do something; what comes of it shows in what is seen later.
  mutating func perform(_ verb: Verb, by peer: String)

  /// Lets something befall the server; its peers find out by themselves.
  mutating func perform(_ verb: ServerVerb)

  /// What is seen of each peer now.
  func observe() -> [String: Observation]

  /// Lets time pass until a moment; it may end a little later, never earlier.
  mutating func run(until moment: Duration)
}
