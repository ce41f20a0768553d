internal import Vocabulary

/// From a chosen campaign to a message on a device.
extension MessagingDraft {
  /// Sends the first campaign on its way that does not come to nothing at once.
  ///
  /// - Parameter rechecks: whether time has passed since they were chosen.
  mutating func send(_ chosen: ArraySlice<CampaignID>, _ cause: Delivery.Cause, rechecks: Bool) {
    var rest = chosen
    while let id = rest.popFirst() {
      guard let compiled = campaigns.compiled(id) else {
        note(id, Bar(.stopped))
        continue
      }
      let due = cause.at + compiled.campaign.delay
      if rechecks, let bar = recheck(compiled, cause, after: max(.zero, due - now)) {
        note(id, bar)
        continue
      }
      guard user.deliveries.count < limits.deliveries else { return note(id, Bar(.overflow)) }
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
      do throws(Bar) { message = try self.message(of: delivery, compiled) } catch {
        note(id, error)
        continue
      }
      delivery.phase = .offered(to: device, at: now)
      reserve(delivery)
      return carryOut(.deliver(message, to: device, expires: delivery.expires))
    }
  }

  /// Whether a campaign that was chosen earlier may still come.
  private func recheck(
    _ compiled: CompiledCampaign, _ cause: Delivery.Cause, after delay: Duration
  ) -> Bar? {
    guard now < cause.at + compiled.timeToLive(policy) else { return Bar(.expired) }
    return user.bar(to: compiled.rule, on: origin(of: cause), at: now)
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

  /// The newest item to watch makes older messages out of date that are not on the screen.
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
  }

  /// Offers what is due to whoever is there; what may not come any more makes room for the next.
  mutating func offer(_ delivery: Delivery) {
    guard let compiled = campaigns.compiled(delivery.campaign) else {
      return fallBack(from: delivery, Bar(.stopped))
    }
    if let bar = barWhenDue(delivery, compiled) { return fallBack(from: delivery, bar) }
    guard let device = target(for: delivery, compiled)?.device else {
      if delivery.phase != .due { record(.fellDue(delivery.id)) }
      return
    }
    let message: InAppMessage
    do throws(Bar) { message = try self.message(of: delivery, compiled) } catch {
      return fallBack(from: delivery, error)
    }
    record(.offered(delivery.id, to: device))
    carryOut(.deliver(message, to: device, expires: delivery.expires))
  }

  /// what is looked at again when the delay is over, or a device is there.
  private func barWhenDue(_ delivery: Delivery, _ compiled: CompiledCampaign) -> Bar? {
    guard now < delivery.expires else { return Bar(.expired) }
    guard !delivery.isTest else { return nil }
    let cause = delivery.cause
    return user.bar(
      to: compiled.rule, except: delivery.id, on: origin(of: cause),
      asksAudience: compiled.campaign.reevaluates, at: now)
      ?? user.distanceBar(
        to: compiled.rule, of: cause.triggerClass, except: delivery.id, after: .zero,
        at: now, under: policy)
  }

  /// A delivery came to nothing before it was offered: the next campaign has its turn.
  mutating func fallBack(from delivery: Delivery, _ bar: Bar) {
    note(delivery.campaign, bar)
    record(.ended(delivery.id, .refused(bar.refusal)))
    send(delivery.fallbacks[...], delivery.cause, rechecks: true)
  }

  /// The message with its texts filled in.
  ///
  /// - Throws: that a value is missing, or that what came of the values is nothing that any client
  ///   would show. What no template changes was looked at with the campaign.
  func message(of delivery: Delivery, _ compiled: CompiledCampaign) throws(Bar) -> InAppMessage {
    let campaign = compiled.campaign
    guard let place = campaign.variants.firstIndex(where: { $0.id == delivery.variant }) else {
      throw Bar(.stopped)
    }
    let template = compiled.messages[place]
    var message = InAppMessage(id: delivery.id, kind: .control, body: .empty)
    if let template {
      let values = TemplateValues(
        event: delivery.cause.event, user: user.id, attributes: user.attributes,
        session: delivery.cause.session)
      do throws(MessageTemplate.Abortion) { message = try template.filled(with: values) } catch {
        throw Bar(.aborted, .place(error.text))
      }
    }
    message.id = delivery.id
    message.campaign = CampaignReference(
      id: campaign.id, name: campaign.name, variant: delivery.variant, isTest: delivery.isTest,
      user: user.id)
    if delivery.isSessionBound { message.session = delivery.cause.session }
    if let template, template.hasPlaces, let fault = message.universalFault {
      throw Bar(.invalidContent, .content(fault.sort))
    }
    return message
  }
}

// MARK: Devices

extension MessagingDraft {
  /// the device that it happened on if it is in sight, else the one most recently used.
  ///
  /// A test goes to its own device, and a session's message to the one that is in the session.
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

  /// Where an audience is asked: the device that it happened on, else the one most recently used.
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
  /// Its number, and eight characters made of the person, the instant and the salt: two people on one
  /// device never have the same, nor one person before all was forgotten and after, when numbers
  /// begin anew. Strings of 15 bytes are kept inline.
  var nextID: MessageID {
    var hash = StableHash()
    hash.combine(user.id.text)
    hash.combine(0)
    hash.combine("\(now.microseconds) \(conditions.salt)")
    return MessageID(mintedText(hash.value, digits: 8) + "-" + String(user.nextNumber))
  }
}
