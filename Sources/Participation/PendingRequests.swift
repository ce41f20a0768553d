import GroupSessions
import Playback
import UserNotifications
import Vocabulary
import Wire

extension Client {
  /// Who wants to know what becomes of a request.
  enum Asker: Equatable, Sendable {
    case app(Tag)
    /// This client takes its place in the group again.
    case rejoinGroup
    case transition(ItemID)
    case suspension
    case endOfSuspension
    /// What the person did at the player; if it is refused, the timeline rules again.
    case intent
    /// This client puts a queue back.
    case restoration
    /// A notice of the outbox, by its number.
    case notice(Int)
    /// A notice about notifications, by its number in their outbox.
    case notificationNotice(Int)
    /// This client fetches an object that the app follows.
    case object(SessionObject)
    /// Nobody: reports, and the leave of a join that came too late.
    case nobody
  }

  /// A request that waits for its one outcome.
  struct PendingRequest: Equatable, Sendable {
    let id: RequestID
    let request: Request
    var asker: Asker
    /// When it fails.
    let deadline: HostTime
    /// Whether it went out on the connection that stands.
    var isSent = false
    /// Whether it went out on any connection: the server may know it.
    var wasSent = false
    /// The server wants it again, not before then.
    var sendAt: HostTime?

    /// How long to wait before it goes again, after the server said that it could not take it now.
    func patience(after failure: Failure) -> Duration? {
      guard case .refused(let error) = failure else { return nil }
      switch (asker, request) {
      // Nobody else says it again.
      case (.notice, _), (.notificationNotice, _), (.object, _), (.nobody, .messaging),
        (.nobody, .answerInvitation):
        return error.retryAfter
      default: return nil
      }
    }

    /// The item that the app steers by it, which has to be open here first; `nil` for any other
    /// request.
    var steeredItem: ItemID? {
      guard case .app = asker, case .playback(_, let command) = request else { return nil }
      switch command {
      case .play(let item, _, _), .pause(let item, _), .seek(let item, _, _),
        .setRate(let item, _):
        return item
      case .transition, .suspend, .endSuspension, .ready, .reportEnd: return nil
      }
    }

    /// The same, with nobody waiting for it.
    var forNobody: PendingRequest {
      var request = self
      request.asker = .nobody
      return request
    }
  }

  /// The requests that wait, in the order they were made.
  struct PendingRequests: Equatable, Sendable {
    /// As many as a server remembers the answers of, less those of a client's own reports: so
    /// each can be repeated after a cut without being done twice.
    static let limit = 192

    private(set) var all: [PendingRequest] = []
    private var nextID: RequestID = 1

    var isFull: Bool { all.count >= Self.limit }

    @discardableResult
    mutating func add(_ request: Request, _ asker: Asker, until deadline: HostTime) -> RequestID {
      all.append(PendingRequest(id: nextID, request: request, asker: asker, deadline: deadline))
      nextID += 1
      return nextID - 1
    }

    /// Puts one back in its place.
    mutating func restore(_ request: PendingRequest) {
      let place = all.firstIndex { $0.id > request.id } ?? all.endIndex
      all.insert(request, at: place)
    }

    subscript(id: RequestID) -> PendingRequest? { all.first { $0.id == id } }

    mutating func take(_ id: RequestID) -> PendingRequest? {
      guard let place = all.firstIndex(where: { $0.id == id }) else { return nil }
      return all.remove(at: place)
    }

    /// Takes out all that match, in order.
    mutating func takeAll(where matches: (PendingRequest) -> Bool) -> [PendingRequest] {
      let taken = all.filter(matches)
      if !taken.isEmpty { all.removeAll(where: matches) }
      return taken
    }

    mutating func markSent(_ id: RequestID) {
      guard let place = all.firstIndex(where: { $0.id == id }) else { return }
      all[place].isSent = true
      all[place].wasSent = true
      all[place].sendAt = nil
    }

    mutating func postpone(_ id: RequestID, until moment: HostTime) {
      guard let place = all.firstIndex(where: { $0.id == id }) else { return }
      all[place].isSent = false
      all[place].sendAt = moment
    }

    /// What was to be sent again at a moment that has come may go out with the rest.
    mutating func release(at now: HostTime) {
      for place in all.indices where all[place].sendAt.map({ $0 <= now }) == true {
        all[place].sendAt = nil
      }
    }

    /// The connection is gone: everything has to be sent again on the next.
    mutating func markAllUnsent() {
      for place in all.indices {
        all[place].isSent = false
        all[place].sendAt = nil
      }
    }

    var nextDeadline: HostTime? {
      all.lazy.map { min($0.deadline, $0.sendAt ?? $0.deadline) }.min()
    }
  }
}
