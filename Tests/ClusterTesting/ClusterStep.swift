package import Simulation
import Vocabulary

/// One step of a script for a simulated cluster: something happens, and then time passes.
package struct ClusterStep: Equatable, Sendable, CustomStringConvertible {
  /// What happens.
  package enum Happening: Equatable, Sendable {
    /// A person wants something.
    case wish(Int, Wish)
    case fault(ClusterFault)
    /// A person's network is away for this time.
    case offline(Int, for: Duration)
    /// What a person says and hears comes late.
    case late(Int, for: Duration)
    case nothing
  }

  /// What a person wants; whoever is not in the session comes in instead.
  package enum Wish: Equatable, Sendable {
    case play, pause, seek
    /// To send a message that nobody else has sent, to all or to one.
    case say, whisper
    /// To add a film to the queue that nobody else has added, or to empty it.
    case enqueue, clearQueue
    /// To change the group's list of what to watch, as nobody else has.
    case list
    /// To leave the session, or the group; some never do, so that it goes on.
    case leave, leaveGroup

    /// As often as people want each.
    fileprivate static let usual: [Wish] = [
      .play, .play, .pause, .seek, .seek, .say, .say, .say, .whisper, .enqueue, .enqueue,
      .clearQueue, .list, .list, .leave, .leaveGroup,
    ]
  }

  package let happening: Happening
  package let pause: Duration

  package var description: String { "\(happening), then \(pause)" }

  /// How many people there are, each on a device of their own.
  package static let people = 4
  /// How many servers there are.
  package static let nodes = 3

  /// Draws a script.
  package static func script(
    of count: Int, using generator: inout some RandomNumberGenerator
  ) -> [ClusterStep] {
    (0..<count).map { _ in
      ClusterStep(
        happening: .random(using: &generator),
        pause: .milliseconds(
          [0, 0, 1, 30, 30, 200, 200, 1_000, 3_000].randomElement(using: &generator) ?? 0))
    }
  }
}

extension ClusterStep {
  /// The shortest part found of a script that is still wrong: steps are left out for as long as it
  /// stays wrong (`ddmin`, Zeller and Hildebrandt, 2002).
  package static func shortest(
    _ script: [ClusterStep], while isWrong: ([ClusterStep]) -> Bool
  ) -> [ClusterStep] {
    var shortest = script
    var size = max(shortest.count / 2, 1)
    while size >= 1 {
      var start = 0
      while start < shortest.count {
        var candidate = shortest
        candidate.removeSubrange(start..<min(start + size, candidate.count))
        if isWrong(candidate) { shortest = candidate } else { start += size }
      }
      size /= 2
    }
    return shortest
  }
}

extension ClusterStep.Happening {
  fileprivate static func random(using generator: inout some RandomNumberGenerator) -> Self {
    let person = Int.random(in: 0..<ClusterStep.people, using: &generator)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<75:
      return .wish(person, ClusterStep.Wish.usual.randomElement(using: &generator) ?? .say)
    case 75..<87: return .fault(.random(using: &generator))
    case 87..<91: return .offline(person, for: .upTo(8_000, using: &generator))
    case 91..<95: return .late(person, for: .upTo(4_000, using: &generator))
    default: return .nothing
    }
  }
}

extension ClusterFault {
  fileprivate static func random(using generator: inout some RandomNumberGenerator) -> Self {
    let node = Int.random(in: 0..<ClusterStep.nodes, using: &generator)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0, 1: return .kill(node, for: .upTo(6_000, using: &generator))
    case 2, 3: return .freeze(node, for: .upTo(8_000, using: &generator))
    case 4: return .cutLinks(node, for: .upTo(7_000, using: &generator))
    case 5: return .holdLinks(node, for: .upTo(7_000, using: &generator))
    case 6: return .cutOff(node, for: .upTo(6_000, using: &generator))
    case 7: return .drain(node)
    case 8: return .holdDatabase(for: .upTo(6_000, using: &generator))
    default: return .killDatabase(for: .upTo(5_000, using: &generator))
    }
  }
}

extension Duration {
  /// From a tenth of a second to this many milliseconds.
  fileprivate static func upTo(
    _ milliseconds: Int, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    .milliseconds(Int.random(in: 100...milliseconds, using: &generator))
  }
}
