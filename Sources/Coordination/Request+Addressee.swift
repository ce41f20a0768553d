import UserNotifications
import Vocabulary
import Wire

// What ``Front`` has to know of a request before it hands it on.

extension Request {
  /// The request, for whoever sees to it.
  func word(_ reply: Reply, by sender: @autoclosure () -> Sender?) -> Word? {
    switch self {
    case .messaging(let request): sender().map { .people(.messaging(request, by: $0, reply)) }
    case .notifications(let request) where request.concernsGroups:
      .groups(.notifications(request, reply))
    case .notifications(let request):
      sender().map { .people(.notifications(request, by: $0, reply)) }
    case .joinGroup, .leaveGroup, .closeGroup, .setSharing, .setPreferredDevice, .activate, .stage,
      .activateStaged, .withdraw, .join, .decline, .leave, .dismiss, .end, .setActivity, .invite,
      .revokeInvitations, .answerInvitation, .playback, .queue, .send, .setRole, .setReadyToStart,
      .setControl, .setWaitingPolicy, .setDismissalPolicy, .remove, .status:
      .groups(.command(self, reply))
    }
  }

  /// Whether it only asks how things are: nothing comes of it, and its answer is not remembered.
  var isQuestion: Bool {
    switch self {
    case .status: true
    case .messaging(let request): request.isQuestion
    case .notifications(let request): request.isQuestion
    case .joinGroup, .leaveGroup, .closeGroup, .setSharing, .setPreferredDevice, .activate, .stage,
      .activateStaged, .withdraw, .join, .decline, .leave, .dismiss, .end, .setActivity, .invite,
      .revokeInvitations, .answerInvitation, .playback, .queue, .send, .setRole, .setReadyToStart,
      .setControl, .setWaitingPolicy, .setDismissalPolicy, .remove:
      false
    }
  }
}

extension MessagingRequest {
  /// Whether it only asks how things are.
  var isQuestion: Bool {
    switch self {
    case .revalidate, .explain: true
    case .appState, .logEvent, .logPurchase, .logPushOpened, .report, .setAttributes,
      .setMembership, .setCollection, .pause, .wipe, .test:
      false
    }
  }
}

extension TrayRequest {
  /// Whether it only asks how things are.
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
  /// Whether groups and sessions have a say.
  var concernsGroups: Bool {
    switch self {
    case .subscribe(.object), .objectState: true
    case .publish(let publication):
      if case .group? = TopicOwner(publication.topic) { true } else { false }
    case .register, .unregister, .subscribe(.topic), .unsubscribe, .push, .report, .remove, .wipe,
      .list:
      false
    }
  }
}

extension ClientMessage {
  /// The id of a request; `nil` for what is not answered.
  var requestID: RequestID? {
    switch self {
    case .request(let id, _), .answerInvitation(let id, _, _): id
    case .hello, .ping, .report, .droppable: nil
    }
  }
}

extension RequestOutcome {
  /// The outcome as it is told.
  func message(to request: RequestID) -> ServerMessage {
    switch self {
    case .answered(let answer): .answer(request, answer)
    case .refused(let error): .error(request, error)
    }
  }
}
