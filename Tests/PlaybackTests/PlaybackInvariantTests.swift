import Playback
import Testing
import Vocabulary

/// What holds whatever people, players and networks do, in any order.
@Suite struct PlaybackInvariantTests {
  static let seeds = (0..<10).map { UInt64($0) }
  static let scripts = 30
  static let steps = 200

  /// 10 × 30 scripts of 200 steps.
  @Test(arguments: seeds)
  func `no script of commands breaks an invariant`(seed: UInt64) throws {
    for number in 0..<UInt64(Self.scripts) {
      let scriptSeed = seed &* 1_000 &+ number
      do {
        try Self.play(scriptSeed)
      } catch let broken as Broken {
        Issue.record("seed \(scriptSeed), step \(broken.step): \(broken.rule)\n\(broken.context)")
        return
      }
    }
  }

  /// An invariant that did not hold.
  struct Broken: Error {
    let step: Int
    let rule: String
    let context: String
  }

  static func play(_ seed: UInt64) throws {
    var script = PlaybackScript(seed: seed)
    let policy = script.policy()
    var stage = PlaybackStage(policy)
    for id in PlaybackScript.people { stage.join(id) }
    var trail: [String] = []
    for number in 0..<steps {
      let step = script.next(stage)
      var checker = InvariantChecker(before: stage)
      checker.take(step, &stage)
      trail.append("\(step)")
      // Commands may come before a late timer; what must hold once it has fired is checked then.
      if case .sleep = step { continue }
      if let rule = checker.broken(stage) ?? checker.brokenOnceSettled(stage) {
        let context = trail.suffix(8).joined(separator: "\n") + "\n\(stage.playback)"
        throw Broken(step: number, rule: rule, context: context)
      }
    }
    guard stage.replayed(policy) == stage.playback else {
      throw Broken(step: steps, rule: "replaying gives another value", context: "")
    }
  }
}
