package import InAppMessaging
package import Vocabulary
package import Wire

/// What the shell tells the coordinator.
package enum Input: Sendable {
  /// What a journal held at the start; comes first, if at all.
  case recovered(Recovery)
  case connected(PeerID)
  case received(PeerID, ClientMessage)
  /// A line that was no message; the error says why.
  case malformed(PeerID, RequestID?, ProtocolError)
  case disconnected(PeerID)
  /// What became of an append: it is kept, somebody else's came first, or writing fails.
  case appended(Append, AppendOutcome)
  /// The campaigns are these from now on; before the first, the server sends no messages.
  case campaigns(CampaignSet)
  /// Time passed; harmless at any moment, due at ``Coordinator/nextDeadline``.
  case clockAdvanced
  /// The server is to stop: everyone is told. Sessions end, unless they are to be gone on with
  /// from the journal.
  case stop(isResumable: Bool)
}
