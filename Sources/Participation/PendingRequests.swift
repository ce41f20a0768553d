import GroupSessions
import Playback
import UserNotifications
import Vocabulary
import Wire

extension Client {
  /// The recipient of a request's outcome.
  enum Asker: Equatable, Sendable {
    case app(Tag)
    /// The client rejoins its group.
    case rejoinGroup
    /// The client comes back to a session as a spectator.
    case rejoin
    case transition(ItemID)
    /// The client finds out where its player fetches the server's media with this URL.
    case media(String)
    /// The follower steps out of this session.
    case suspension(SuspensionReason, of: SessionID?)
    /// The follower steps back in, in this session.
    case endOfSuspension(SuspensionID, of: SessionID?)
    /// The player can follow.
    case ready(ReadyReport)
    /// A person's action on the player; if it is refused, the player returns to the timeline.
    case intent
    /// The client restores a queue.
    case restoration
    /// A notice of the outbox, by its sequence number.
    case notice(Int)
    /// A notice about notifications, by its sequence number in their outbox.
    case notificationNotice(Int)
    /// The client tells how the app is, when no notice does.
    case appState
    /// The client fetches an object that the app follows.
    case object(ServerObject)
    /// The client renews its credential.
    case renewal
    /// Nobody: the client made the request itself and ignores the outcome, for example to leave after
    /// a join that succeeded too late.
    case nobody
  }

  /// A request whose outcome is pending.
  struct PendingRequest: Equatable, Sendable {
    let id: RequestID
    let request: Request
    fileprivate(set) var asker: Asker
    /// The sequence number of the last notice that the server must have before; 0 for none.
    let notice: Int
    /// When the request times out.
    fileprivate(set) var deadline: HostTime
    /// Whether it was sent on the current connection.
    fileprivate(set) var isSent = false
    /// Whether it was sent on any connection, so that the server may know it.
    fileprivate(set) var wasSent = false
    /// When the request is sent again, as the server demanded.
    fileprivate(set) var sendAt: HostTime?

    /// The delay before the request is repeated after a temporary refusal; `nil` if it is not
    /// repeated.
    func patience(after failure: Failure) -> Duration? {
      guard case .refused(let error) = failure else { return nil }
      switch (asker, request) {
      // No other code repeats these requests.
      case (.notice, _), (.notificationNotice, _), (.appState, _), (.object, _),
        (.nobody, .messaging), (.nobody, .answerInvitation):
        return error.retryAfter
      // What this device has done already, what brings it back, and what others wait for.
      case (_, .leave), (_, .dismiss), (_, .decline), (_, .leaveGroup), (.rejoinGroup, _),
        (.rejoin, _), (.ready, _), (.nobody, .playback(_, .reportEnd)),
        (.nobody, .playback(_, .transition)), (.transition, _), (.endOfSuspension, _):
        return [.journalUnavailable, .busy].contains(error.code) ? error.retryAfter : nil
      default: return nil
      }
    }

    /// Whether its asker makes the request again when it times out, until the server has stored it.
    ///
    /// A refusal for the time being does not end it, so that an outage of the journal ends in a
    /// time-out as one of the connection does.
    var isSaidUntilStored: Bool {
      switch asker {
      case .transition, .ready, .endOfSuspension, .notice, .notificationNotice, .appState: true
      default: false
      }
    }

    /// The item that an app's playback command addresses, which must be open here first.
    ///
    /// `nil` for any other request.
    var steeredItem: ItemID? {
      guard case .app = asker, case .playback(_, let command) = request else { return nil }
      switch command {
      case .play(let item, _, _), .pause(let item, _), .seek(let item, _, _),
        .setRate(let item, _):
        return item
      case .transition, .suspend, .endSuspension, .ready, .reportEnd: return nil
      }
    }

    /// Whether this request is of no use once the newer one is made.
    ///
    /// Only the latest transition and the latest state of the app count, and a request that changes
    /// the group cancels a pending return to it.
    func isSuperseded(by newer: PendingRequest) -> Bool {
      if asker == .rejoinGroup || asker == .rejoin { return newer.request.changesGroup }
      if let state = appState, newer.appState != nil { return state.sequence == nil }
      return isOwnTransition && newer.isOwnTransition
    }

    /// How the app is; with a sequence number, the request is a notice, which is not left out.
    private var appState: AppState? {
      if case .messaging(.appState(let state)) = request { state } else { nil }
    }

    private var isOwnTransition: Bool {
      switch (asker, request) {
      case (.app, _): false
      case (_, .playback(_, .transition)): true
      default: false
      }
    }

    /// Whether the server has not done it: it was not sent yet, or refused for the time being.
    fileprivate var isUndone: Bool { sendAt != nil || !wasSent }

    /// The session that it joins; `nil` for any other request.
    fileprivate var joins: SessionID? { if case .join(let id, _) = request { id } else { nil } }
  }

  /// The pending requests, in the order they were made.
  struct PendingRequests: Equatable, Sendable {
    /// The limit of the app's requests, which leaves room for the client's own.
    static let limit = 192
    /// The limit of all requests: the number of answers that a server remembers.
    ///
    /// Each request can therefore be repeated after a reconnection without being carried out
    /// twice.
    static let ownLimit = 256

    private(set) var all: [PendingRequest] = []
    private var nextID: RequestID = 1
    /// What to ask for if an abandoned join succeeds later, by session.
    private var farewells: [SessionID: Request] = [:]

    /// Whether a newer request has made this one useless.
    func isSuperseded(_ request: PendingRequest) -> Bool {
      all.contains { $0.id > request.id && request.isSuperseded(by: $0) }
    }

    /// Whether the server does not know yet that this device has left something, because it could not
    /// store it.
    var hasPostponedFarewell: Bool { all.contains { $0.sendAt != nil && $0.request.isFarewell } }

    /// Whether the device is about to go elsewhere than into this group.
    func leadElsewhere(than group: GroupID) -> Bool {
      all.contains { one in
        if case .joinGroup(group, _) = one.request { false } else { one.request.changesGroup }
      }
    }

    /// Whether there is no room for another request of the app.
    var isFull: Bool { all.count >= Self.limit }
    /// Whether there is no room for another request of the client's own either.
    var isFullForOwn: Bool { all.count >= Self.ownLimit }

    @discardableResult
    mutating func add(
      _ request: Request, _ asker: Asker, after notice: Int = 0, until deadline: HostTime
    ) -> RequestID {
      let added = PendingRequest(
        id: nextID, request: request, asker: asker, notice: notice, deadline: deadline)
      all.removeAll { $0.isUndone && $0.isSuperseded(by: added) }
      all.append(added)
      nextID += 1
      return nextID - 1
    }

    /// Lets overdue farewells wait on in their places, where nobody awaits their outcome any more.
    ///
    /// Of equal requests only the first waits on, so that they do not fill the limit while the device
    /// is away.
    ///
    /// - Returns: what they were.
    mutating func prolongFarewells(
      overdueAt now: HostTime, until deadline: HostTime
    ) -> [PendingRequest] {
      let indices = all.indices.filter { index in
        let (deadline, request) = (all[index].deadline, all[index].request)
        return deadline <= now && request.isFarewell
          && !all[..<index].contains { $0.request == request }
      }
      let overdue = indices.map { all[$0] }
      for index in indices { (all[index].asker, all[index].deadline) = (.nobody, deadline) }
      return overdue
    }

    subscript(id: RequestID) -> PendingRequest? { all.first { $0.id == id } }

    mutating func take(_ id: RequestID) -> PendingRequest? {
      guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
      return all.remove(at: index)
    }

    /// Removes and returns all matching requests, in order.
    mutating func takeAll(where matches: (PendingRequest) -> Bool) -> [PendingRequest] {
      let taken = all.filter(matches)
      if !taken.isEmpty { all.removeAll(where: matches) }
      return taken
    }

    /// Removes and returns all requests, in order.
    mutating func takeAll() -> [PendingRequest] {
      defer { (all, farewells) = ([], [:]) }
      return all
    }

    mutating func markSent(_ id: RequestID) {
      guard let index = all.firstIndex(where: { $0.id == id }) else { return }
      all[index].isSent = true
      all[index].wasSent = true
      all[index].sendAt = nil
    }

    mutating func postpone(_ id: RequestID, until moment: HostTime) {
      guard let index = all.firstIndex(where: { $0.id == id }) else { return }
      all[index].isSent = false
      all[index].sendAt = moment
    }

    /// Releases postponed requests whose time has come, so that they are sent with the others.
    mutating func release(at now: HostTime) {
      for index in all.indices where all[index].sendAt.map({ $0 <= now }) == true {
        all[index].sendAt = nil
      }
    }

    /// Marks all requests to be sent again, because the connection is gone.
    mutating func markAllUnsent() {
      for index in all.indices {
        all[index].isSent = false
        all[index].sendAt = nil
      }
    }

    /// Lets nobody wait for what is over on this device already, because the server is away.
    ///
    /// - Returns: who waited.
    mutating func releaseFarewells() -> [Asker] {
      var waited: [Asker] = []
      for index in all.indices
      where all[index].request.isFarewell && all[index].request != .leaveGroup {
        waited.append(all[index].asker)
        all[index].asker = .nobody
      }
      return waited
    }

    // MARK: Abandoned joins

    /// Abandons the joins of a session that are pending: those that were sent wait on for nobody.
    ///
    /// - Returns: what they were.
    mutating func abandonJoins(of id: SessionID, saying farewell: Request) -> [PendingRequest] {
      let indices = all.indices.filter { all[$0].joins == id }
      let joins = indices.map { all[$0] }
      if joins.contains(where: \.wasSent) { farewells[id] = farewell }
      for index in indices { all[index].asker = .nobody }
      all.removeAll { $0.joins == id && !$0.wasSent }
      return joins
    }

    /// Notes that a join was abandoned because nobody answered it in time.
    mutating func abandon(_ join: PendingRequest) {
      guard let id = join.joins, join.wasSent else { return }
      farewells[id] = farewells[id] ?? .leave(id)
    }

    /// Takes what to ask for, because an abandoned join has succeeded or the device joins again;
    /// `nil` if none was abandoned.
    @discardableResult
    mutating func takeFarewell(to id: SessionID) -> Request? { farewells.removeValue(forKey: id) }

    /// Forgets the abandoned joins, because the server does not know this device any more.
    mutating func forgetFarewells() { farewells = [:] }

    var nextDeadline: HostTime? {
      all.lazy.map { min($0.deadline, $0.sendAt ?? $0.deadline) }.min()
    }
  }
}
