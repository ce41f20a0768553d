import UserNotifications
import Vocabulary
import Wire

// What ``Front`` and ``Groups`` need to know about a request in order to route it.

extension Request {
  /// The word that carries the request to the value that handles it.
  ///
  /// - Parameters:
  ///   - reply: whom to answer.
  ///   - sender: who asks.
  ///   - isHere: whether a person has a device here; only asked about whom the request names.
  func word(
    _ reply: Reply, by sender: @autoclosure () -> Sender?,
    isHere: (UserID) -> Bool = { _ in false }
  ) -> Word? {
    switch self {
    // Front answers it.
    case .renew, .drain: nil
    case .pair(let user):
      sender().map { .people(.pair(user ?? $0.user, isConfirmed: user != nil, reply)) }
    case .freeName(let user): .people(.free(user, reply))
    case .confirmPairing(let isConfirmed):
      sender().map { .people(.confirmPairing(isConfirmed, $0.user, reply)) }
    case .messaging(let request):
      sender().map {
        .people(
          .messaging(request, by: $0, isHere: request.namedUser.map(isHere) ?? false, reply))
      }
    case .notifications(let request) where request.concernsGroups:
      .groups(.notifications(request, reply))
    case .notifications(let request):
      sender().map { .people(.notifications(request, by: $0, reply)) }
    case .joinGroup, .leaveGroup, .closeGroup, .changeKey, .removeUser, .listMedia, .openMedia,
      .setSharing, .setPreferredDevice, .updateObject, .removeObject, .activate, .stage,
      .activateStaged, .withdraw, .join, .decline, .leave, .dismiss, .end, .setActivity, .invite,
      .revokeInvitations, .answerInvitation, .playback, .queue, .attachment, .send, .setRole,
      .setReadyToStart, .setControl, .setWaitingPolicy, .setDismissalPolicy, .remove, .status:
      .groups(.command(self, reply))
    }
  }

  /// Whether it only reads state, so that its answer is not remembered.
  var isQuestion: Bool {
    switch self {
    // A code is not remembered.
    case .status, .renew, .pair, .listMedia, .openMedia: true
    case .attachment(_, .load): true
    case .messaging(let request): request.isQuestion
    case .notifications(let request): request.isQuestion
    case .joinGroup, .leaveGroup, .closeGroup, .changeKey, .removeUser, .confirmPairing, .freeName,
      .drain, .setSharing, .setPreferredDevice, .updateObject, .removeObject, .activate, .stage,
      .activateStaged, .withdraw, .join, .decline, .leave, .dismiss, .end, .setActivity, .invite,
      .revokeInvitations, .answerInvitation, .playback, .queue, .attachment, .send, .setRole,
      .setReadyToStart, .setControl, .setWaitingPolicy, .setDismissalPolicy, .remove:
      false
    }
  }
}

extension Request {
  /// Whether the request is for members of the group, so that it waits behind a joining.
  var isForMembers: Bool {
    switch self {
    case .joinGroup, .leaveGroup, .closeGroup, .changeKey, .removeUser, .setSharing,
      .setPreferredDevice, .updateObject, .removeObject, .status, .messaging, .renew, .pair,
      .confirmPairing, .freeName, .drain:
      false
    case .notifications(let request): request.concernsGroups
    case .listMedia, .openMedia, .activate, .stage, .activateStaged, .withdraw, .join, .decline,
      .answerInvitation, .leave, .dismiss, .end, .setActivity, .playback, .queue, .attachment,
      .send, .setRole, .setReadyToStart, .setControl, .setWaitingPolicy, .setDismissalPolicy,
      .remove, .invite, .revokeInvitations:
      true
    }
  }
}

extension Request {
  /// Whether an administrator's connection, which represents no person, may make the request.
  var isForAdministrators: Bool {
    switch self {
    case .closeGroup(.some), .changeKey(.some), .removeUser(_, from: .some), .pair(.some),
      .freeName, .drain, .status, .messaging(.explain(_, of: .some)), .notifications(.push),
      .notifications(.publish):
      true
    case .closeGroup, .changeKey, .removeUser, .pair, .notifications, .messaging, .joinGroup,
      .leaveGroup, .confirmPairing, .renew, .setSharing, .setPreferredDevice, .updateObject,
      .removeObject, .listMedia, .openMedia, .activate, .stage, .activateStaged, .withdraw, .join,
      .decline, .answerInvitation, .leave, .dismiss, .end, .setActivity, .playback, .queue,
      .attachment, .send, .setRole, .setReadyToStart, .setControl, .setWaitingPolicy,
      .setDismissalPolicy, .remove, .invite, .revokeInvitations:
      false
    }
  }
}

extension MessagingRequest {
  /// Whether it only reads state.
  var isQuestion: Bool {
    switch self {
    case .revalidate, .explain: true
    case .appState, .logEvent, .logPurchase, .logPushOpened, .report, .setAttributes,
      .setMembership, .setCollection, .pause, .wipe, .test:
      false
    }
  }
}

extension MessagingRequest {
  /// The person whom it names in place of the one who asks; only an administrator may.
  var namedUser: UserID? {
    if case .explain(_, of: let user) = self { user } else { nil }
  }
}

extension TrayRequest {
  /// Whether it only reads state.
  var isQuestion: Bool {
    switch self {
    case .list, .objectState: true
    case .register, .unregister, .subscribe, .unsubscribe, .publish, .push, .report, .remove,
      .wipe:
      false
    }
  }
}

extension TrayRequest {
  /// The administrator's key that it shows, if any.
  var administratorKey: String? {
    switch self {
    case .publish(let publication): publication.key
    case .push(let push): push.key
    case .register, .unregister, .subscribe, .unsubscribe, .report, .remove, .wipe, .list,
      .objectState:
      nil
    }
  }
}

extension TrayRequest {
  /// Whether ``Groups`` has to check or answer it.
  var concernsGroups: Bool {
    switch self {
    case .subscribe(.object), .objectState: true
    case .subscribe(.topic(let topic)): TopicOwner(topic)?.isGroup == true
    case .publish(let publication): TopicOwner(publication.topic)?.isGroup == true
    case .register, .unregister, .unsubscribe, .push, .report, .remove, .wipe, .list: false
    }
  }
}

extension ClientMessage {
  /// The request's number; `nil` for messages without an answer.
  var requestID: RequestID? {
    switch self {
    case .request(let id, _), .answerInvitation(let id, _, _): id
    case .hello, .ping, .report, .droppable: nil
    }
  }
}

extension RequestOutcome {
  /// The message that tells a device the outcome.
  func message(to request: RequestID) -> ServerMessage {
    switch self {
    case .answered(let answer): .answer(request, answer)
    case .refused(let error): .error(request, error)
    }
  }
}
