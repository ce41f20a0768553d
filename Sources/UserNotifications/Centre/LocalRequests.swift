import Vocabulary

/// The notifications that the device will make itself, and when.
struct LocalRequests: Equatable, Sendable {
  /// In the order in which they were asked for.
  private var pending: [Pending] = []

  private struct Pending: Equatable, Sendable {
    let request: NotificationRequest
    var fire: Fire
    /// The date on which it fired last.
    var last: Firing?

    func due(by clock: DeviceClock) -> HostTime {
      switch fire {
      case .at(let time): time
      case .on(let instant): clock.time(of: instant)
      }
    }

    /// When a request that fires now fires again; `nil` if it does not repeat.
    func again(at now: HostTime, by clock: DeviceClock) -> Fire? {
      switch (request.trigger, fire) {
      case (.timeInterval(let interval, repeats: true), .at(let due)):
        let missed = (now - due).microseconds / interval.microseconds
        return .at(due + interval * Int(missed + 1))
      case (.calendar(let match, repeats: true), .on):
        return next(of: match, at: now, by: clock).map { .on($0) }
      default: return nil
      }
    }

    /// The next date that matches, other than the last one, which a clock that goes back shows again.
    func next(of match: DateMatch, at now: HostTime, by clock: DeviceClock) -> Instant? {
      let next = match.next(at: now, by: clock)
      guard let next, last?.isOver(next + match.offset(onDevice: clock.offset), by: clock) == true
      else { return next }
      return match.next(after: next, deviceOffset: clock.offset)
    }

    mutating func noteDate(at now: HostTime, by clock: DeviceClock) {
      guard case .calendar(let match, _) = request.trigger, case .on(let date) = fire else {
        return
      }
      last = Firing(date: date, shown: date + match.offset(onDevice: clock.offset), time: now)
    }
  }

  /// A date on which a request fired.
  private struct Firing: Equatable, Sendable {
    let date: Instant
    /// The date as the clock on the wall showed it.
    let shown: Instant
    let time: HostTime

    /// How far a clock that is put right may go back and not bring the same date again.
    private static let tolerance = Duration.seconds(60)

    /// Whether this was the firing on a date of the wall.
    ///
    /// It was not if the clock has been put right since, and the date was still to come then.
    func isOver(_ shown: Instant, by clock: DeviceClock) -> Bool {
      shown == self.shown && clock.instant(at: time) >= date - Self.tolerance
    }
  }

  /// When a request fires: after an interval of the machine's clock, or on a date of the wall clock.
  private enum Fire: Equatable, Sendable {
    case at(HostTime)
    case on(Instant)
  }

  var all: [NotificationRequest] { pending.map(\.request) }

  /// The request that fires next, and when.
  func next(by clock: DeviceClock) -> (time: HostTime, id: NotificationID)? {
    pending.map { (time: $0.due(by: clock), id: $0.request.id) }.min { $0.time < $1.time }
  }

  /// Takes in a request in place of one with the same id.
  ///
  /// - Returns: whether it waits; if not, it fires at once.
  mutating func schedule(
    _ request: NotificationRequest, at now: HostTime, by clock: DeviceClock,
    _ settings: CenterSettings
  ) throws(NotificationRequest.Fault) -> Bool {
    let fire = try Self.fire(of: request.trigger, at: now, by: clock, settings.shortestRepeat)
    let others = pending.filter { $0.request.id != request.id }
    guard fire == nil || others.count < settings.requestLimit else { throw .tooMany }
    pending = others
    if let fire { pending.append(Pending(request: request, fire: fire)) }
    return fire != nil
  }

  /// When a trigger fires first; `nil` at once.
  private static func fire(
    of trigger: NotificationTrigger, at now: HostTime, by clock: DeviceClock,
    _ shortestRepeat: Duration
  ) throws(NotificationRequest.Fault) -> Fire? {
    switch trigger {
    case .push: throw .push
    case .none: return nil
    case .timeInterval(let interval, let repeats):
      let shortest = max(repeats ? shortestRepeat : .zero, .microseconds(1))
      guard interval >= shortest else { throw .interval }
      return .at(now + interval)
    case .calendar(let match, _):
      guard let instant = match.next(at: now, by: clock) else { throw .date }
      return .on(instant)
    }
  }

  mutating func remove(_ ids: [NotificationID]) {
    pending.removeAll { ids.contains($0.request.id) }
  }

  /// A request fires once, however many of its times were missed; if it repeats, it waits again.
  mutating func fire(
    _ id: NotificationID, at now: HostTime, by clock: DeviceClock
  ) -> NotificationRequest? {
    guard let place = pending.firstIndex(where: { $0.request.id == id }) else { return nil }
    let request = pending[place].request
    pending[place].noteDate(at: now, by: clock)
    if let fire = pending[place].again(at: now, by: clock) {
      pending[place].fire = fire
    } else {
      pending.remove(at: place)
    }
    return request
  }

  /// The wall clock was set: dates that are now past fire at once, the others are computed anew.
  mutating func clockWasSet(to clock: DeviceClock, at now: HostTime) {
    let here = clock.instant(at: now)
    for place in pending.indices {
      if case .on(let instant) = pending[place].fire, instant > here,
        case .calendar(let match, _) = pending[place].request.trigger,
        let next = pending[place].next(of: match, at: now, by: clock)
      {
        pending[place].fire = .on(next)
      }
    }
  }
}

extension DateMatch {
  fileprivate func next(at now: HostTime, by clock: DeviceClock) -> Instant? {
    next(after: clock.instant(at: now), deviceOffset: clock.offset)
  }
}
