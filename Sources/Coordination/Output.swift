package import InAppMessaging
package import UserNotifications
package import Vocabulary
package import Wire

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
