package import Playback
package import Vocabulary

extension Follower {
  /// What reaches a follower.
  package enum Input: Equatable, Sendable {
    /// The item's timeline, as the server last told it; `nil` while the item is not current.
    ///
    /// The same timeline again puts the player back on it: after an intent was refused.
    case timeline(Timeline?, clock: ClockEstimate)
    /// A better estimate of the group's time.
    case clock(ClockEstimate)
    /// How much later than the player says its sound comes out, as the person set it.
    case playerOffset(Duration)
    /// Something the player told.
    case player(PlayerEvent)
    /// Whether a suspension other than this follower's own is open.
    case suspended(Bool)
    /// The player may be elsewhere than it was told: command it anew.
    case reapply
    /// ``Follower/nextDeadline`` has passed, or may have.
    case deadlineReached
  }

  /// What a follower wants done.
  package enum Output: Equatable, Sendable {
    /// For the player, in this order.
    case player(PlayerCommand)
    /// For the server: how this participant stands to its timeline.
    case report(Report)
    /// For the server: what the person wants of the group.
    case intent(Intent)
    /// For the server: step out of coordinated playback.
    case suspend(SuspensionReason)
    /// For the server: the suspension this follower asked for is over.
    case endSuspension
    /// For people who ask why: what was done about an error of that size.
    case correction(Correction, error: Duration)
    /// For displays, about once a second while running: where the player is less where it should
    /// be, with the typical error of its last readings.
    case status(error: Duration)
  }

  /// What a follower reports.
  package enum Report: Equatable, Sendable {
    /// Placed, buffered, able to start: answers the timeline of that number.
    case ready(seq: Int)
    /// The item ran to its end here, under the timeline of that number.
    case ended(seq: Int)
  }

  /// What a person asked for with the player's own keys.
  package enum Intent: Equatable, Sendable {
    /// Everyone should run.
    case play
    /// Everyone should stop at the frame that was seen here.
    case pause(at: MediaTime)
    /// Everyone should go there.
    case seek(to: MediaTime)
    /// Everyone should run at this rate.
    case setRate(Rate)
  }

  /// Why the player was touched while it ran.
  package enum Correction: Equatable, Sendable {
    /// Runs at this factor of the group's rate for a while.
    case rate(Double)
    /// Runs at exactly the group's rate again.
    case groupRate
    /// Seeks ahead by this much and waits for the group there.
    case seek(leadingBy: Duration)
    /// Started late by the error, less than is worth a seek.
    case startedLate
    /// Steps out for a while: it cannot keep up.
    case gaveUp
  }
}
