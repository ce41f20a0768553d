internal import Vocabulary

/// How messages behave on a server, and every bound of the engine with its reason.
package struct MessagingPolicy: Equatable, Sendable {
  /// How far apart messages come; all of them hold.
  package var intervals: [IntervalRule] = [.braze]
  /// How long after its delay a message is still worth showing, where its campaign says nothing: a
  /// person who locked the phone in the lift is back by then.
  package var timeToLive = Duration.seconds(300)
  /// How long a client that was offered a message may take to say what became of it, even when the
  /// time to live is over: its own watchdog takes 15 s, its images 10 s.
  package var answerDeadline = Duration.seconds(30)
  /// How long what waits on a client, or stands on it, outlives that client's connection.
  package var clientGrace = Duration.seconds(300)
  /// How long somebody has to be away for their return to begin a new session: Braze's time-out.
  package var sessionTimeOut = Duration.seconds(10)

  // MARK: Bounds

  /// Deliveries under way for one person: a client's stack of 50, what it shows and keeps apart,
  /// and a few on the way there.
  package var deliveries = 64
  /// Campaigns that stand behind the chosen one, should it come to nothing: when the fifth template
  /// in a row lacks a value, the event is at fault.
  package var fallbacks = 4
  /// Attributes of one person: a profile, not a database.
  package var attributes = 64
  /// Lists that one person is on.
  package var lists = 64
  /// Properties of one event.
  package var properties = 64
  /// Bytes of the name of an event, a property, an attribute or a list.
  package var nameBytes = 128
  /// Bytes of an attribute's value: 64 of the longest are a quarter of what a snapshot may take.
  package var attributeBytes = 512
  /// Bytes of an event's texts together: a delayed message keeps them until it is due.
  package var eventBytes = 8 * 1024
  /// Campaigns whose last evaluation is remembered for a person: 40 bytes each, in memory only.
  package var explainedCampaigns = 16

  /// The policy a server starts with.
  package init() {}
}
