import EventLoops
package import Journals
import Logging
package import Vocabulary

/// The group's common time.
///
/// It is the wall clock at the server's start plus the monotonic time since, so that it never steps
/// while the server runs.
package struct GroupClock: Equatable, Sendable {
  private let startInstant: Instant
  private let startTime: HostTime

  /// A clock that shows `instant` at the host time `time`.
  package init(showing instant: Instant, at time: HostTime) {
    startInstant = instant
    startTime = time
  }

  /// The clock of a server that continues from a journal.
  ///
  /// During one boot of the machine it continues the previous server's clock, even if the wall
  /// clock was set. After another boot it begins no earlier than the journal's last instant, so
  /// that anchors in the journal stay valid.
  ///
  /// - Parameters:
  ///   - contents: the journal's contents.
  ///   - boot: the identifier of this boot; `nil` if the system has none.
  ///   - wall: the time of day.
  ///   - time: the host's current time.
  package init(
    goingOnFrom contents: JournalContents, boot: String?, wall: Instant, at time: HostTime
  ) {
    if let tie = contents.clock, tie.boot == boot, tie.host <= time {
      self.init(showing: tie.instant, at: tie.host)
    } else {
      self.init(showing: contents.latest.map { max($0, wall) } ?? wall, at: time)
    }
  }

  /// Continues a journal's clock, and ties it to this boot of the machine for the next server.
  ///
  /// - Throws: an error that says why the journal cannot be written.
  init(
    goingOnFrom opened: any OpenedJournal, at time: HostTime, _ log: Logger
  ) throws(JournalError) {
    let boot = BootID.read()
    self.init(goingOnFrom: opened.contents, boot: boot, wall: WallClock.read(), at: time)
    if let boot {
      try opened.tie(tie(to: boot))
    } else {
      log.warning(
        "this boot of the machine has no id: a restart sets the group's time by the time of day",
        metadata: ["missing": "/proc/sys/kernel/random/boot_id"])
    }
  }

  /// The relation of the clock to this boot of the machine, for a journal.
  package func tie(to boot: String) -> ClockTie {
    ClockTie(boot: boot, host: startTime, instant: startInstant)
  }

  /// The group's time at a host time.
  package func instant(at time: HostTime) -> Instant {
    Instant(microseconds: time.microseconds.addingClamped(offset))
  }

  /// The host time at an instant of the group's time.
  package func hostTime(of instant: Instant) -> HostTime {
    HostTime(microseconds: instant.microseconds.subtractingClamped(offset))
  }

  /// The offset of the group's time from the host's, in microseconds.
  private var offset: Int64 {
    startInstant.microseconds.subtractingClamped(startTime.microseconds)
  }
}
