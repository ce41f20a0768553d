internal import Vocabulary

/// How messages behave on a server; their bounds are in `Limits`.
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

  /// The policy a server starts with.
  package init() {}
}
