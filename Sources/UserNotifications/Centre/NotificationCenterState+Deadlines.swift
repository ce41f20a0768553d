import Vocabulary

// Everything that waits for time to pass, in one place.
extension NotificationCenterState {
  /// What is to be done when its time has come.
  enum Due: Equatable {
    /// A handler was silent for too long.
    case call(Call)
    /// A notification is good for nothing any more.
    case expiry(NotificationID)
    /// Nobody showed who they are.
    case unlock(NotificationID)
    /// A local notification comes.
    case request(NotificationID)
  }

  /// What comes next, and when; of two at the same time the one that is listed first.
  var nextDue: (time: HostTime, due: Due)? {
    var all = calls.map { (time: $0.due, due: Due.call($0)) }
    all += standing.compactMap { standing in
      standing.expires.map { (clock.time(of: $0), .expiry(standing.id)) }
    }
    all += locked.map { ($0.due, .unlock($0.id)) }
    all += requests.map { (due(of: $0), .request($0.request.id)) }
    return all.min { $0.time < $1.time }
  }

  mutating func advanceClock() {
    // Doing one takes it out, or puts it ahead of now.
    while let (time, due) = nextDue, time <= now { meet(due) }
  }

  private mutating func meet(_ due: Due) {
    switch due {
    case .call(let call): giveUp(call)
    case .expiry(let id): remove([id])
    case .unlock(let id):
      locked.removeAll { $0.id == id }
      emit(.warn(.unlockForgotten, id))
    case .request(let id): fire(id)
    }
  }
}
