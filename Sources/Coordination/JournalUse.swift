import GroupSessions
import UserNotifications
package import Vocabulary
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

/// How full the journal is, by the bytes that it takes and may take.
///
/// A level that was reached holds until the size is a twentieth of the limit below it, so that a
/// journal near a level does not announce it again and again.
package struct JournalFill: Equatable, Sendable {
  package enum Level: Int, Comparable, Sendable {
    case ample
    /// Nine tenths are used.
    case scarce
    /// What would make it grow is refused.
    case full

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  package private(set) var level = Level.ample
  private let limit: Int

  package init(_ limits: Limits) {
    limit = limits.journalSize
  }

  /// Notes the journal's size in bytes.
  ///
  /// - Returns: the new level; `nil` if it is the same.
  package mutating func note(_ size: Int) -> Level? {
    let new = max(level(of: size), min(level, level(of: size + limit / 20)))
    guard new != level else { return nil }
    level = new
    return new
  }

  /// The level that a size reaches.
  private func level(of size: Int) -> Level {
    if size >= limit { return .full }
    return size >= limit - limit / 10 ? .scarce : .ample
  }
}
