import GroupSessions
import Vocabulary
import Wire

/// A peer's membership at the coordinator: its device, group, session and requests.
struct Membership: Equatable, Sendable {
  let device: DeviceID
  /// The group that it has joined or asked to join.
  var group: GroupID?
  /// The request to join that group, until it is answered.
  var entering: RequestID?
  /// The leave request that has to be answered before it may join another group.
  var leaving: RequestID?
  /// The session that it has joined or asked to join.
  var session: SessionID?
  /// Requests held until it has joined the session.
  private(set) var waiting: [Request] = []
  private(set) var lastRequest: RequestID = 0
  /// Its last readiness request that is not answered yet.
  var word: ReadinessWord?
  /// The round trip that the session knows; `nil` if none was reported since the peer takes part.
  var reportedTrip: Duration?
  /// The position already reported while both the player and the room are paused; `nil` while
  /// either is playing.
  var reportedRest: Rest?
  /// Its participant in the session; `nil` until it has joined.
  var participant: ParticipantID?
  /// The unanswered request that steers the group.
  ///
  /// Until it is answered, the client is not told the group's position, which would stop a player
  /// that its user has just started.
  var steering: RequestID?

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

  /// Records that it has joined the session, which knows no round trip or position of it yet.
  mutating func takePart(as participant: ParticipantID) {
    self.participant = participant
    reportedTrip = nil
    reportedRest = nil
  }

  /// Records that the session is over or was left.
  mutating func leaveSession() {
    session = nil
    participant = nil
    waiting = []
    steering = nil
    word = nil
  }
}

/// A readiness request that the session has not answered; until then, what the session says about
/// that user may be outdated.
struct ReadinessWord: Equatable, Sendable {
  /// The peer whose readiness is set.
  let subject: PeerID
  let request: RequestID
}
