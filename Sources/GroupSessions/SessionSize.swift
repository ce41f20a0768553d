import Playback
import Vocabulary

/// How many bytes a session takes as JSON at most, by its parts.
///
/// The parts that may be large are counted with each event, so that a bound can be checked without
/// encoding the session. A test compares the bound with the real bytes.
package struct SessionSize: Equatable, Sendable {
  /// A part that people can make smaller.
  package enum Part: String, Equatable, Sendable, CaseIterable {
    case activity
    case queue
    case timelines
    case invitations
    case participants
  }

  let activity: Int
  let queue: Int
  let timelines: Int
  let invitations: Int
  /// The participants with their items and suspensions.
  package internal(set) var participants: Int
  let rest: Int

  /// Everything but the participants.
  package var content: Int { activity + queue + timelines + invitations + rest }

  package var total: Int { content + participants }

  /// The largest part of the content.
  package var largest: Part {
    let parts: [(Part, Int)] = [
      (.activity, activity), (.queue, queue), (.timelines, timelines), (.invitations, invitations),
    ]
    return parts.max { $0.1 < $1.1 }?.0 ?? .activity
  }
}

extension GroupSession {
  package var size: SessionSize { size(with: playback) }

  /// The size with another state of playback.
  func size(with playback: CoordinatedPlayback) -> SessionSize {
    SessionSize(
      activity: activity.byteBound, queue: queue.bytes, timelines: playback.size.timelines,
      invitations: invitations.bytes,
      participants: identityBytes + playback.size.participants + lost.count * Self.lossBytes,
      rest: restBytes)
  }

  /// The bytes of everything that has few and short fields.
  private var restBytes: Int {
    var bytes = Self.fixedBytes + id.byteBound + group.byteBound + initiator.byteBound
    bytes += stagedBy.map { $0.byteBound + Self.stagerBytes } ?? 0
    bytes += playback.waitingPolicy.byteBound + (initialTiming == nil ? 0 : Self.timingBytes)
    bytes += chat.bytes + attachments.bytes
    for device in declined { bytes += device.byteBound + 1 }
    for user in listeners { bytes += user.byteBound + 1 }
    for device in banned.devices { bytes += device.byteBound + 1 }
    for user in banned.users { bytes += user.byteBound + 1 }
    return bytes
  }

  /// The names of all fields, and their numbers and words at their longest.
  private static let fixedBytes = 640
  private static let stagerBytes = 16
  private static let timingBytes = 120
  /// When a lost participant's grace period ends, and that the server was away.
  private static let lossBytes = 52
}

// MARK: Bounds

extension GroupSession {
  /// Refuses a command that makes a too large session larger.
  ///
  /// Only what people add is bounded: whatever follows from it, such as the timeline of the next
  /// entry, has a bound of its own number and must not be refused for what others added.
  func check(_ after: SessionSize, after command: SessionCommand, _ limits: Limits)
    throws(SessionRejection)
  {
    if command.addsContent, after.content > limits.sessionBytes, after.content > size.content {
      throw .tooLarge(after.largest, limit: limits.sessionBytes)
    }
    if command.addsParticipants { try checkParticipants(after, limits) }
  }

  func checkParticipants(_ after: SessionSize, _ limits: Limits) throws(SessionRejection) {
    let bound = limits.participantBytes
    guard after.participants <= bound || after.participants <= size.participants else {
      throw .tooLarge(.participants, limit: bound)
    }
  }
}

extension SessionCommand {
  /// Whether the command adds to the session what a person sends with it.
  fileprivate var addsContent: Bool {
    switch self {
    case .setActivity, .queue(.insert, _): true
    // A timeline alone has its own bound, and a full session goes on playing.
    case .playback(.transition(_, _, _, let interstitials, _), _): !interstitials.isEmpty
    case .invite(_, _, let id): id != nil
    case .activate, .withdraw, .join, .leave, .dismiss, .decline, .answerInvitation,
      .revokeInvitations, .uninvite, .end, .remove, .setRole, .setReadyToStart, .setControl,
      .setWaitingPolicy, .setDismissalPolicy, .send, .addAttachment, .removeAttachment, .queue,
      .playback, .lose, .resume, .interrupt,
      .initiatorGone, .terminate, .clockAdvanced:
      false
    }
  }

  /// Whether the command adds participants, or changes their items and suspensions.
  fileprivate var addsParticipants: Bool {
    switch self {
    case .join, .answerInvitation, .queue, .playback: true
    case .activate, .withdraw, .leave, .dismiss, .decline, .invite, .revokeInvitations, .uninvite,
      .end,
      .setActivity, .remove, .setRole, .setReadyToStart, .setControl, .setWaitingPolicy,
      .setDismissalPolicy, .send, .addAttachment, .removeAttachment, .lose, .resume, .interrupt,
      .initiatorGone, .terminate,
      .clockAdvanced:
      false
    }
  }
}

// MARK: Parts

extension Identity {
  package var byteBound: Int { user.byteBound + device.byteBound + name.byteBound }
}

extension Participant {
  /// The bytes without its grace period and its player's state.
  package var byteBound: Int {
    Self.fixedBytes + id.byteBound + identity.byteBound + joinedAt.microseconds.byteBound
  }

  /// The names of all fields, and the longest role.
  private static let fixedBytes = 105
}

extension Invitation {
  package var byteBound: Int {
    let numbers = seq.byteBound + expires.microseconds.byteBound
    let people = user.byteBound + (inviter?.byteBound ?? 0) + (device?.byteBound ?? 0)
    return Self.fixedBytes + numbers + people
  }

  private static let fixedBytes = 100
}

extension MediaItem {
  package var byteBound: Int {
    let name = item.text == url ? 0 : item.byteBound
    return Self.fixedBytes + name + url.byteBound + (title?.byteBound ?? 0)
      + (interstitials.isEmpty ? 0 : interstitials.byteBound)
  }

  /// The names of all fields, the size and the duration.
  private static let fixedBytes = 90
}

extension QueueEntry {
  /// The bytes with its place in the order from before a shuffle.
  package var byteBound: Int {
    Self.fixedBytes + 2 * id.byteBound + media.byteBound + (addedBy?.byteBound ?? 0)
  }

  private static let fixedBytes = 24
}

extension GroupActivity {
  package var byteBound: Int {
    let links = [metadata.subtitle, metadata.fallbackURL, metadata.previewImageURL]
    let texts = links.reduce(metadata.title.byteBound) { $0 + ($1?.byteBound ?? 0) }
    return Self.fixedBytes + type.byteBound + payload.byteBound + texts
      + metadata.type.text.byteBound + (media?.byteBound ?? 0)
  }

  private static let fixedBytes = 200
}
