import InAppMessaging
import Vocabulary
import Wire

/// What the server has to hear of a person, in order, until it answers.
///
/// One is on its way at a time: a server takes what is numbered below the last for a repeat, so none
/// may overtake another. What comes while there is no connection waits here, and what was not
/// answered goes again.
struct Outbox<Notice: OutboxNotice>: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    /// Rising, over one run of the client: it says to the server whether it was there before.
    let sequence: Int
    let notice: Notice
    let since: HostTime
  }

  private(set) var entries: [Entry] = []
  /// The entry whose answer is awaited.
  private(set) var sent: Int?
  private var lastSequence = 0

  /// The next to be sent; `nil` while an answer is awaited, or with nothing to say.
  var next: Entry? { sent == nil ? entries.first : nil }

  /// Adds a notice; returns what had to go to make room for it: the oldest.
  mutating func add(_ notice: Notice, at now: HostTime) -> Notice? {
    lastSequence += 1
    entries.append(Entry(sequence: lastSequence, notice: notice, since: now))
    guard entries.count > Notice.limit, let oldest = entries.firstIndex(where: mayGo) else {
      return nil
    }
    return entries.remove(at: oldest).notice
  }

  /// Not what is on its way, which may have arrived already.
  private func mayGo(_ entry: Entry) -> Bool { entry.sequence != sent && entry.notice.mayGo }

  mutating func markSent(_ sequence: Int) { sent = sequence }

  /// The server has it, or will never want it.
  mutating func settle(_ sequence: Int) -> Notice? {
    if sent == sequence { sent = nil }
    guard let place = entries.firstIndex(where: { $0.sequence == sequence }) else { return nil }
    return entries.remove(at: place).notice
  }

  /// It has to go again.
  mutating func release(_ sequence: Int) { if sent == sequence { sent = nil } }

  /// Forgets what waited for too long; returns it, the oldest first.
  mutating func expire(at now: HostTime) -> [Notice] {
    guard let oldest = entries.first, oldest.since + Notice.longestWait <= now else { return [] }
    let old = entries.filter { mayGo($0) && $0.since + Notice.longestWait <= now }
    entries.removeAll { entry in old.contains { $0.sequence == entry.sequence } }
    return old.map(\.notice)
  }

  /// Forgets everything of that kind that is not on its way.
  mutating func removeAll(where isMeant: (Notice) -> Bool = { _ in true }) {
    entries.removeAll { [sent] in $0.sequence != sent && isMeant($0.notice) }
  }
}

/// Something the server has to hear, sooner or later.
protocol OutboxNotice: Equatable, Sendable {
  /// How many of these wait at most.
  static var limit: Int { get }
  /// For how long one is of any use.
  static var longestWait: Duration { get }
  /// Whether it may be forgotten, for lack of room or because it waited for too long.
  var mayGo: Bool { get }
}

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
