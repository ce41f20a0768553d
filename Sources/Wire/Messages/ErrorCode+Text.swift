extension ErrorCode {
  /// The code's meaning, and the advice to the sender.
  var text: (meaning: String, advice: String) {
    switch self {
    case .notJSON:
      (
        "the line is not a JSON object",
        "send one JSON object a line, in UTF-8"
      )
    case .lineTooLong:
      (
        "the line is longer than the server takes",
        "split the payload, or keep it elsewhere and send its URL"
      )
    case .unknownType:
      (
        "the server knows no message of this type",
        "check the type's spelling and the protocol version"
      )
    case .invalidField:
      (
        "a field is missing, of the wrong type or out of range",
        "correct the field that `field` names"
      )
    case .helloRequired:
      (
        "the first line was not a hello",
        "say hello first"
      )
    case .alreadyGreeted:
      (
        "this connection has said hello already",
        "open another connection for another device"
      )
    case .unsupportedVersion:
      (
        "client and server share no version of the protocol",
        "update whichever is older"
      )
    case .helloTimeout:
      (
        "no hello came in time",
        "say hello right after connecting"
      )
    case .idleTimeout:
      (
        "nothing was heard for too long",
        "ping every five seconds, and resume"
      )
    case .rateLimited:
      (
        "too many messages in too short a time",
        "wait for `retryAfter` and send less often"
      )
    case .serverFull:
      (
        "the server has as many connections as it takes",
        "try again later, or another server"
      )
    case .slowConsumer:
      (
        "the peer does not read as fast as it is written to",
        "read faster, and resume"
      )
    case .superseded:
      (
        "the same device opened another connection",
        "use the newer connection"
      )
    case .deviceInUse:
      (
        "the device has another connection",
        "resume with the token, or say hello as another device"
      )
    case .shuttingDown:
      (
        "the server stops",
        "reconnect with back-off and resume"
      )
    case .resumeRefused:
      (
        "the token is unknown or its grace is over",
        "say hello without it and join again"
      )
    case .notInGroup:
      (
        "the device is in no group",
        "join a group first"
      )
    case .alreadyInGroup:
      (
        "the device is in another group",
        "leave that one first"
      )
    case .groupFull:
      (
        "the group has as many members as it takes",
        "use another group"
      )
    case .groupsFull:
      (
        "the server has as many groups as it takes",
        "try again later"
      )
    case .groupClosed:
      (
        "the group is closed",
        "join it again to open a new one"
      )
    case .notFounder:
      (
        "only whoever opened the group may close it",
        "leave it instead"
      )
    case .notYourDevice:
      (
        "that device is another person's, or not in the group",
        "name one of your own devices in the group"
      )
    case .notEligible:
      (
        "the device cannot take part in a session now",
        "see `reason`; wait for eligibility to change"
      )
    case .activityInProgress:
      (
        "the group is in a session of something else",
        "join that session, or ask to replace it"
      )
    case .invalidActivity:
      (
        "the activity cannot be shared as it is",
        "correct the field that `field` names"
      )
    case .unknownSession:
      (
        "there is no such session",
        "wait for an offer"
      )
    case .sessionEnded:
      (
        "the session is over",
        "see `reason`; start or join another one"
      )
    case .notActivated:
      (
        "the activity is only staged",
        "activate it first"
      )
    case .notJoined:
      (
        "the device does not take part in the session",
        "join first"
      )
    case .alreadyInSession:
      (
        "the device takes part in another session",
        "leave that one first"
      )
    case .forbidden:
      (
        "the role does not allow this",
        "ask a host; `reason` names the permission"
      )
    case .conflict:
      (
        "someone else changed the activity first",
        "look at `revision` and decide again"
      )
    case .sessionFull:
      (
        "the session has as many participants as it takes",
        "try again when somebody has left"
      )
    case .banned:
      (
        "a host removed this device for good",
        "ask the host"
      )
    case .notYourParticipant:
      (
        "that participant is another person's",
        "hand off only your own devices"
      )
    case .unknownParticipant:
      (
        "nobody of that name takes part",
        "look at the roster again"
      )
    case .notInvited:
      (
        "the person is not invited to the session",
        "join it, or wait to be invited"
      )
    case .invitationAnswered:
      (
        "the person gave another answer first, which stands",
        "see `reason`; whoever wants to come joins, whoever wants to go leaves"
      )
    case .invitationOver:
      (
        "the invitation stands no more",
        "see `reason`; join, or wait to be invited anew"
      )
    case .tooManyInvitations:
      (
        "the session has as many invitations as it takes",
        "let the others come by their group's offer"
      )
    case .unknownEntry:
      (
        "the queue has no such entry",
        "look at the queue again"
      )
    case .queueFull:
      (
        "the queue has as many entries as it takes",
        "remove some first"
      )
    case .noSuchNeighbour:
      (
        "there is nothing before or after the current entry",
        "insert something, or repeat all"
      )
    case .staleItem:
      (
        "the command names another item than the device has current",
        "make the item current first"
      )
    case .staleReport:
      (
        "the report answers an event that another one replaced",
        "answer the event that `seq` numbers"
      )
    case .suspendedLocalOnly:
      (
        "a suspended device's commands act on its own player only",
        "end the suspension first"
      )
    case .unknownSuspension:
      (
        "there is no open suspension of that number",
        "use the number of the answer to suspend"
      )
    case .tooManySuspensions:
      (
        "the device has as many suspensions open as it may",
        "end one first"
      )
    case .tooManyTimelines:
      (
        "the session follows as many items as it may",
        "put an item away first"
      )
    case .messagingUnavailable:
      (
        "the server sends no in-app messages",
        "do without them, or have the server given campaigns"
      )
    case .unknownCampaign:
      (
        "the server has no such campaign",
        "check the campaign's id and its variant's"
      )
    case .collectionOff:
      (
        "nothing is collected of this person, or their messages rest",
        "switch collection on, or end the pause"
      )
    case .tooManyAttributes:
      (
        "the person has as many attributes as they may",
        "remove some first"
      )
    case .tooManyLists:
      (
        "the person is on as many lists as they may",
        "take them off some first"
      )
    case .usersFull:
      (
        "the server knows the messages of as many people as it may, all of them here lately",
        "do without messages, or raise the server's bound"
      )
    case .notificationsUnavailable:
      (
        "the server has no notifications",
        "do without them"
      )
    case .payloadTooLarge:
      (
        "the notification has more bytes than a push can have",
        "send less, and let the app fetch the rest"
      )
    case .invalidEndpoint:
      (
        "the server asks no push service there",
        "see `reason`; hand over the endpoint as the push service gave it"
      )
    case .invalidTopic:
      (
        "no topic can have this name",
        "name it `group/…`, `user/…` or `app/…`"
      )
    case .notYourTopic:
      (
        "the topic is not the person's to publish or subscribe to",
        "join its group, or use a topic of your own"
      )
    case .tooManySubscriptions:
      (
        "the person subscribed to as many topics and objects as they may",
        "unsubscribe from some first"
      )
    case .unknownNotification:
      (
        "the person was never sent such a notification, or long ago",
        "list those that stand"
      )
    case .notificationOver:
      (
        "the notification was answered, removed, taken back, or it expired",
        "list those that stand"
      )
    case .traysFull:
      (
        "the server keeps the notifications of as many people as it may",
        "do without them, or raise the server's bound"
      )
    case .noAdministrator:
      (
        "the server knows no administrator",
        "give it a key when it starts"
      )
    case .wrongKey:
      (
        "the key is not the administrator's",
        "use the key that the server was given"
      )
    case .invalidToken:
      (
        "the token is none that this server made",
        "answer from the app"
      )
    case .tokenExpired:
      (
        "the token's invitation has expired",
        "join, or wait to be invited anew"
      )
    case .busy:
      (
        "too much waits for this group already",
        "wait for `retryAfter` and try again"
      )
    case .journalUnavailable:
      (
        "the server cannot keep changes at the moment",
        "ask again after `retryAfter`; nothing was changed"
      )
    }
  }
}
