import GroupSessions
import Participation
import Playback
import Vocabulary
import Wire

// MARK: What is true, and what was told

extension ParticipantStage {
  /// The largest difference between any two players' true positions.
  func spread(of chosen: [Int]) -> Duration {
    let positions = chosen.compactMap { index in
      let member = members[index]
      return member.player?.position(at: member.host(now))
    }
    guard let first = positions.min(), let last = positions.max() else { return .zero }
    return last - first
  }

  func isRunning(_ member: Int) -> Bool {
    members[member].player.map { !$0.isPaused } ?? false
  }

  func outcomes(of member: Int, tag: Int = 0) -> [Client.Outcome] {
    members[member].updates.compactMap {
      if case .outcome(tag, let outcome) = $0.update { outcome } else { nil }
    }
  }

  /// With which codes the server refused to let a member return to its group.
  func rejoinErrors(of member: Int) -> [ErrorCode] {
    members[member].updates.compactMap {
      if case .rejoinFailed(.refused(let error)) = $0.update { error.code } else { nil }
    }
  }

  func updates(of member: Int) -> [Client.SessionUpdate] {
    members[member].updates.compactMap {
      if case .session(_, let update) = $0.update { update } else { nil }
    }
  }

  func invalidations(of member: Int) -> [Client.InvalidationReason] {
    updates(of: member).compactMap {
      if case .invalidated(let reason) = $0 { reason } else { nil }
    }
  }

  func requests(of member: Int) -> [Request] {
    members[member].sent.compactMap {
      if case .request(_, let request) = $0 { request } else { nil }
    }
  }

  static let film = GroupSessions.GroupActivity(
    type: "watch", payload: JSONText(validated: "{}"),
    metadata: GroupActivityMetadata(title: "Film"),
    media: MediaItem(item: ItemID("film"), url: "film.mp4"))

  /// Members one after the other, all in the group, and all in a session of an activity.
  ///
  /// - Parameters:
  ///   - opens: whether all can open its media.
  ///   - hasAudience: whether others may watch as spectators.
  mutating func gather(
    for activity: GroupSessions.GroupActivity = film, opens: Bool = true,
    hasAudience: Bool = false
  ) throws {
    for member in members.indices {
      ask(.joinGroup(GroupID("room")), by: member, tag: -1)
      try wait { $0.members[member].participant.group != nil }
    }
    try wait { $0.members.allSatisfy { $0.participant.eligibility == .eligible } }
    ask(.activate(Activation(activity, hasAudience: hasAudience)), by: 0, tag: -2)
    opens ? try joinAll() : try takeOffers()
  }

  /// Everyone takes the offer that waits, and has the film open.
  mutating func joinAll() throws {
    try takeOffers()
    try wait { stage in
      stage.members.allSatisfy { member in
        guard let session = member.participant.session, let me = member.participant.participantID
        else { return false }
        return session.playback.participants[me]?.item == session.activity.media?.item
      }
    }
  }

  /// Everyone joins the session that is offered.
  mutating func takeOffers() throws {
    try wait { stage in
      stage.members.allSatisfy { $0.participant.offer != nil || $0.participant.session != nil }
    }
    for member in members.indices {
      guard let offer = members[member].participant.offer else { continue }
      ask(.join(offer.session, handoffFrom: nil), by: member, tag: -3)
    }
  }

  /// The session that everyone is in.
  var sessionID: SessionID? { members.first?.participant.session?.id }
}
