package import Vocabulary

/// How a notification centre goes about its work.
package struct CenterSettings: Equatable, Sendable {
  /// How long an app may think about showing a notification; then it is not shown.
  package var choicePatience = Duration.seconds(5)
  /// How long a handler may take to say that it is done: what Apple gives a background fetch.
  package var completionPatience = Duration.seconds(30)
  /// How long a person may take to show who they are: a password from another device.
  package var unlockPatience = Duration.seconds(120)
  /// The app's texts in its user's language, by the names payloads call them.
  package var texts: [String: String] = [:]

  /// Notifications that stand: more than anybody reads.
  package var standingLimit = 100
  /// Responses kept until the app has a handler for them; they come from one person's fingers.
  package var keptLimit = 64
  /// Responses kept until the person has shown who they are.
  package var lockedLimit = 8
  /// Handlers that have not said that they are done: eight a second for as long as one may take.
  package var callLimit = 256
  /// Local notifications that wait; iOS keeps as many.
  package var requestLimit = 64
  /// The shortest time after which one is repeated; Apple's.
  package var shortestRepeat = Duration.seconds(60)
  /// Notifications remembered as arrived: several trays full.
  package var memory = 512
  /// Bytes of a reply, as many as of a payload.
  package var replyBytes = 4_096

  /// The usual ways.
  package init() {}
}

/// What a device's clock on the wall showed at one moment, and so what it shows at any other.
///
/// Clocks on walls are put right, and hours saved in summer: whoever reads it tells the centre
/// again then.
package struct DeviceClock: Equatable, Sendable {
  /// What it showed.
  package var instant: Instant
  /// At which moment.
  package var time: HostTime
  /// How far it is ahead of UTC.
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
