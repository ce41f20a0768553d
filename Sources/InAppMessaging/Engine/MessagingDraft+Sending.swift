internal import Vocabulary

/// From a chosen campaign to a message on a device.
extension MessagingDraft {
  /// Delivers the first campaign that does not fail at once.
  ///
  /// - Parameter rechecks: whether time has passed since the campaigns were chosen.
  mutating func send(_ chosen: ArraySlice<CampaignID>, _ cause: Delivery.Cause, rechecks: Bool) {
    var rest = chosen
    while let id = rest.popFirst() {
      guard let compiled = campaigns.compiled(id) else {
        note(id, Ineligibility(.stopped))
        continue
      }
      let due = cause.at + compiled.campaign.delay
      if rechecks, let ineligibility = recheck(compiled, cause, after: max(.zero, due - now)) {
        note(id, ineligibility)
        continue
      }
      guard user.deliveries.count < limits.deliveries else {
        return note(id, Ineligibility(.overflow))
      }
      var delivery = delivery(of: compiled, cause)
      guard due <= now else {
        delivery.phase = .scheduled(due: due)
        delivery.fallbacks = Array(rest)
        return reserve(delivery)
      }
      guard let device = target(for: delivery, compiled)?.device else {
        delivery.fallbacks = Array(rest)
        return reserve(delivery)
      }
      let message: InAppMessage
      do throws(Ineligibility) { message = try self.message(of: delivery, compiled) } catch {
        note(id, error)
        continue
      }
      delivery.phase = .offered(to: device, at: now)
      reserve(delivery)
      return carryOut(.deliver(message, to: device, expires: delivery.expires))
    }
  }

  /// Whether a campaign that was chosen earlier may still be delivered.
  private func recheck(
    _ compiled: CompiledCampaign, _ cause: Delivery.Cause, after delay: Duration
  ) -> Ineligibility? {
    guard now < cause.at + compiled.timeToLive(policy) else { return Ineligibility(.expired) }
    return user.ineligibility(to: compiled.rule, on: origin(of: cause), at: now)
      ?? user.distanceBar(
        to: compiled.rule, of: cause.triggerClass, after: delay, at: now, under: policy)
  }

  private func delivery(of compiled: CompiledCampaign, _ cause: Delivery.Cause) -> Delivery {
    let variant = compiled.variant(for: user.id)
    return Delivery(
      id: nextID, campaign: compiled.campaign.id,
      variant: compiled.campaign.variants[variant].id, cause: cause,
      expires: cause.at + compiled.timeToLive(policy), remembered: compiled.remembered,
      isControl: compiled.messages[variant] == nil, isSessionBound: compiled.campaign.bindsSession,
      phase: .due)
  }

  /// A newer item to watch replaces older messages that are not on the screen.
  private mutating func reserve(_ new: Delivery) {
    if new.isSessionBound {
      for delivery in user.deliveries
      where delivery.campaign == new.campaign && delivery.cause.session == new.cause.session
        && delivery.cause.device == new.cause.device && !delivery.isTest
      {
        if case .started = delivery.phase { continue }
        revoke(delivery, .outranked)
      }
    }
    record(.reserved(new))
    noteSent(new.campaign)
  }

  /// Offers due messages to a device in the foreground; one that may no longer be shown gives way
  /// to its fallbacks.
  mutating func offer(_ delivery: Delivery) {
    guard let compiled = campaigns.compiled(delivery.campaign) else {
      return fallBack(from: delivery, Ineligibility(.stopped))
    }
    if let ineligibility = ineligibilityWhenDue(delivery, compiled) {
      return fallBack(from: delivery, ineligibility)
    }
    guard let device = target(for: delivery, compiled)?.device else {
      if delivery.phase != .due { record(.fellDue(delivery.id)) }
      return
    }
    let message: InAppMessage
    do throws(Ineligibility) { message = try self.message(of: delivery, compiled) } catch {
      return fallBack(from: delivery, error)
    }
    record(.offered(delivery.id, to: device))
    carryOut(.deliver(message, to: device, expires: delivery.expires))
  }

  /// the checks that are repeated after the delay, or once a device is there.
  private func ineligibilityWhenDue(_ delivery: Delivery, _ compiled: CompiledCampaign)
    -> Ineligibility?
  {
    guard now < delivery.expires else { return Ineligibility(.expired) }
    guard !delivery.isTest else { return nil }
    let cause = delivery.cause
    return user.ineligibility(
      to: compiled.rule, except: delivery.id, on: origin(of: cause),
      asksAudience: compiled.campaign.reevaluates, at: now)
      ?? user.distanceBar(
        to: compiled.rule, of: cause.triggerClass, except: delivery.id, after: .zero,
        at: now, under: policy)
  }

  /// A delivery failed before it was offered: its next fallback is tried.
  mutating func fallBack(from delivery: Delivery, _ ineligibility: Ineligibility) {
    note(delivery.campaign, ineligibility)
    record(.ended(delivery.id, .refused(ineligibility.refusal)))
    send(delivery.fallbacks[...], delivery.cause, rechecks: true)
  }

  /// The message with its texts filled in.
  ///
  /// - Throws: if a value is missing, or if no client would show the result. Parts without
  ///   templates
  /// were checked with the campaign.
  func message(of delivery: Delivery, _ compiled: CompiledCampaign) throws(Ineligibility)
    -> InAppMessage
  {
    let campaign = compiled.campaign
    guard let place = campaign.variants.firstIndex(where: { $0.id == delivery.variant }) else {
      throw Ineligibility(.stopped)
    }
    let template = compiled.messages[place]
    var message = InAppMessage(id: delivery.id, kind: .control, body: .empty)
    if let template {
      let values = TemplateValues(
        event: delivery.cause.event, user: user.id, attributes: user.attributes,
        session: delivery.cause.session)
      do throws(MessageTemplate.Abortion) { message = try template.filled(with: values) } catch {
        throw Ineligibility(.aborted, .place(error.text))
      }
    }
    message.id = delivery.id
    message.campaign = CampaignReference(
      id: campaign.id, name: campaign.name, variant: delivery.variant, isTest: delivery.isTest,
      user: user.id)
    if delivery.isSessionBound { message.session = delivery.cause.session }
    if let template, template.hasPlaces, let fault = message.universalFault {
      throw Ineligibility(.invalidContent, .content(fault.sort))
    }
    return message
  }
}

// MARK: Devices

extension MessagingDraft {
  /// the device that the event happened on if it is in the foreground, otherwise the last
  /// used one.
  ///
  /// A trial goes to its own device, and a session's message to the device in the session.
  private func target(for delivery: Delivery, _ compiled: CompiledCampaign) -> DevicePresence? {
    let cause = delivery.cause
    if let origin = presence(of: cause.device), origin.isVisible,
      delivery.isTest || suits(compiled, origin)
    {
      return origin
    }
    guard delivery.pinnedTo == nil else { return nil }
    return mostRecent { $0.isVisible && suits(compiled, $0) }
  }

  private func suits(_ compiled: CompiledCampaign, _ device: DevicePresence) -> Bool {
    !compiled.dependsOnDevice || compiled.rule.audience.holds(for: user, on: device)
  }

  /// The device for which an audience is evaluated: the one that the event happened on, otherwise
  /// the last used one.
  func origin(of cause: Delivery.Cause) -> DevicePresence? {
    presence(of: cause.device) ?? mostRecent { _ in true }
  }

  func mostRecent(where matches: (DevicePresence) -> Bool) -> DevicePresence? {
    var best: DevicePresence?
    for device in conditions.devices where matches(device) {
      guard let current = best else {
        best = device
        continue
      }
      if (current.lastActive, device.device) < (device.lastActive, current.device) { best = device }
    }
    return best
  }
}

extension MessagingDraft {
  /// The id of the next delivery.
  ///
  /// Its number, and eight characters hashed from the person, the instant and the salt. So ids
  /// differ between two people on one device, and for one person before and after everything was
  /// forgotten, when numbers begin anew. Strings of 15 bytes are kept inline.
  var nextID: MessageID {
    var hash = StableHash()
    hash.combine(user.id.text)
    hash.combine(0)
    hash.combine("\(now.microseconds) \(conditions.salt)")
    return MessageID(mintedText(hash.value, digits: 8) + "-" + String(user.nextNumber))
  }
}
