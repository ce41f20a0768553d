package import InAppMessaging
package import UserNotifications
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
  /// What became of an attempt to push that ``Output/push`` asked for.
  case pushEnded(PushAttempt, PushResult)
  /// Time passed; harmless at any moment, due at ``Coordinator/nextDeadline``.
  case clockAdvanced
  /// The server is to stop: everyone is told. Sessions end, unless they are to be gone on with
  /// from the journal.
  case stop(isResumable: Bool)
}

/// One attempt to push one notification to one device of a person.
package struct PushAttempt: Hashable, Sendable {
  package let user: UserID
  package let notification: NotificationID
  package let device: DeviceID
  /// Which attempt it is, from 1.
  package let number: Int

  /// The attempt that an order asks for.
  package init(_ order: PushOrder, of user: UserID) {
    self.user = user
    notification = order.notification.id
    device = order.device
    number = order.attempt
  }
}

/// What the coordinator asks of the shell, to be carried out in order.
package enum Output: Equatable, Sendable {
  /// Encode once, send to each.
  case send(ServerMessage, to: Peers)
  /// Say why and close, after everything that was sent before.
  case close(PeerID, ProtocolError)
  /// Keep this, and tell with ``Input/appended``; of the appends that one input brings about, all
  /// are kept or none.
  case append(Append)
  /// Keep an aggregate as it is now, so that a start need not read what went before.
  case snapshot(AggregateState)
  /// Something is wrong with a campaign, or with an app that shows it: for people who can mend it.
  case warn(MessagingWarning, of: UserID)
  /// Ask a push service, once, and tell with ``Input/pushEnded``; a shell without any says
  /// `refused`. Should no word come, it is asked again after a while.
  indirect case push(PushOrder, PushAttempt)
  /// The aggregate is over; nothing will be appended to it any more.
  case forget(AggregateID)
}
