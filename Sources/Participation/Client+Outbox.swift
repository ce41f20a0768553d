import InAppMessaging
import Vocabulary
import Wire

// What the server hears of the person and of messages, and when.

extension Client {
  /// Notes something that the server has to hear, now or when it can.
  mutating func tell(_ notice: MessagingNotice) {
    // Of one who went only what became of their messages is left to say.
    if messaging.retires != nil {
      guard case .report = notice else {
        return publish(.unsent("\(notice.text): its person went"))
      }
    }
    if let lost = messaging.outbox.add(notice, at: now) {
      publish(.unsent("\(lost.text): too many wait"))
    }
    sendNotices()
  }

  /// A connection stands: what waits goes out, and what waits on the stack is looked at again.
  mutating func enterMessaging() {
    messaging.isAvailable = true
    launch()
    sendNotices()
    let waiting = messaging.waiting
    if !waiting.isEmpty { askOwn(.messaging(.revalidate(waiting)), .nobody) }
  }

  /// Sends how the app is, if the server does not know, and the next notice, if no answer is awaited.
  mutating func sendNotices() {
    guard link.isOnline, messaging.isAvailable, !pending.isFull else { return }
    for notice in messaging.outbox.expire(at: now) {
      publish(.unsent("\(notice.text): it waited for too long"))
    }
    let next = messaging.outbox.next
    if case .event(let event)? = next?.notice, AppState.Change(event) != nil {
      messaging.toldVisible = messaging.isVisible
    } else if messaging.toldVisible ?? false != messaging.isVisible {
      messaging.toldVisible = messaging.isVisible
      askOwn(.messaging(.appState(appState())), .nobody)
    }
    guard let next else { return }
    messaging.outbox.markSent(next.sequence)
    askOwn(.messaging(request(for: next)), .notice(next.sequence))
  }

  private func appState(_ change: AppState.Change? = nil, sequence: Int? = nil) -> AppState {
    AppState(
      isVisible: messaging.isVisible, change: change, epoch: messaging.epoch, sequence: sequence,
      app: settings.app, version: settings.appVersion,
      capabilities: settings.understandsSessions ? ["groupWatch"] : [])
  }

  private func request(for entry: Outbox<MessagingNotice>.Entry) -> MessagingRequest {
    let sequence = entry.sequence
    switch entry.notice {
    case .event(.event(let name, let properties)):
      return .logEvent(name, properties, sequence: sequence)
    case .event(.purchase(let product, let properties)):
      return .logPurchase(product: product, properties, sequence: sequence)
    case .event(.pushOpened(let campaign)):
      return .logPushOpened(campaign: campaign, sequence: sequence)
    case .event(let event): return .appState(appState(AppState.Change(event), sequence: sequence))
    case .report(let report, let id): return .report(id, report, sequence: sequence)
    case .attribute(let key, let value): return .setAttributes([key: value])
    case .wipe: return .wipe
    }
  }

  /// The server answered a notice, or did not.
  mutating func settle(_ sequence: Int, _ outcome: Outcome) {
    switch outcome {
    case .answered(let answer):
      let notice = messaging.outbox.settle(sequence)
      if answer == .noMatchingTrigger, case .event(.event(let name, _))? = notice {
        publish(.noMatchingTrigger(event: name))
      }
    case .reported, .explained, .listed, .object: _ = messaging.outbox.settle(sequence)
    case .failed(.timedOut), .failed(.forgotten): messaging.outbox.release(sequence)
    case .failed(.closed): return
    case .failed(let failure):
      let notice = messaging.outbox.settle(sequence)
      if case .refused(let error) = failure, error.code == .messagingUnavailable {
        // What else waits would be refused, too; another connection may lead to another server.
        messaging.isAvailable = false
        return messaging.outbox.removeAll()
      }
      if let notice { publish(.unsent("\(notice.text): refused")) }
    }
    sendNotices()
  }
}

extension AppState.Change {
  /// What an event says of how the app is; `nil` if it is of another sort.
  init?(_ event: AppEvent) {
    switch event {
    case .launch: self = .launch
    case .foreground: self = .foreground
    case .sessionStart: self = .sessionStart
    case .event, .purchase, .pushOpened: return nil
    }
  }
}

extension MessagingNotice {
  /// What it is, in English.
  var text: String {
    switch self {
    case .event(.event(let name, _)): "the event \(name)"
    case .event(.purchase(let product, _)): "the purchase of \(product)"
    case .event(.pushOpened): "the opening of a push"
    case .event(let event): "the event \(event)"
    case .report(_, let id): "the report on message \(id)"
    case .attribute(let key, _): "the attribute \(key)"
    case .wipe: "the wish to be forgotten"
    }
  }
}
