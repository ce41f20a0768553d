internal import Vocabulary

// MARK: Devices come and go

extension MessagingDraft {
  mutating func connect(_ device: DeviceID, epoch: UInt64) {
    let mark = user.marks[.client(device)]
    if mark?.epoch != epoch {
      record(.connected(device, epoch: epoch))
      for delivery in user.deliveries where delivery.device == device { lose(delivery) }
    } else {
      if user.lost[device] != nil { record(.resumed(device)) }
      for delivery in user.deliveries {
        if case .offered(device, _) = delivery.phase { offerAgain(delivery, to: device) }
      }
      for delivery in user.lapsed where delivery.device == device {
        let isRecalled = campaigns.recalls(delivery)
        carryOut(
          .withdraw(
            delivery.id, from: device, because: isRecalled ? .stopped : .expired,
            isForced: isRecalled))
      }
    }
    offerWhatIsDue()
  }

  /// Its client started anew, and lost its messages.
  ///
  /// A session's message is sent again as the same delivery while the device is in the session
  /// the campaigns of others may be triggered again.
  private mutating func lose(_ delivery: Delivery) {
    guard let device = delivery.device else { return }
    if delivery.isSessionBound, delivery.cause.session != nil {
      offerAgain(delivery, to: device)
    } else if delivery.isSeen {
      record(.ended(delivery.id, .presented(dismissedBy: .pageClosed)))
    } else {
      record(.lapsed(delivery.id, .noClient))
    }
  }

  private mutating func offerAgain(_ delivery: Delivery, to device: DeviceID) {
    guard let compiled = campaigns.compiled(delivery.campaign) else {
      return revoke(delivery, .aborted)
    }
    let message: InAppMessage
    do throws(Ineligibility) { message = try self.message(of: delivery, compiled) } catch {
      return revoke(delivery, error.refusal)
    }
    var expires = delivery.expires
    if delivery.lyingOn != nil {
      // It was on the device before, so it gets a new deadline, however late it is.
      record(.offered(delivery.id, to: device))
      expires = now + policy.answerDeadline
    }
    carryOut(.deliver(message, to: device, expires: expires, wasSeen: delivery.isSeen))
  }

  mutating func disconnect(_ device: DeviceID) {
    guard user.lost[device] == nil, user.deliveries.contains(where: { $0.lyingOn == device })
    else { return }
    record(.lost(device, until: now + policy.clientGrace))
  }

  mutating func interrupt() {
    guard user.deliveries.contains(where: { $0.lyingOn.map { user.lost[$0] == nil } ?? false })
    else { return }
    record(.interrupted(until: now + policy.clientGrace))
  }

  mutating func release(_ device: DeviceID) {
    for delivery in user.deliveries {
      guard delivery.device == device || delivery.pinnedTo == device else { continue }
      let outcome: InAppMessage.Outcome =
        delivery.isSeen ? .presented(dismissedBy: .userChanged) : .refused(.userMismatch)
      record(.ended(delivery.id, outcome))
    }
  }

  mutating func offerWhatIsDue() {
    offerEach(of: user.deliveries.filter { $0.phase == .due })
  }

  /// Offers deliveries in turn; the fallback of one may end another, which is then skipped.
  private mutating func offerEach(of deliveries: [Delivery]) {
    for delivery in deliveries where user.delivery(delivery.id) != nil { offer(delivery) }
  }
}

// MARK: What is taken back

extension MessagingDraft {
  /// Revokes a message; from the screen only if forced.
  ///
  /// A message that was sent may be on the screen by now, so a late report still counts.
  mutating func revoke(
    _ delivery: Delivery, _ refusal: InAppMessage.Refusal, isForced: Bool = false
  ) {
    note(delivery.campaign, Ineligibility(refusal))
    guard let device = delivery.device else {
      return record(.ended(delivery.id, .refused(refusal)))
    }
    carryOut(.withdraw(delivery.id, from: device, because: refusal, isForced: isForced))
    record(.lapsed(delivery.id, refusal))
  }

  mutating func takeBackStopped() {
    if !user.failed.isEmpty { record(.failuresForgotten) }
    for delivery in user.deliveries where !delivery.isTest {
      let campaign = campaigns[delivery.campaign]
      if campaign?.state == .live, campaign?.end.map({ now < $0 }) ?? true { continue }
      switch delivery.phase {
      case .scheduled, .due: fallBack(from: delivery, Ineligibility(.stopped))
      case .offered, .waiting: revoke(delivery, .stopped)
      case .started where campaigns.recalls(delivery):
        revoke(delivery, .stopped, isForced: true)
      case .started: break
      }
    }
  }

  /// The person turned messages or data collection off: only messages on the screen stay.
  mutating func withdrawAll() {
    for delivery in user.deliveries {
      if case .started = delivery.phase { continue }
      revoke(delivery, .collectionOff)
    }
  }

  mutating func sessionOver(_ session: SessionID, on device: DeviceID?) {
    for delivery in user.deliveries
    where delivery.isSessionBound && delivery.cause.session == session {
      let here = delivery.device ?? delivery.cause.device
      guard device == nil || here == device else { continue }
      if case .started(let screen) = delivery.phase {
        carryOut(.withdraw(delivery.id, from: screen, because: .sessionEnded, isForced: true))
        record(.ended(delivery.id, .presented(dismissedBy: .sessionEnded)))
      } else {
        revoke(delivery, .sessionEnded)
      }
    }
  }

  mutating func wipe() {
    for delivery in user.deliveries {
      if let device = delivery.device {
        carryOut(.withdraw(delivery.id, from: device, because: .collectionOff, isForced: true))
      }
    }
    record(.wiped)
  }
}

// MARK: What time brings

extension MessagingDraft {
  mutating func clockAdvanced() {
    for device in user.lost.filter({ $0.value <= now }).map(\.key) {
      for delivery in user.deliveries where delivery.lyingOn == device {
        if delivery.isSeen {
          record(.ended(delivery.id, .presented(dismissedBy: .pageClosed)))
        } else {
          note(delivery.campaign, Ineligibility(.noClient))
          record(.lapsed(delivery.id, .noClient))
        }
      }
    }
    for delivery in user.deliveries where delivery.deadline(policy).map({ $0 <= now }) ?? false {
      switch delivery.phase {
      case .offered: revoke(delivery, .watchdog)
      case .due:
        note(delivery.campaign, Ineligibility(.noClient))
        record(.ended(delivery.id, .refused(.noClient)))
      case .scheduled: continue
      case .waiting, .started: break
      }
    }
    let due = user.deliveries.filter {
      if case .scheduled(let due) = $0.phase { due <= now } else { false }
    }
    offerEach(of: due.sorted(by: Delivery.fallsDueBefore))
  }
}

extension Delivery {
  fileprivate static func fallsDueBefore(_ one: Delivery, _ other: Delivery) -> Bool {
    guard case .scheduled(let first) = one.phase, case .scheduled(let second) = other.phase else {
      return false
    }
    return (first, one.cause.at) < (second, other.cause.at)
  }

  /// When time alone changes it.
  func deadline(_ policy: MessagingPolicy) -> Instant? {
    switch phase {
    case .scheduled(let due): due
    case .due: expires
    case .offered(_, let at): max(expires, at + policy.answerDeadline)
    case .waiting, .started: nil
    }
  }
}
