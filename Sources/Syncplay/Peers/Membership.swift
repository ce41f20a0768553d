import GroupSessions
import Vocabulary
import Wire

/// A peer's membership at the coordinator: its device, group, session and requests.
struct Membership: Equatable, Sendable {
  let device: DeviceID
  /// The group that it has joined or asked to join.
  private(set) var group: GroupID?
  /// The request to join that group, until it is answered.
  private var entering: RequestID?
  /// Whether it has to leave a group before it may join another one.
  private(set) var isLeaving = false
  /// The request to leave that group, until it is answered.
  private var leaving: RequestID?
  /// The session that it has joined or asked to join.
  private(set) var session: SessionID?
  /// The request to join that session, until it is answered.
  private var joining: RequestID?
  /// Requests held until it has joined the session.
  private(set) var waiting: [Request] = []
  private(set) var lastRequest: RequestID = 0
  /// Its last readiness request that is not answered yet.
  private(set) var word: ReadinessWord?
  /// The round trip that the session knows; `nil` if none was reported since the peer takes part.
  private(set) var reportedTrip: Duration?
  /// The position already reported while both the player and the room are paused; `nil` while
  /// either is playing.
  private(set) var reportedRest: Rest?
  /// Its participant in the session; `nil` until it has joined.
  private(set) var participant: ParticipantID?
  /// The unanswered request that steers the group.
  ///
  /// Until it is answered, the client is not told the group's position, which would stop a player
  /// that its user has just started.
  private(set) var steering: RequestID?

  /// The position of a paused player in a paused room.
  struct Rest: Equatable, Sendable {
    /// The event that set the room's position; after another event, the same player position has
    /// another distance to the room's.
    let seq: Int
    let place: MediaTime
  }

  init(device: DeviceID) {
    self.device = device
  }

  /// Returns the number of the next request.
  mutating func number() -> RequestID {
    lastRequest += 1
    return lastRequest
  }

  /// Holds a request until the session is joined; requests over the limit are dropped.
  mutating func keep(_ request: Request) {
    guard waiting.count < SyncplayLimits.waitingRequests else { return }
    waiting.append(request)
  }

  /// Removes and returns the held requests, in order.
  mutating func takeWaiting() -> [Request] {
    defer { waiting = [] }
    return waiting
  }

  /// Resumes a lost device, in the session that it takes part in.
  ///
  /// - Parameter request: a number above those of its requests, because a repeated number would be
  ///   answered without being carried out.
  mutating func goOn(from request: RequestID, in session: SessionID?) {
    lastRequest = max(lastRequest, request)
    self.session = session
  }

  /// Records the request that steers the group; `nil` if its answer is not awaited any more.
  mutating func steer(by request: RequestID?) { steering = request }

  /// Records a request on somebody's readiness.
  mutating func say(_ word: ReadinessWord) { self.word = word }

  /// Removes and returns the readiness request if this is its number, because it was answered.
  mutating func takeWord(_ request: RequestID) -> ReadinessWord? {
    guard let word, word.request == request else { return nil }
    self.word = nil
    return word
  }

  /// Records the round trip that the session was told.
  mutating func report(_ trip: Duration) { reportedTrip = trip }

  /// Records the resting position that the session was told; `nil` if it has to be told one again.
  mutating func report(_ rest: Rest?) { reportedRest = rest }
}

// MARK: Joining and leaving

extension Membership {
  /// What a request is for whose outcome changes the membership.
  enum Purpose: Sendable {
    case enterGroup
    case leaveGroup
    case enterSession
    case steer
  }

  /// Whether it is in a group, or was refused to leave one.
  var hasGroupToLeave: Bool { group != nil || isLeaving && leaving == nil }

  /// Records that it asks to join a group.
  mutating func enter(_ group: GroupID, by request: RequestID) {
    self.group = group
    entering = request
  }

  /// Records that it asks to leave its group.
  mutating func leaveGroup(by request: RequestID) {
    group = nil
    entering = nil
    isLeaving = true
    leaving = request
  }

  /// Records that it asks to join a session.
  mutating func enter(_ session: SessionID, by request: RequestID) {
    self.session = session
    joining = request
    participant = nil
  }

  /// Records that it has joined the session, which knows no round trip or position of it yet.
  mutating func takePart(as participant: ParticipantID) {
    self.participant = participant
    reportedTrip = nil
    reportedRest = nil
  }

  /// Records that the session is over or was left.
  mutating func leaveSession() {
    session = nil
    joining = nil
    participant = nil
    waiting = []
    steering = nil
    word = nil
  }

  /// Records that it is in no group, and waits for no answer.
  mutating func end() {
    leaveSession()
    group = nil
    entering = nil
    isLeaving = false
    leaving = nil
  }

  /// Records that a request was carried out.
  ///
  /// - Returns: what it was for; `nil` if it does not change the membership.
  mutating func finish(_ request: RequestID) -> Purpose? {
    let purpose = takePurpose(of: request)
    if purpose == .leaveGroup { isLeaving = false }
    return purpose
  }

  /// Records that a request was refused, so that it may be made again.
  ///
  /// - Parameters:
  ///   - request: the number of the request.
  ///   - isTemporary: whether the same request may succeed later. Otherwise a peer that cannot
  ///     leave its group is in none.
  /// - Returns: what the request was for; `nil` if it does not change the membership.
  mutating func refuse(_ request: RequestID, isTemporary: Bool) -> Purpose? {
    let purpose = takePurpose(of: request)
    switch purpose {
    case .enterGroup: group = nil
    case .leaveGroup: isLeaving = isTemporary
    case .enterSession: session = nil
    case .steer, nil: break
    }
    return purpose
  }

  /// Removes a request from those that wait for an answer.
  private mutating func takePurpose(of request: RequestID) -> Purpose? {
    switch Optional(request) {
    case entering:
      entering = nil
      return .enterGroup
    case leaving:
      leaving = nil
      return .leaveGroup
    case joining:
      joining = nil
      return .enterSession
    case steering:
      steering = nil
      return .steer
    default: return nil
    }
  }
}

/// A readiness request that the session has not answered; until then, what the session says about
/// that user may be outdated.
struct ReadinessWord: Equatable, Sendable {
  /// The peer whose readiness is set.
  let subject: PeerID
  let request: RequestID
}
