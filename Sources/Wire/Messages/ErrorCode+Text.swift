extension ErrorCode {
  /// The code's meaning, and the advice to the sender.
  var text: (meaning: String, advice: String) {
    switch self {
    case .notJSON:
      ("the line is not a JSON object", "send one JSON object per line, in UTF-8")
    case .lineTooLong:
      (
        "the line is longer than the server accepts",
        "shorten the payload, or store it elsewhere and send its URL"
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
      ("the first line was not a hello", "say hello first")
    case .tlsRequired:
      (
        "the connection is not encrypted, and has to be",
        "connect with TLS; with Matinee's own client, by a link with matinee://"
      )
    case .credentialRequired:
      (
        "the server wants to know who you are",
        "say hello with a `credential`: a token, or the one that your device made"
      )
    case .credentialRefused:
      (
        "the credential does not prove that you are this person",
        "show another one; `reason` says what is wrong with this one"
      )
    case .credentialExpired:
      ("the credential is no longer valid", "connect again with a new one, or renew it in time")
    case .unproved:
      ("the name is not yours yet", "join a group with its key first, which claims the name")
    case .noPerson:
      (
        "an administrator's connection stands for no person",
        "say hello as a person on another connection"
      )
    case .pairingPending:
      ("your other device has not let this one in yet", "confirm it there; then connect again")
    case .pairingRefused:
      ("the code lets no device in", "ask your other device for a new code")
    case .namesFull:
      ("the server has reached its limit of names", "ask the administrator to free some")
    case .tooManyGuesses:
      ("too many wrong keys, credentials or codes came from this address", "wait for `retryAfter`")
    case .alreadyGreeted:
      ("this connection has already said hello", "open another connection for another device")
    case .unsupportedVersion:
      ("client and server have no protocol version in common", "update the older one")
    case .helloTimeout:
      ("no hello came in time", "say hello right after connecting")
    case .idleTimeout:
      ("nothing was received for too long", "ping every five seconds, and resume")
    case .rateLimited:
      (
        "too many messages, or too costly ones, were sent in a short time",
        "wait for `retryAfter`, and send less often"
      )
    case .serverFull:
      ("the server has reached its limit of connections", "try again later, or use another server")
    case .slowConsumer:
      ("the peer reads more slowly than the server sends", "read faster, and resume")
    case .superseded:
      ("the same device opened another connection", "use the newer connection")
    case .deviceInUse:
      (
        "the device already has a connection",
        "resume with the token, or say hello as another device"
      )
    case .shuttingDown:
      ("the server is stopping", "reconnect with back-off and resume")
    case .resumeRefused:
      ("the token is unknown, or its grace period is over", "say hello without it, and join again")
    case .notInGroup:
      ("the device is not in a group", "join a group first")
    case .alreadyInGroup:
      ("the device is in another group", "leave that one first")
    case .groupFull:
      ("the group has reached its limit of members", "use another group")
    case .groupsFull:
      ("the server has reached its limit of groups", "try again later")
    case .groupClosed:
      ("the group is closed", "join it again to open a new one")
    case .unknownGroup:
      ("there is no such group", "see the groups with: matinee admin groups")
    case .unknownUser:
      ("the server knows no such person", "see the people with: matinee admin people")
    case .keyRequired:
      (
        "the group asks newcomers for its key",
        "join with the `key` of the group's link; any member has it"
      )
    case .keyRefused:
      (
        "the key does not open this group",
        "ask a member for the group's latest link; to open a new group, use the server's founding key"
      )
    case .noKey:
      ("the group has no key", "use a server with access by keys")
    case .noMedia:
      ("the server serves no media", "start it with --http and --media")
    case .held:
      (
        "the name or the group is from before the server asked for keys",
        "ask the administrator to let you in"
      )
    case .removed:
      ("you were removed from the group for good", "ask its founder")
    case .notFounder:
      ("only the person who opened the group may do this", "ask them, or leave the group")
    case .notYourDevice:
      (
        "the device belongs to another person, or is not in the group",
        "name one of your own devices in the group"
      )
    case .notEligible:
      (
        "the device cannot take part in a session now",
        "see `reason`; wait for eligibility to change"
      )
    case .activityInProgress:
      (
        "the group already has a session with another activity",
        "join that session, or request to replace it"
      )
    case .invalidActivity:
      ("the activity is not valid", "correct the field that `field` names")
    case .unknownSession:
      ("there is no such session", "wait for an offer")
    case .sessionEnded:
      ("the session has ended", "see `reason`; start or join another one")
    case .notActivated:
      ("the session is only staged", "activate it first")
    case .notJoined:
      ("the device does not take part in the session", "join first")
    case .alreadyInSession:
      ("the device takes part in another session", "leave that one first")
    case .forbidden:
      ("the role does not allow this", "ask a host; `reason` names the permission")
    case .conflict:
      ("someone else changed the activity first", "see `revision`, and decide again")
    case .sessionFull:
      (
        "the session has reached its limit of participants, or of bytes",
        "try again when somebody has left; with a `field`, make that part smaller"
      )
    case .banned:
      ("a host banned this device from the session", "ask a host")
    case .notYourParticipant:
      ("the participant belongs to another person", "hand off only your own devices")
    case .unknownParticipant:
      ("the session has no such participant", "check the participant's identifier")
    case .notInvited:
      ("the person is not invited to the session", "join the session, or wait to be invited")
    case .invitationAnswered:
      ("the person already gave another answer", "see `reason`; join or leave the session instead")
    case .invitationOver:
      ("the invitation is no longer valid", "see `reason`; join, or wait for another invitation")
    case .tooManyInvitations:
      (
        "the session has reached its limit of invitations",
        "let the others join through their group's offer"
      )
    case .unknownEntry:
      ("the queue has no such entry", "check the entry's identifier")
    case .queueFull:
      ("the queue has reached its limit of entries", "remove some entries first")
    case .unknownAttachment:
      ("the session has no such attachment", "read the session's list of attachments")
    case .attachmentsFull:
      (
        "the session, or the server, has no room for another attachment",
        "remove some attachments first"
      )
    case .objectsFull:
      ("the group has no room for this in its objects", "remove some objects or fields first")
    case .unknownObject:
      ("the device's group has no such object", "join its group, or create it first")
    case .noSuchNeighbour:
      (
        "there is no entry before or after the named one",
        "insert an entry, or set the repeat mode `all`"
      )
    case .staleItem:
      (
        "the command is about another item than the device's current one",
        "make the item current first"
      )
    case .staleReport:
      ("the report answers an outdated event", "answer the event with the number `seq`")
    case .suspendedLocalOnly:
      ("the commands of a suspended device affect only its own player", "end the suspension first")
    case .unknownSuspension:
      (
        "there is no open suspension with this number",
        "use the number from the answer to `suspend`"
      )
    case .tooManySuspensions:
      ("the device has reached its limit of open suspensions", "end one of them first")
    case .tooManyTimelines:
      ("the session has reached its limit of items", "leave another item first")
    case .messagingUnavailable:
      (
        "the server sends no in-app messages",
        "do without them, or configure campaigns on the server"
      )
    case .unknownCampaign:
      (
        "the server has no such campaign or variant",
        "check the identifiers of the campaign and its variant"
      )
    case .collectionOff:
      (
        "data collection is off for this person, or their messages are paused",
        "turn collection on, or end the pause"
      )
    case .tooManyAttributes:
      ("the person has reached the limit of attributes", "remove some attributes first")
    case .tooManyLists:
      ("the person has reached the limit of lists", "remove the person from some lists first")
    case .usersFull:
      (
        "the server has reached its limit of people with messages, and all of them were active recently",
        "do without messages, or raise the server's limit"
      )
    case .notificationsUnavailable:
      ("the server does not provide notifications", "do without them")
    case .payloadTooLarge:
      ("the notification is larger than a push may be", "send less, and let the app fetch the rest")
    case .invalidEndpoint:
      (
        "the server cannot use this push endpoint",
        "see `reason`; send the endpoint as the push service returned it"
      )
    case .invalidTopic:
      ("the topic's name is not valid", "name it `group/…`, `user/…` or `app/…`")
    case .notYourTopic:
      (
        "the person may not publish or subscribe to this topic",
        "join its group, or use a topic of your own"
      )
    case .tooManySubscriptions:
      ("the limit of subscriptions has been reached", "unsubscribe from something first")
    case .unknownNotification:
      ("the person has no such notification, or it is too old", "list the standing notifications")
    case .notificationOver:
      (
        "the notification was answered, removed or withdrawn, or it expired",
        "list the standing notifications"
      )
    case .traysFull:
      (
        "the server has reached its limit of people with notifications",
        "do without them, or raise the server's limit"
      )
    case .noAdministrator:
      ("the server has no administrator key", "start the server with a key")
    case .wrongKey:
      ("the key is not the administrator's", "use the key that the server was started with")
    case .unknownServer:
      (
        "no server of the cluster has this name, or more than one has",
        "see the servers with: matinee status"
      )
    case .onlyServer:
      ("no other server could go on", "start another one first, or stop this one by SIGTERM")
    case .invalidToken:
      ("this server did not make the token", "answer in the app")
    case .tokenExpired:
      ("the token's invitation has expired", "join, or wait for another invitation")
    case .busy:
      ("too much waits for this group already", "wait for `retryAfter` and try again")
    case .journalUnavailable:
      (
        "the server cannot store changes at the moment",
        "try again after `retryAfter`; nothing was changed"
      )
    case .journalFull:
      (
        "the server's journal has reached its size",
        "play on, leave or end something; the operator raises `--journal-size`, or waits until old "
          + "sessions are forgotten"
      )
    }
  }
}
