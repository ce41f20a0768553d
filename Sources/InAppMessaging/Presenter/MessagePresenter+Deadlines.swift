import Vocabulary

// Everything that waits for time to pass, in one place.
extension MessagePresenter {
  /// What is to be done when its time has come.
  enum Due: Equatable {
    /// The app made no choice.
    case choice(PresentationToken)
    /// Nobody set a display.
    case held(MessageID)
    case assets
    /// The message did not get on screen.
    case presenting
    case impression
    case automaticClose
    /// The app had no word on a click.
    case click(Int)
    /// The view did not go.
    case dismissing
  }

  /// What comes next, and when; of two at the same time the one that is listed first.
  var nextDue: (time: HostTime, due: Due)? {
    var all: [(time: HostTime, due: Due)] = offers.map { ($0.due, .choice($0.token)) }
    // A time to live includes its last moment.
    let moment = Duration.microseconds(1)
    all += held.compactMap { delivery in
      delivery.expires.map { ($0 + moment, .held(delivery.id)) }
    }
    if let slot { all += dues(of: slot) }
    return all.min { $0.time < $1.time }
  }

  private func dues(of slot: Presentation) -> [(time: HostTime, due: Due)] {
    switch slot.delivery.stage {
    case .loading, .preparing, .presenting:
      let limit = (time: slot.since + settings.patience.presenting, due: Due.presenting)
      return (slot.assetsDue.map { [($0, .assets)] } ?? []) + [limit]
    case .presented:
      var all = (slot.transientClicks + [slot.click].compactMap(\.self)).compactMap { click in
        click.due.map { (time: $0, due: Due.click(click.number)) }
      }
      if case .afterVisible(let duration) = slot.message.impression, !slot.delivery.wasSeen,
        let moment = slot.visible.moment(of: duration)
      {
        all.append((moment, .impression))
      }
      if slot.click == nil, let after = slot.message.closing.after,
        let moment = slot.visible.moment(of: after)
      {
        all.append((moment, .automaticClose))
      }
      return all
    case .dismissing: return slot.dismissal.map { [($0.due, .dismissing)] } ?? []
    case .waiting, .offered, .finished: return []
    }
  }

  mutating func advanceClock() {
    // Doing one takes it out, or takes its presentation a step further.
    while let (time, due) = nextDue, time <= now { meet(due) }
  }

  private mutating func meet(_ due: Due) {
    switch due {
    case .choice(let token): hear(.now, token)
    case .held(let id):
      for delivery in takeOut(where: { $0.id == id }) { finish(delivery, .refused(.noDisplay)) }
    case .assets: giveUp(.refused(.assets))
    case .presenting:
      guard let slot else { return }
      emit(.warn(.viewSilent, slot.delivery.id))
      giveUp(.refused(.watchdog))
      endBeforePresented(.failed, .refused(.watchdog))
    case .impression: countImpression()
    case .automaticClose: beginDismissal(.automatic)
    case .click(let number): if let slot { decide(true, number, slot.token) }
    case .dismissing:
      guard let slot else { return }
      emit(.warn(.viewSilent, slot.delivery.id))
      emit(.view(.dismiss(animated: false), slot.token))
      endDismissal()
    }
  }
}
