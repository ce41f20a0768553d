import GroupSessions
import Vocabulary
import Wire

/// A peer's place in the coordinator: its device, group, session and requests.
struct Membership: Equatable, Sendable {
  let device: DeviceID
  /// The group it is in or asked to be in.
  var group: GroupID?
  /// The request to leave that has to be answered before it may join another.
  var leaving: RequestID?
  /// The session it is in or asked to be in.
  var session: SessionID?
  /// Requests to the session that it is joining.
  private(set) var waiting: [Request] = []
  private(set) var lastRequest: RequestID = 0
  /// Its last request on somebody's readiness, until that is answered.
  var word: ReadinessWord?
  /// The round trip that the session knows of; `nil` if of none since it takes part.
  var reportedTrip: Duration?
  /// The position already reported while both the player and the room are paused; `nil` while
  /// either is playing.
  var reportedRest: Rest?
  /// Who it is there; `nil` until it is in.
  var participant: ParticipantID?
  /// The request that steers the group, until it is answered: until then the client is not told the
  /// group's position, which would stop a player that its person has just started.
  var steering: RequestID?

  /// The position of a paused player in a paused room.
  struct Rest: Equatable, Sendable {
    /// The event that set the room's position: after another one, the same place is another
    /// distance.
    let seq: Int
    let place: MediaTime
  }

  init(device: DeviceID) {
    self.device = device
  }

  /// The next request's number.
  mutating func number() -> RequestID {
    lastRequest += 1
    return lastRequest
  }

  /// Keeps a request until the session is joined; a request over the limit is dropped.
  mutating func keep(_ request: Request) {
    guard waiting.count < SyncplayLimits.waitingRequests else { return }
    waiting.append(request)
  }

  /// The requests that were kept, in order; they are kept no more.
  mutating func takeWaiting() -> [Request] {
    defer { waiting = [] }
    return waiting
  }

  /// Resumes a lost device, in the session that it takes part in.
  ///
  /// - Parameter request: a number above those of its requests, because a repeated number would be
  ///   answered and not carried out.
  mutating func goOn(from request: RequestID, in session: SessionID?) {
    lastRequest = max(lastRequest, request)
    self.session = session
  }

  /// It is in the session, which knows nothing of it yet.
  mutating func takePart(as participant: ParticipantID) {
    self.participant = participant
    reportedTrip = nil
    reportedRest = nil
  }

  /// The session is over, or left.
  mutating func leaveSession() {
    session = nil
    participant = nil
    waiting = []
    steering = nil
    word = nil
  }
}

/// A request on somebody's readiness that the session has not answered: what the session says of
/// them until then may be older.
struct ReadinessWord: Equatable, Sendable {
  /// Whom it is about.
  let subject: PeerID
  let request: RequestID
}
