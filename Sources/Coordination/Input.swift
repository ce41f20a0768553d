package import GroupSessions
package import Vocabulary
package import Wire

/// What the shell tells the coordinator.
package enum Input: Equatable, Sendable {
  case connected(PeerID)
  case received(PeerID, ClientMessage)
  /// A line that was no message; the error says why.
  case malformed(PeerID, RequestID?, ProtocolError)
  case disconnected(PeerID)
  /// What became of an append: events are kept, or somebody else's came first.
  case appended(AggregateID, AppendOutcome)
  /// Time passed; harmless at any moment, due at ``Coordinator/nextDeadline``.
  case clockAdvanced
  /// The server is to stop: everyone is told, sessions end.
  case stop
}

/// One event stream of the journal.
package enum AggregateID: Hashable, Sendable {
  case group(GroupID)
  case session(SessionID)
}

/// What a journal says to an append.
package enum AppendOutcome: Equatable, Sendable {
  /// The events are kept, at their place.
  case kept
  /// Somebody was first: these events stand where ours should have gone. Take them in, decide
  /// again, append again.
  case preceded(by: [RecordedEvent])
}

/// An event of any aggregate.
package enum AggregateEvent: Equatable, Sendable {
  case group(GroupEvent)
  case session(SessionEvent)
}

/// An event as the journal keeps it; its place in the stream is its number.
package struct RecordedEvent: Equatable, Sendable {
  package let at: Instant
  package let event: AggregateEvent

  /// An event that happened at that instant.
  package init(at: Instant, event: AggregateEvent) {
    self.at = at
    self.event = event
  }
}
