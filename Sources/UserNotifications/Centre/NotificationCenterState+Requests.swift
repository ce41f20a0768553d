import Vocabulary

// Notifications that the device makes itself.
extension NotificationCenterState {
  /// A local notification that waits for its time.
  struct PendingRequest: Equatable, Sendable {
    let request: NotificationRequest
    var fire: Fire

    /// When it comes: after so long by the machine's clock, or at a date by the one on the wall.
    enum Fire: Equatable, Sendable {
      case at(HostTime)
      case on(Instant)
    }
  }

  mutating func schedule(_ request: NotificationRequest) {
    do throws(NotificationRequest.Fault) {
      let fire = try fire(of: request.trigger)
      let others = requests.filter { $0.request.id != request.id }
      guard let fire else {
        requests = others
        return arrive(request)
      }
      guard others.count < settings.requestLimit else { throw .tooMany }
      requests = others + [PendingRequest(request: request, fire: fire)]
    } catch {
      emit(.refuse(request.id, error))
    }
  }

  /// When a request comes first; `nil` at once.
  private func fire(
    of trigger: NotificationTrigger
  ) throws(NotificationRequest.Fault) -> PendingRequest.Fire? {
    switch trigger {
    case .push: throw .push
    case .none: return nil
    case .timeInterval(let interval, let repeats):
      let shortest = max(repeats ? settings.shortestRepeat : .zero, .microseconds(1))
      guard interval >= shortest else { throw .interval }
      return .at(now + interval)
    case .calendar(let match, _):
      guard let instant = next(match) else { throw .date }
      return .on(instant)
    }
  }

  private func next(_ match: DateMatch) -> Instant? {
    match.next(after: clock.instant(at: now), deviceOffset: clock.offset)
  }

  func due(of request: PendingRequest) -> HostTime {
    switch request.fire {
    case .at(let time): time
    case .on(let instant): clock.time(of: instant)
    }
  }

  /// A request's time has come: it comes once, however many times were missed, and perhaps again.
  mutating func fire(_ id: NotificationID) {
    guard let place = requests.firstIndex(where: { $0.request.id == id }) else { return }
    let request = requests[place].request
    switch (request.trigger, requests[place].fire) {
    case (.timeInterval(let interval, repeats: true), .at(let due)):
      let missed = (now - due).microseconds / interval.microseconds
      requests[place].fire = .at(due + interval * Int(missed + 1))
    case (.calendar(let match, repeats: true), .on):
      if let instant = next(match) {
        requests[place].fire = .on(instant)
      } else {
        requests.remove(at: place)
      }
    default: requests.remove(at: place)
    }
    arrive(request)
  }

  /// The clock on the wall was put right: dates that are past by it come now, the others anew.
  mutating func set(_ clock: DeviceClock) {
    self.clock = clock
    let here = clock.instant(at: now)
    for place in requests.indices {
      if case .on(let instant) = requests[place].fire, instant > here,
        case .calendar(let match, _) = requests[place].request.trigger,
        let anew = next(match)
      {
        requests[place].fire = .on(anew)
      }
    }
    advanceClock()
  }
}
