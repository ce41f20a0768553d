import InAppMessaging
import Vocabulary
import Wire

/// The notices that the server must receive, in order, each kept until the server answers it.
///
/// One notice is in flight at a time. The server takes a sequence number below the last one for a
/// repeat, so no notice may overtake another. While offline, notices wait here. A notice without
/// an answer is sent again.
struct Outbox<Notice: OutboxNotice>: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    /// Increases during one run of the client; the server uses it to detect repeats.
    let sequence: Int
    let notice: Notice
    let since: HostTime
  }

  private(set) var entries: [Entry] = []
  /// The sequence number of the notice in flight.
  private(set) var sent: Int?
  /// The sequence number of the notice added last; 0 before the first.
  private(set) var lastSequence = 0

  /// The next notice to send; `nil` while an answer is pending or the outbox is empty.
  var next: Entry? { sent == nil ? entries.first : nil }

  /// Adds a notice; returns the oldest one if it was dropped because the outbox was full.
  mutating func add(_ notice: Notice, at now: HostTime) -> Notice? {
    lastSequence += 1
    entries.append(Entry(sequence: lastSequence, notice: notice, since: now))
    guard entries.count > Notice.limit, let oldest = entries.firstIndex(where: mayGo) else {
      return nil
    }
    return entries.remove(at: oldest).notice
  }

  /// Whether an entry may be dropped; the one in flight may not, because it may have arrived.
  private func mayGo(_ entry: Entry) -> Bool { entry.sequence != sent && entry.notice.mayGo }

  mutating func markSent(_ sequence: Int) { sent = sequence }

  /// Whether neither this notice nor one before it waits any more.
  func hasSettled(_ sequence: Int) -> Bool {
    entries.first.map { $0.sequence > sequence } ?? true
  }

  /// Removes a notice that the server accepted or refused for good.
  mutating func settle(_ sequence: Int) -> Notice? {
    if sent == sequence { sent = nil }
    guard let index = entries.firstIndex(where: { $0.sequence == sequence }) else { return nil }
    return entries.remove(at: index).notice
  }

  /// Marks a notice to be sent again.
  mutating func release(_ sequence: Int) { if sent == sequence { sent = nil } }

  /// Drops expired notices and returns them, the oldest first.
  mutating func expire(at now: HostTime) -> [Notice] {
    guard let oldest = entries.first, oldest.since + Notice.longestWait <= now else { return [] }
    let old = entries.filter { mayGo($0) && $0.since + Notice.longestWait <= now }
    entries.removeAll { entry in old.contains { $0.sequence == entry.sequence } }
    return old.map(\.notice)
  }

  /// Removes and returns all notices, the oldest first; none may be in flight.
  mutating func takeAll() -> [Notice] {
    defer { entries = [] }
    return entries.map(\.notice)
  }

  /// Drops all matching notices except the one in flight.
  mutating func removeAll(where isMeant: (Notice) -> Bool = { _ in true }) {
    entries.removeAll { [sent] in $0.sequence != sent && isMeant($0.notice) }
  }
}

/// A notice that the server must receive.
protocol OutboxNotice: Equatable, Sendable {
  /// The maximum number of queued notices.
  static var limit: Int { get }
  /// How long a notice stays useful.
  static var longestWait: Duration { get }
  /// Whether a notice may be dropped when the outbox is full or the notice expires.
  var mayGo: Bool { get }
}

// Notices about the person and about messages: what the server must be told, and when it is sent.

extension Client {
  /// Adds a notice to the outbox and sends it now or after the next connection.
  mutating func tell(_ notice: MessagingNotice) {
    // After a person signs out, only reports on their messages are accepted.
    if retires != nil {
      guard case .report = notice else {
        return publish(.unsent("\(notice.text): its person went"))
      }
    }
    guard messaging.isAvailable else { return giveUp([notice]) }
    if let lost = messaging.outbox.add(notice, at: now) {
      publish(.unsent("\(lost.text): too many wait"))
    }
    sendNotices()
  }

  /// Sends the backlog after a welcome and asks the server to revalidate the stack.
  mutating func enterMessaging() {
    setMessagingAvailable(true)
    launch()
    sendNotices()
    let waiting = messaging.waiting
    if !waiting.isEmpty { askOwn(.messaging(.revalidate(waiting)), .nobody) }
  }

  /// Sends the app's state if the server does not know it, and the next notice if no answer is
  /// pending.
  mutating func sendNotices() {
    guard link.isOnline, messaging.isAvailable else { return }
    for notice in messaging.outbox.expire(at: now) {
      publish(.unsent("\(notice.text): it waited for too long"))
    }
    let next = messaging.outbox.next
    let isState =
      if case .event(let event)? = next?.notice { AppState.Change(event) != nil } else { false }
    if !isState, messaging.owesState(before: next?.notice), !tellState() { return }
    guard let next, askOwn(.messaging(request(for: next)), .notice(next.sequence)) else { return }
    messaging.outbox.markSent(next.sequence)
    if isState { messaging.noteState() }
  }

  /// Sends the app's state once more, as it is now, because the server could not store it in time.
  mutating func tellStateAgain() {
    let isUnderWay = pending.all.contains { $0.asker == .appState }
    // A client that has no connection, or a new one, tells it with the welcome.
    guard messaging.hasToldState, messaging.isAvailable, !isUnderWay else { return }
    tellState()
  }

  /// Sends the app's state; returns whether there was room for it.
  @discardableResult
  private mutating func tellState() -> Bool {
    guard askOwn(.messaging(.appState(appState())), .appState) else { return false }
    messaging.noteState()
    return true
  }

  /// Tells the app what the server will never hear of, because it has no campaigns.
  private mutating func giveUp(_ notices: [MessagingNotice]) {
    for notice in notices where !notice.isOfClient {
      publish(.unsent("\(notice.text): the server has no campaigns"))
    }
  }

  private mutating func setMessagingAvailable(_ isAvailable: Bool) {
    guard isAvailable != messaging.isAvailable else { return }
    messaging.isAvailable = isAvailable
    publish(.messagingAvailable(isAvailable))
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

  /// Handles the outcome of sending a notice.
  mutating func settle(_ sequence: Int, _ outcome: Outcome) {
    defer { sendPending() }
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
        // Other queued notices would be refused too; the next connection may reach another server.
        setMessagingAvailable(false)
        return giveUp([notice].compactMap(\.self) + messaging.outbox.takeAll())
      }
      if let notice { publish(.unsent("\(notice.text): refused")) }
    }
    sendNotices()
  }
}

extension AppState.Change {
  /// The change of the app's state that an event describes; `nil` if it describes none.
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
  /// Whether the client sends it of its own accord, so that nobody misses it.
  fileprivate var isOfClient: Bool {
    if case .event(let event) = self { AppState.Change(event) != nil } else { false }
  }

  /// The notice in English.
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
