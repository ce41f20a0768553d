import Vocabulary

// Messages that belong to a session: one player each, and one leave.
extension MessagePresenter {
  /// What is known of sessions.
  struct CurrentSession: Equatable, Sendable {
    var id: SessionID?
    var media: SessionMedia?
    /// Sessions that this device is no longer in, in order.
    var over: [SessionID] = []

    func isOver(_ id: SessionID) -> Bool { over.contains(id) }
  }

  mutating func hear(_ change: SessionChange) {
    switch change {
    case .joined(let id, let media):
      session.over.removeAll { $0 == id }
      (session.id, session.media) = (id, media)
      updateMedia()
    case .media(let id, let media):
      guard session.id == id else { return }
      session.media = media
      updateMedia()
    case .ended(let id): end(id)
    }
  }

  /// What a message that belongs to a session is to show; the session's word goes first.
  func media(for message: InAppMessage) -> SessionMedia? {
    guard let bound = message.session else { return nil }
    if bound == session.id, let media = session.media { return media }
    return slot?.delivery.id == message.id ? slot?.newerMedia : nil
  }

  /// Whether another message of the same session is on its way or on screen, and shows this one's
  /// media instead.
  mutating func isTakenIn(_ delivery: OfferedMessage) -> Bool {
    guard let bound = delivery.message.session, !session.isOver(bound),
      delivery.message.campaign.map({ $0.user == user }) ?? true
    else { return false }
    let media = VideoView(delivery.message).map { SessionMedia(url: $0.url, title: $0.title) }
    if let slot, slot.message.session == bound {
      guard slot.delivery.stage != .dismissing, slot.click == nil else { return false }
      self.slot?.newerMedia = media
      if session.id != bound || session.media == nil, let media, slot.shown == nil {
        self.slot?.delivery.message.show(media)
      }
      updateMedia()
    } else if let index = offers.firstIndex(where: { $0.delivery.message.session == bound }) {
      if let media { offers[index].delivery.message.show(media) }
    } else {
      return false
    }
    finish(delivery, .refused(.replaced))
    return true
  }

  /// Swaps the video of the message on screen for the session's.
  mutating func updateMedia() {
    guard let slot, slot.delivery.stage == .presented, var shown = slot.shown,
      let media = media(for: slot.message)
    else { return }
    shown.context.message.show(media)
    guard shown != slot.shown else { return }
    if let fault = fault(of: shown.context.message, in: shown.view) {
      return emit(.warn(.invalidContent(fault), slot.delivery.id))
    }
    self.slot?.shown = shown
    emit(.tell(.willUpdate(shown.context.message)))
    emit(.view(.update(shown), slot.token))
  }

  /// This device leaves a session, unless it has left it or the session is over.
  mutating func leave(_ id: SessionID) {
    guard !session.isOver(id) else { return }
    emit(.session(.leave, id))
    forget(id)
  }

  /// The session is over without this device's doing.
  private mutating func end(_ id: SessionID) {
    guard !session.isOver(id) else { return }
    forget(id)
    guard let slot, slot.message.session == id else { return }
    if slot.shown != nil, slot.delivery.stage != .dismissing {
      emit(.view(.pause, slot.token))
      if slot.delivery.stage == .presented { return beginDismissal(.sessionEnded) }
      self.slot?.waitingDismissal = .sessionEnded
    }
    giveUp(.refused(.sessionEnded))
  }

  private mutating func forget(_ id: SessionID) {
    session.over.append(id)
    if session.over.count > settings.memory { session.over.removeFirst() }
    emit(.session(.clearSession, id))
    emit(.session(.clearItem, id))
    if session.id == id { (session.id, session.media) = (nil, nil) }
    for delivery in takeOut(where: { $0.message.session == id }) {
      finish(delivery, .refused(.sessionEnded))
    }
  }
}

extension InAppMessage {
  /// Puts a session's video in the place of the message's own.
  mutating func show(_ media: SessionMedia) {
    let isOther = extras[VideoView.urlKey]?.string != media.url
    extras[VideoView.urlKey] = .string(media.url)
    // The title of another video would be worse than none.
    if media.title != nil || isOther {
      extras[VideoView.titleKey] = media.title.map { .string($0) }
    }
  }
}
