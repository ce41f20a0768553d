package import GroupSessions
package import InAppMessaging
package import Playback
package import UserNotifications
package import Vocabulary
package import Wire

extension Client {
  /// A number that the app chooses to match a request with its outcome.
  package typealias Tag = Int

  /// An input of a client.
  package enum Input: Equatable, Sendable {
    /// Start to connect.
    case start
    /// Try at once instead of after the pause, or probe the connection, because the network changed
    /// or the app was asleep.
    case reconnect
    /// The connection requested by ``Output/connect`` is open.
    case connectionOpened
    /// The connection was lost, or could not be opened, for this reason.
    ///
    /// Not sent after ``Output/disconnect``.
    case connectionClosed(String)
    case received(ServerMessage)
    /// A request of the app; its one outcome is published as ``Update/outcome(_:_:)``.
    case ask(Request, Tag)
    /// A message that may be dropped; it has no outcome.
    case say(DroppableMessage)
    /// The person wants this session, or the current one, to start when all are ready, or no longer;
    /// ignored outside of it.
    case countdown(Bool, of: SessionID? = nil)
    /// An event of the player that was ordered to load this item.
    case player(PlayerEvent, of: ItemID)
    /// The delay between the position that the player reports and its audible sound.
    case setPlayerOffset(Duration)
    /// Commands the player again because its actual state is uncertain; ignored outside this
    /// session.
    case reapply(SessionID)
    /// The person's sharing preference for an activity type, from now on.
    case setSharing(SharingPreference?, activityType: String)
    /// An input of the in-app message presenter: an answer, a view event or a call of the app.
    case presenter(MessagePresenter.Input)
    /// The presenter's settings, from now on.
    case presenterSettings(PresenterSettings)
    /// Logs an event of the app, which is sent to the server now or after the next connection.
    case log(AppEvent)
    /// Media is due to be watched here without a session; `nil` is no longer.
    case enqueuedAlone(SessionMedia?)
    /// A person who watches alone opened or closed media in the player, without the client.
    case openedAlone
    /// The app attached a player, or another one, or detached it, as `false` says.
    case playerAttached(Bool)
    /// This device has a copy of the item of its own from now on.
    case ownCopyNamed(of: ItemID)
    /// Sets an attribute of the person; `nil` removes it.
    case setAttribute(String, PropertyValue?)
    /// The app gives a credential: the answer to ``CredentialState/wanted``, or of its own accord.
    case credential(String)
    /// The app cannot give a credential now, for this reason; it is asked again.
    case credentialFailed(String)
    /// An input of the notification center: a call of the app, an action of the person or a
    /// handler's result.
    case center(NotificationCenterState.Input)
    /// Time has passed; allowed at any moment, due at ``Client/nextDeadline``.
    case clockAdvanced
    /// Ends the client because another person takes over the device.
    ///
    /// The client removes what this person sees, leaves, and keeps sending what they did for at
    /// most this long. Events that the app logs afterwards are rejected.
    case retire(within: Duration)
    /// Leaves everything and closes the client permanently.
    case close
  }

  /// An output of a client, which its shell carries out in order.
  package enum Output: Equatable, Sendable {
    /// Try to connect to the server.
    ///
    /// The result is ``Input/connectionOpened`` or ``Input/connectionClosed(_:)``.
    case connect
    /// Close the connection after everything sent, or cancel the attempt; report nothing about it.
    case disconnect
    case send(ClientMessage)
    case player(PlayerOrder)
    /// Publish this update to the app.
    case publish(Update)
  }

  /// An order to the player.
  package enum PlayerOrder: Equatable, Sendable {
    /// Open the media, paused at this position or its start, in place of what was open before.
    case load(MediaItem, startingAt: MediaTime? = nil)
    /// Close the open media.
    case unload
    case carryOut(PlayerCommand)
  }

  /// An update for the app.
  package enum Update: Equatable, Sendable {
    case connection(ConnectionState)
    /// The state of the credential; published only if the app gives credentials.
    case credential(CredentialState)
    case eligibility(Eligibility)
    /// Whether the group's time may be known so badly here that people notice; good until told.
    case clockQuality(isPoor: Bool)
    /// The group's new state; `nil` after this device left it.
    case group(Group?)
    /// The server did not let this device return to its group after a new connection.
    case rejoinFailed(Failure)
    /// The key of the group that this device is in; `nil` if it has none.
    case groupKey(String?)
    /// Another device with this name asks to come in with the code that this one made.
    case pairingAsked(name: String)
    /// An activity is under way that this device cannot join.
    case activityNotice(ActivityNotice)
    /// The outcome of a request.
    case outcome(Tag, Outcome)
    case session(SessionID, SessionUpdate)
    /// An output of the in-app message presenter; the app carries these out in order.
    case presenter(MessagePresenter.Output)
    /// The visible message, and the stack with the next message first.
    case messages(visible: InAppMessage?, stack: [InAppMessage])
    /// An event, a report or an attribute that was dropped, described in English.
    ///
    /// Either the backlog was full, or it waited too long, or the server refused it.
    case unsent(String)
    /// Whether the server has in-app messages; published when a server refuses them, and when the
    /// next connection may be to another.
    case messagingAvailable(Bool)
    /// No live campaign is triggered by a logged event.
    case noMatchingTrigger(event: String)
    /// An output of the notification center; the app carries these out in order.
    case center(NotificationCenterState.Output)
    /// The delivered notifications on this device, in order of arrival.
    case standing([UserNotification])
    /// The new state of a followed object; `nil` when it is no longer followed.
    case object(ServerObject, StateMirror?)
    /// A report on a notification that was lost.
    ///
    /// Either the server refused it, or the backlog was full, or it waited too long.
    case reportLost(NotificationID, NotificationReport, Failure?)
  }

  /// The state of a client's connection to its server.
  package enum ConnectionState: Equatable, Sendable {
    /// Not welcomed yet; the text is the last attempt's error, if it failed.
    case connecting(String?)
    case online
    /// The connection was lost at this time, for this reason.
    case reconnecting(since: HostTime, String)
    /// The client does not try again.
    case offline(Failure)
  }

  /// The state of the credential with which a client proves who its person is.
  package enum CredentialState: Equatable, Sendable {
    /// The app is asked for a new one, which is ``Input/credential(_:)``.
    case wanted
    /// The app gave none, for this reason; it is asked again after a pause.
    case failed(String)
    /// The server refused it.
    indirect case refused(ProtocolError)
    /// The server accepted it.
    case accepted
  }

  /// The outcome of a request; each request gets exactly one.
  package enum Outcome: Equatable, Sendable {
    case answered(Answer)
    indirect case reported(StatusReport)
    /// Why the person does or does not see each campaign.
    case explained([Explanation])
    /// The notifications listed for this device, the oldest first.
    case listed([ListedNotification])
    /// An object's current version and fields.
    case object(version: Int64, [String: PayloadValue])
    case failed(Failure)
  }

  /// Why a request, a join or a connection failed.
  package enum Failure: Error, Equatable, Sendable {
    /// The server refused.
    indirect case refused(ProtocolError)
    /// The server refused with an error code that this client does not know.
    case refusedUnknown(UnknownError)
    /// No answer arrived in time; the server may or may not have carried it out.
    case timedOut
    /// The server no longer knows this device; the request may not have been carried out.
    case forgotten
    /// The limit of pending requests is reached.
    case tooManyRequests(limit: Int)
    /// The device is not a participant of the session.
    case notJoined
    /// The session is over for this device.
    case invalidated(InvalidationReason)
    /// A later value replaced this one before it was sent.
    case superseded
    /// The client was closed.
    case closed
  }

  /// Why a session is over for this device; published once, as the session's last update.
  package indirect enum InvalidationReason: Equatable, Sendable {
    /// This device left.
    case left
    /// The person dismissed the message that hosts the session.
    case dismissed
    /// The person declined the offer, here or on another device.
    case declined
    /// The session ended for everyone.
    case ended(EndReason)
    /// A host removed this device.
    case removed(by: ParticipantID, isBanned: Bool)
    /// The same person continues on another device.
    case handedOff(to: ParticipantID)
    /// The device is no longer eligible.
    case notEligible
    /// The join failed.
    case joinFailed(Failure)
    /// The device was offline for longer than the server's grace period.
    case connectionLost
    /// The server lost the session although the device was offline for less than the grace period.
    case serverRestarted
    /// The client was closed.
    case closed
  }
}

extension Client {
  /// An update about one session; each session ends with exactly one invalidation.
  package enum SessionUpdate: Equatable, Sendable {
    /// The session is offered to this device, or the offered activity changed.
    case waiting(Offer)
    /// This device is a participant now.
    case joined(ParticipantID)
    /// The session's activity; `by` is `nil` on joining and when the queue advances automatically.
    case activity(GroupActivity, revision: Int, by: ParticipantID?)
    case roster(RosterChange)
    case playback(PlaybackStatus)
    case queue(Queue)
    /// The attachments, the earliest first.
    case attachments([SessionAttachment])
    case policies(SessionPolicies)
    /// How many spectators watch, besides the participants.
    case audience(AudienceSize)
    /// The invitations and their answers.
    case invitations([Invitation])
    /// A message of a messenger; `seq` is `nil` for a droppable one, of which nobody is told whether it
    /// is private.
    case message(JSONText, from: ParticipantID, seq: Int?, isPrivate: Bool = false)
    /// What others said before this device joined or while it was away, the oldest first.
    case chat([Chat.Line])
    /// "Start when all are ready", as everybody sees it; `nil` while nobody wants it.
    case countdown(StartCountdown?)
    /// This device has another item current than the participants who watch the activity's item.
    ///
    /// The app can offer to switch.
    case itemMismatch(ItemID, others: ItemID)
    /// What a participant did, as text for people.
    case notice(SessionNotice)
    /// The media cannot be played here, for this reason.
    case unplayable(MediaItem, reason: String)
    /// The player's distance from its expected position, about once a second while it plays.
    case drift(Duration)
    /// A correction of the player's distance from its expected position.
    case corrected(Follower.Correction, error: Duration)
    /// The session is over for this device.
    case invalidated(InvalidationReason)
  }

  /// A participant joined, left or changed.
  package enum RosterChange: Equatable, Sendable {
    case joined(GroupSessions.Participant)
    case left(GroupSessions.Participant, LeaveReason?)
    /// A change of role, readiness, connection, suspensions, current item or the length of its
    /// copy.
    case changed(ParticipantID)
  }

  /// The group's playback of this device's current item.
  package struct PlaybackStatus: Equatable, Sendable {
    package var item: ItemID
    package var timeline: Timeline
    /// The participants for whom a start waits.
    package var waitingFor: [AwaitedParticipant]
    /// This device's suspensions; empty while it follows the group.
    package var suspensions: [Suspension]
    /// Whether this device's player has the item open.
    package var isLoaded: Bool
  }
}
