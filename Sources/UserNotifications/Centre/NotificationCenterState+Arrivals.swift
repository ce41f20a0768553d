import Vocabulary

// What arrives: who hears of it, whether it is shown, and what the server is told.
extension NotificationCenterState {
  /// A notification of the server's that is not acknowledged yet.
  struct Arrival: Equatable, Sendable {
    let id: NotificationID
    let isForUser: Bool
    var showing = Showing.notPresented
    var reception = Reception.none

    enum Showing: Equatable, Sendable {
      case asked
      case presented
      case notPresented
    }

    enum Reception: Equatable, Sendable {
      case none
      case running
      case ended(DeliveryResult)
    }

    /// What the server is to hear; `nil` while a handler is at work.
    var result: DeliveryResult? {
      switch (reception, showing) {
      case (.running, _), (_, .asked): nil
      case (.ended(let result), _): result
      case (.none, .presented): .presented
      case (.none, .notPresented): isForUser ? .notPresented : .noData
      }
    }
  }

  mutating func arrive(_ remote: RemoteNotification) {
    remove(Set(remote.payload.revokes))
    guard !arrivals.contains(where: { $0.id == remote.id }) else { return }
    guard seen.arrive(remote.id, limit: settings.memory) else {
      return emit(.report(remote.id, .acknowledged(.alreadyDelivered)))
    }
    let notification = StandingNotification(remote, in: settings.texts)
    guard !isExpired(notification) else {
      return emit(.report(remote.id, .acknowledged(.notPresented)))
    }
    route(notification, HandlerRouting.Traits(remote.payload))
    settle(remote.id) { _ in }
  }

  /// A local notification's time has come.
  mutating func arrive(_ request: NotificationRequest) {
    route(StandingNotification(request, at: clock.instant(at: now)), .local)
  }

  private mutating func route(
    _ candidate: StandingNotification, _ traits: HandlerRouting.Traits
  ) {
    withdraw { candidate.replaces($0) }
    let (id, notification) = (candidate.id, candidate.notification)
    let route = HandlerRouting(mode, phase).arrival(
      traits, hasWillPresent: handlers.contains(.willPresent))
    let isShown = route.showing == .always && show(candidate, usual(notification.content))
    let called = route.handlers.filter { handlers.contains(Handlers($0)) }
    if traits.isRemote {
      // All are known to run before one is called: a call may end another.
      var arrival = Arrival(id: id, isForUser: traits.isForUser)
      if isShown { arrival.showing = .presented }
      if called.contains(.willPresent) { arrival.showing = .asked }
      if called.contains(.reception) { arrival.reception = .running }
      arrivals.append(arrival)
    }
    for handler in called {
      if handler == .willPresent {
        call(
          .willPresent(notification), of: id,
          for: .presentation(candidate, isRemote: traits.isRemote))
      } else {
        call(
          .reception(notification, alreadyDelivered: seen.receive(id, limit: settings.memory)),
          of: id, for: .arrival)
      }
    }
  }

  /// How a notification is shown where its app is not in front.
  private func usual(_ content: NotificationContent) -> PresentationOptions {
    content.interruptionLevel == .passive ? [.badge, .list] : .all
  }

  /// Changes an arrival, and tells the server if that was the last of it.
  mutating func settle(_ id: NotificationID, _ change: (inout Arrival) -> Void) {
    guard let place = arrivals.firstIndex(where: { $0.id == id }) else { return }
    change(&arrivals[place])
    guard let result = arrivals[place].result else { return }
    arrivals.remove(at: place)
    emit(.report(id, .acknowledged(result)))
  }

  // MARK: What stands

  /// Shows a notification as far as there is something to show, and says whether it does.
  mutating func show(
    _ candidate: StandingNotification, _ options: PresentationOptions
  ) -> Bool {
    guard !isExpired(candidate) else { return false }
    let content = candidate.notification.content
    if options.contains(.badge), let badge = content.badge { emit(.badge(badge)) }
    var shown = options.intersection([.sound, .list, .banner])
    if content.sound == nil { shown.remove(.sound) }
    if !content.hasText { shown.subtract([.list, .banner]) }
    guard !shown.isEmpty else { return false }
    let stands = !shown.isDisjoint(with: [.list, .banner])
    let replaced = stands ? standing.filter(candidate.replaces).map(\.id) : []
    if stands {
      standing.removeAll { replaced.contains($0.id) }
      locked.removeAll { replaced.contains($0.id) }
      standing.append(candidate)
    }
    emit(
      .show(
        ShownNotification(
          notification: candidate.notification, category: category(of: candidate.notification),
          options: shown, replaced: replaced)))
    if standing.count > settings.standingLimit {
      let oldest = standing[0].id
      remove([oldest])
      emit(.warn(.crowdedOut, oldest))
    }
    return true
  }

  /// What the server lists stands, and nothing else of the server's does.
  mutating func hear(_ known: [RemoteNotification], _ new: [RemoteNotification]) {
    let listed = Set((known + new).map(\.id))
    let gone = standing.filter { $0.notification.trigger.isRemote && !listed.contains($0.id) }
    remove(Set(gone.map(\.id)))
    for remote in known where !standing.contains(where: { $0.id == remote.id }) {
      // The app is asked about it, or the server has yet to hear what was done about it.
      guard !arrivals.contains(where: { $0.id == remote.id }), !seen.isAnswered(remote.id) else {
        continue
      }
      _ = show(StandingNotification(remote, in: settings.texts), .list)
    }
    for remote in new { arrive(remote) }
  }

  /// Takes notifications back, also those that are yet to be shown.
  mutating func remove(_ ids: Set<NotificationID>) {
    guard !ids.isEmpty else { return }
    withdraw { ids.contains($0.id) }
    locked.removeAll { ids.contains($0.id) }
    let gone = standing.map(\.id).filter(ids.contains)
    guard !gone.isEmpty else { return }
    standing.removeAll { ids.contains($0.id) }
    emit(.remove(gone))
  }

  /// The app takes notifications away: where the server knows of them, it hears so.
  mutating func removeForApp(_ ids: Set<NotificationID>) {
    let known = standing.filter { $0.notification.trigger.isRemote && ids.contains($0.id) }
    remove(ids)
    for notification in known { emit(.report(notification.id, .removed)) }
  }

  /// What the app is asked about is not shown whatever it says.
  private mutating func withdraw(where isGone: (StandingNotification) -> Bool) {
    for place in calls.indices {
      if case .presentation(let candidate?, let isRemote) = calls[place].purpose,
        isGone(candidate)
      {
        calls[place].purpose = .presentation(nil, isRemote: isRemote)
      }
    }
  }

  private func isExpired(_ notification: StandingNotification) -> Bool {
    guard let expires = notification.expires else { return false }
    return expires <= clock.instant(at: now)
  }
}
