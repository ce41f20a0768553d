import GroupSessions
import Vocabulary
import Wire

/// A peer as the coordinator knows it: a device that joins a group and its session like any other.
struct Membership: Equatable, Sendable {
  let device: DeviceID
  /// The group it is in or asked to be in.
  var group: GroupID?
  /// The request to leave that has to be answered before it may join another.
  var leaving: RequestID?
  /// The session it is in or asked to be in.
  var session: SessionID?
  /// What it wants of the session it is about to be in.
  private(set) var waiting: [Request] = []
  private(set) var lastRequest: RequestID = 0
  /// What it said last of somebody's readiness, until that is answered.
  var word: ReadinessWord?
  /// The round trip that the session knows of; `nil` if of none since it takes part.
  var reportedTrip: Duration?
  /// The position already reported while both the player and the room are paused; `nil` while
  /// either is playing.
  var reportedRest: Rest?
  /// Who it is there; `nil` until it is in.
  var participant: ParticipantID?
  /// The request that must be answered before the client is told the room's place; the place before
  /// it would stop a player that its person has just started.
  var steering: RequestID?

  /// Where a player stands still while its room does.
  struct Rest: Equatable, Sendable {
    /// The event that put the room where it is: behind another one the same place is another
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

  /// Keeps a request until the session is joined; one too many is dropped.
  mutating func keep(_ request: Request) {
    guard waiting.count < SyncplayLimits.waitingRequests else { return }
    waiting.append(request)
  }

  /// What was kept, in order.
  mutating func takeWaiting() -> [Request] {
    defer { waiting = [] }
    return waiting
  }

  /// Goes on as a device that was lost, in the session that it takes part in.
  ///
  /// - Parameter request: a number that none of its requests had: a repeated one would be answered,
  ///   and not carried out.
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
