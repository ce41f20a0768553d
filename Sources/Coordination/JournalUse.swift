import GroupSessions
import InAppMessaging
import UserNotifications
import Wire

/// What a request does to the journal, which decides who may still ask when the journal is full.
///
/// Every request is judged here, by switches without a `default`.
enum JournalUse: Equatable, Sendable {
  /// It stores nothing.
  case reads
  /// It stores something that stays: a member, a session, a message, an entry.
  case grows
  /// It carries on what has begun, by events that a later snapshot replaces; an evening goes on by
  /// them though the journal is full.
  case continues
  /// It takes something away, and so makes room.
  case ends
}

extension Request {
  /// What the request does to the journal.
  var journalUse: JournalUse {
    switch self {
    // A code is not stored.
    case .status, .renew, .pair, .listMedia, .openMedia: .reads
    case .joinGroup, .activate, .stage, .setActivity, .invite, .send, .updateObject: .grows
    // The new device's credential stays.
    case .confirmPairing(let isConfirmed): isConfirmed ? .grows : .ends
    case .setSharing, .setPreferredDevice, .changeKey, .activateStaged, .join, .answerInvitation,
      .playback, .setRole, .setReadyToStart, .setControl, .setWaitingPolicy, .setDismissalPolicy:
      .continues
    case .leaveGroup, .closeGroup, .removeUser, .removeObject, .freeName, .drain, .withdraw,
      .decline, .leave, .dismiss, .end, .revokeInvitations, .remove:
      .ends
    case .queue(_, let command): command.journalUse
    case .attachment(_, let request): request.journalUse
    case .messaging(let request): request.journalUse
    case .notifications(let request): request.journalUse
    }
  }
}

extension QueueCommand {
  fileprivate var journalUse: JournalUse {
    switch self {
    case .insert: .grows
    case .move, .select, .next, .previous, .setRepeat, .shuffle, .unshuffle, .setAutoAdvance:
      .continues
    case .remove, .clear: .ends
    }
  }
}

extension AttachmentRequest {
  fileprivate var journalUse: JournalUse {
    switch self {
    case .begin, .add: .grows
    case .remove: .ends
    case .load: .reads
    }
  }
}

extension MessagingRequest {
  fileprivate var journalUse: JournalUse {
    switch self {
    case .revalidate, .explain: .reads
    case .logEvent, .logPurchase, .logPushOpened, .test: .grows
    case .setAttributes(let attributes):
      attributes.values.allSatisfy { $0 == nil } ? .ends : .grows
    case .setMembership(_, let isMember): isMember ? .grows : .ends
    case .appState, .report, .pause: .continues
    // Collecting nothing is a person's right, and erases.
    case .setCollection(let collects): collects ? .continues : .ends
    case .wipe: .ends
    }
  }
}

extension TrayRequest {
  fileprivate var journalUse: JournalUse {
    switch self {
    case .list, .objectState: .reads
    case .register, .subscribe, .publish, .push: .grows
    case .report: .continues
    case .unregister, .unsubscribe, .remove, .wipe: .ends
    }
  }
}
