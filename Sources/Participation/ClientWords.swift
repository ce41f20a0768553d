package import GroupSessions
package import InAppMessaging
package import Playback
package import UserNotifications
package import Vocabulary
package import Wire

extension Client {
  /// A number the app chooses for a request, to know its outcome by.
  package typealias Tag = Int

  /// What reaches a client.
  package enum Input: Equatable, Sendable {
    /// Begin to connect.
    case start
    /// The connection that ``Output/connect`` asked for stands.
    case connectionOpened
    /// The connection is gone, or none could be made, for this reason; not said after
    /// ``Output/disconnect``.
    case connectionClosed(String)
    case received(ServerMessage)
    /// What the app wants of the server; its one outcome comes as ``Update/outcome(_:_:)``.
    case ask(Request, Tag)
    /// A message nobody waits for.
    case say(DroppableMessage)
    /// What the player that was told to load this item tells.
    case player(PlayerEvent, of: ItemID)
    /// How much later than the player says its sound comes out.
    case setPlayerOffset(Duration)
    /// The app's player may be elsewhere than it was told; of use while that session is joined.
    case reapply(SessionID)
    /// What the person wants done with activities of a type, from now on.
    case setSharing(SharingPreference?, activityType: String)
    /// What happened to in-app messages on this side: answers, views, the app's own wishes.
    case presenter(MessagePresenter.Input)
    /// How the presenter goes about its work from now on.
    case presenterSettings(PresenterSettings)
    /// Something happened in the app; the server hears of it, now or when it can.
    case log(AppEvent)
    /// Media is to be watched here without a session.
    case enqueuedAlone(SessionMedia)
    /// Something is known of the person now; `nil` is no longer.
    case setAttribute(String, PropertyValue?)
    /// What happened to notifications on this side: what the app set, what the person did, what
    /// handlers answered.
    case center(NotificationCenterState.Input)
    /// Time passed; harmless at any moment, due at ``Client/nextDeadline``.
    case clockAdvanced
    /// Another person takes the device over: put away what this one sees, leave, say for so long what
    /// they did, and end. What the app logs from then on is not taken.
    case retire(within: Duration)
    /// Leave everything and never come back.
    case close
  }

  /// What a client asks of its shell, to be carried out in order.
  package enum Output: Equatable, Sendable {
    /// Try to reach the server; the end is told as ``Input/connectionOpened`` or
    /// ``Input/connectionClosed(_:)``.
    case connect
    /// Close the connection, or give up the attempt, after what was sent; tell nothing more of it.
    case disconnect
    case send(ClientMessage)
    case player(PlayerOrder)
    /// For the app.
    case publish(Update)
  }

  /// What a client asks of its player.
  package enum PlayerOrder: Equatable, Sendable {
    /// Open the media and stand paused at its start; what was open before is put away.
    case load(MediaItem)
    /// Put away what is open.
    case unload
    case carryOut(PlayerCommand)
  }

  /// What an app is told.
  package enum Update: Equatable, Sendable {
    case connection(ConnectionState)
    case eligibility(Eligibility)
    /// The group as it is now; `nil` in none.
    case group(Group?)
    /// An activity goes on that this device cannot take part in.
    case activityNotice(ActivityNotice)
    /// What became of a request.
    case outcome(Tag, Outcome)
    case session(SessionID, SessionUpdate)
    /// What is to be done about in-app messages, in this order.
    case presenter(MessagePresenter.Output)
    /// The message on screen, and those on the stack, the next one first.
    case messages(visible: InAppMessage?, stack: [InAppMessage])
    /// An event, a report or an attribute that the server never heard of, in words: too many waited,
    /// or it was refused.
    case unsent(String)
    /// No live campaign waits for an event that was logged.
    case noMatchingTrigger(event: String)
    /// What is to be done about notifications, in this order.
    case center(NotificationCenterState.Output)
    /// The notifications that stand here, in the order they came to.
    case standing([UserNotification])
    /// An object that the app follows, as it is known now; `nil` once it is followed no more.
    case object(SessionObject, StateMirror?)
    /// What became of a notification, or what the person did about it, and the server never took in:
    /// it refused, or too much waited, for too long.
    case reportLost(NotificationID, NotificationReport, Failure?)
  }

  /// How a client stands to its server.
  package enum ConnectionState: Equatable, Sendable {
    /// Not welcomed yet; the text says what went wrong with the last attempt, if one did.
    case connecting(String?)
    case online
    /// It was online, until that moment.
    case reconnecting(since: HostTime, String)
    /// It will not try again.
    case offline(Failure)
  }

  /// What became of a request; each gets exactly one.
  package enum Outcome: Equatable, Sendable {
    case answered(Answer)
    indirect case reported(StatusReport)
    /// Why the person does or does not see campaigns.
    case explained([Explanation])
    /// What stands for this device, the oldest first.
    case listed([ListedNotification])
    /// An object in the version it has now.
    case object(version: Int64, [String: PayloadValue])
    case failed(Failure)
  }

  /// Why a request, a join or a connection failed.
  package enum Failure: Error, Equatable, Sendable {
    /// The server said no.
    indirect case refused(ProtocolError)
    /// The server said no, for a reason that only a newer client knows.
    case refusedUnknown(UnknownError)
    /// No answer came in time; whether it was carried out is not known.
    case timedOut
    /// The server does not know this device any more; what it asked for may not have been done.
    case forgotten
    /// As many requests wait as may.
    case tooManyRequests(limit: Int)
    /// The device does not take part in the session.
    case notJoined
    /// The session is over for this device.
    case invalidated(InvalidationReason)
    /// A later value took this one's place before it could be sent.
    case superseded
    /// The client was closed.
    case closed
  }

  /// Why a session is over for this device; said once, and nothing after it.
  package indirect enum InvalidationReason: Equatable, Sendable {
    /// This device left.
    case left
    /// This device's person dismissed the message that hosts the watching.
    case dismissed
    /// This device, or its person on another one, did not want the offer.
    case declined
    /// The session ended for everyone.
    case ended(EndReason)
    /// A host removed this device.
    case removed(by: ParticipantID, isBanned: Bool)
    /// The same person goes on with another device.
    case handedOff(to: ParticipantID)
    /// The device may not take part any more.
    case notEligible
    /// The join did not succeed.
    case joinFailed(Failure)
    /// The connection was away for longer than the server keeps a place.
    case connectionLost
    /// The server forgot the session although the connection was not away for long.
    case serverRestarted
    /// The client was closed.
    case closed
  }
}

extension Client {
  /// What an app is told of one session, from an offer to exactly one invalidation.
  package enum SessionUpdate: Equatable, Sendable {
    /// It waits for this device, or what it is about changed while it waits.
    case waiting(Offer)
    /// This device takes part.
    case joined(ParticipantID)
    /// What everyone watches; `by` is `nil` on joining and where the queue went on by itself.
    case activity(GroupActivity, revision: Int, by: ParticipantID?)
    case roster(RosterChange)
    case playback(PlaybackStatus)
    case queue(Queue)
    case policies(SessionPolicies)
    /// Who was asked to come, and what became of it.
    case invitations([Invitation])
    /// A message of a messenger; `seq` is `nil` for a droppable one.
    case message(JSONText, from: ParticipantID, seq: Int?)
    /// This device has another item current than those who watch what the session is about: the
    /// app may offer to go over.
    case itemMismatch(ItemID, others: ItemID)
    /// What someone did, for people to read.
    case notice(SessionNotice)
    /// How far the player is from where it should be, about once a second while it runs.
    case drift(Duration)
    /// What was done about the player's distance.
    case corrected(Follower.Correction, error: Duration)
    /// The session is over for this device.
    case invalidated(InvalidationReason)
  }

  /// Who came, went or changed.
  package enum RosterChange: Equatable, Sendable {
    case joined(GroupSessions.Participant)
    case left(GroupSessions.Participant, LeaveReason?)
    /// Its role, its connection, its suspensions, its current item or how long its copy is.
    case changed(ParticipantID)
  }

  /// How the group stands to this device's current item.
  package struct PlaybackStatus: Equatable, Sendable {
    package var item: ItemID
    package var timeline: Timeline
    /// The names of those a start waits for.
    package var waitingFor: [String]
    /// Why this device is detached; empty while attached.
    package var suspensions: [Suspension]
    /// Whether this device's player has the item open.
    package var isLoaded: Bool
  }
}
