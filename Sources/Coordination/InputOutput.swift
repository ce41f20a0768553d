package import InAppMessaging
package import Signatures
package import UserNotifications
package import Vocabulary
package import Wire

/// An input from the shell.
package enum Input: Sendable {
  /// The journal's contents at the start; if there are any, this comes first.
  case recovered(Recovery)
  /// A connection is there; with a link, it came in at a server that keeps its audiences.
  case connected(PeerID, from: PeerAddress? = nil, over: LinkID? = nil)
  /// From here on nobody on the way reads or changes what a connection carries.
  case secured(PeerID)
  case received(PeerID, ClientMessage)
  /// The time of day; it comes before each message with a credential.
  case wallTime(WallTime)
  /// How people prove who they are from now on.
  case access(Access)
  /// A line that is not a valid message, and why.
  case malformed(PeerID, RequestID?, ProtocolError)
  case disconnected(PeerID)
  /// A device without a connection will not resume: its grace period is over at once.
  case abandoned(DeviceID)
  /// The outcome of an append: stored, preceded by another writer's events, failed, or not known yet.
  case appended(Append, AppendOutcome)
  /// Whether the journal has no room for what would make it grow, from now on.
  case journalFilled(Bool)
  /// Why people cannot do what they want, in a sentence for people, from now on; `nil` if they can.
  case obstacle(String?)
  /// The campaigns from now on; before the first, the server sends no messages.
  case campaigns(CampaignSet)
  /// The servers at which people come in, if this one takes links; it comes whenever they change.
  case servers([StatusReport.Server])
  /// Tell a peer to come back at another server, because this one is being drained.
  case sendBack(PeerID)
  /// Where players fetch the server's media; before it, only the server's pages do.
  case mediaDoor(MediaDoor)
  /// The result of a push attempt that ``Output/push(_:_:)`` asked for.
  case pushEnded(PushAttempt, PushResult)
  /// Time passed: due at ``Coordinator/nextDeadline``, harmless at any other time.
  case clockAdvanced
  /// The server stops and tells everyone; if the stop is not resumable, the sessions end first.
  case stop(isResumable: Bool)
}

/// One attempt to push one notification to one device of a person.
package struct PushAttempt: Hashable, Sendable {
  package let user: UserID
  package let notification: NotificationID
  package let device: DeviceID
  package let endpoint: PushEndpoint
  /// The number of the attempt, from 1.
  package let number: Int

  /// The attempt that an order describes.
  package init(_ order: PushOrder, of user: UserID) {
    self.user = user
    notification = order.notification.id
    device = order.device
    endpoint = order.endpoint
    number = order.attempt
  }
}

/// An output that the shell carries out, in order.
package enum Output: Equatable, Sendable {
  /// Encode the message once and send it to each peer.
  case send(ServerMessage, to: Peers)
  /// Send it to these peers, and once over each link of the audience behind them.
  case publish(ServerMessage, to: [PeerID], AudienceRelay)
  /// Tell servers that keep audiences who is in one of them.
  case audience(AudienceOrder)
  /// Send the error after everything before, and close the connection.
  case close(PeerID, ProtocolError)
  /// Close the connection without a word, because even that would cost too much.
  case shut(PeerID)
  /// Store this and report with ``Input/appended(_:_:)``; the appends of one input are stored
  /// together or not at all.
  case append(Append)
  /// Store an aggregate's current state, so that a start need not read the earlier events.
  case snapshot(AggregateState)
  /// Send everybody who came in at a server to the others, and stop it.
  case drain(ServerID)
  /// A campaign, or an app that shows it, has a fault that an operator has to fix.
  case warn(MessagingWarning, of: UserID)
  /// Ask a push service once and report with ``Input/pushEnded(_:_:)``.
  ///
  /// A shell without push services reports `refused`. Without a report the push is repeated after a
  /// while.
  indirect case push(PushOrder, PushAttempt)
  /// The aggregate is over; nothing more will be appended to it.
  case forget(AggregateID)
}
