package import Vocabulary

/// The deadlines and bounds of a notification centre.
package struct CenterSettings: Equatable, Sendable {
  /// How long a handler may take to decide how a notification is shown; after that it is not shown.
  package var choicePatience = Duration.seconds(5)
  /// How long a handler may take until it is done: as long as Apple gives a background fetch.
  package var completionPatience = Duration.seconds(30)
  /// How long a person may take to unlock the device: long enough to look up a password elsewhere.
  package var unlockPatience = Duration.seconds(120)
  /// The app's texts in the user's language, by the keys that payloads use.
  package var texts: [String: String] = [:]

  /// Notifications that may stand: more than a person reads.
  package var standingLimit = 100
  /// Responses kept until the app has a handler for them: one person's taps.
  package var keptLimit = 64
  /// Actions kept until the person has unlocked the device.
  package var lockedLimit = 8
  /// Handlers at work: eight a second for as long as one may take.
  package var callLimit = 256
  /// Local notifications that wait; iOS keeps as many.
  package var requestLimit = 64
  /// The shortest interval of a repeated one; Apple's.
  package var shortestRepeat = Duration.seconds(60)
  /// Notifications remembered as arrived: several times what a tray holds.
  package var memory = 512
  /// Bytes of a reply, as many as of a payload.
  package var replyBytes = Limits.payloadBytes

  /// The default settings.
  package init() {}
}

/// What a device's wall clock showed at one moment, from which any other moment follows.
///
/// The wall clock is set now and then, and its offset changes with daylight saving time; the driver
/// then tells the centre again.
package struct DeviceClock: Equatable, Sendable {
  /// What the clock showed.
  package var instant: Instant
  /// The moment at which it was read.
  package var time: HostTime
  /// How far the clock is ahead of UTC.
  package var offset: Duration

  /// A clock that showed that instant at that moment.
  package init(_ instant: Instant, at time: HostTime, offset: Duration = .zero) {
    self.instant = instant
    self.time = time
    self.offset = offset
  }

  /// What it shows at a moment.
  package func instant(at time: HostTime) -> Instant { instant + (time - self.time) }

  /// The moment at which it shows an instant.
  package func time(of instant: Instant) -> HostTime { time + (instant - self.instant) }
}
