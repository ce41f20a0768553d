package import InAppMessaging
package import JSON
import Vocabulary

extension MessagingEvent: Tagged, Fields {
  static let tag = "event"

  static let cases = CaseTable<MessagingEvent>(
    Cases.logged, Cases.seen, Cases.sessionStarted, Cases.attributeSet, Cases.membershipSet,
    Cases.collectionSet, Cases.pausedSet, Cases.connected, Cases.lost, Cases.resumed,
    Cases.interrupted, Cases.reserved, Cases.fellDue, Cases.offered, Cases.waiting, Cases.started,
    Cases.impression, Cases.clicked, Cases.ended, Cases.lapsed, Cases.failuresForgotten,
    Cases.forgotten, Cases.wiped)

  private enum Cases {
    static let logged = Case("logged", MessagingEvent.logged, .open, .flag("late"))
    static let seen = Case("seen", MessagingEvent.seen)
    static let sessionStarted = Case("sessionStarted", MessagingEvent.sessionStarted)
    static let attributeSet = Case("attributeSet", MessagingEvent.attributeSet, "key", "value")
    static let membershipSet = Case(
      "membershipSet", MessagingEvent.membershipSet, "list", "member")
    static let collectionSet = Case("collectionSet", MessagingEvent.collectionSet, "collecting")
    static let pausedSet = Case("pausedSet", MessagingEvent.pausedSet, "paused")
    static let connected = Case("connected", MessagingEvent.connected, "device", "epoch")
    static let lost = Case("lost", MessagingEvent.lost, "device", "until")
    static let resumed = Case("resumed", MessagingEvent.resumed, "device")
    static let interrupted = Case("interrupted", MessagingEvent.interrupted, "until")
    static let reserved = Case("reserved", MessagingEvent.reserved, "delivery")
    static let fellDue = Case("fellDue", MessagingEvent.fellDue, "message")
    static let offered = Case("offered", MessagingEvent.offered, "message", "device")
    static let waiting = Case("waiting", MessagingEvent.waiting, "message")
    static let started = Case("started", MessagingEvent.started, "message")
    static let impression = Case("impression", MessagingEvent.impression, "message")
    static let clicked = Case("clicked", MessagingEvent.clicked, "message", "button")
    static let ended = Case("ended", MessagingEvent.ended, "message", .open)
    static let lapsed = Case("lapsed", MessagingEvent.lapsed, "message", "reason")
    static let failuresForgotten = Case("failuresForgotten", MessagingEvent.failuresForgotten)
    static let forgotten = Case("forgotten", MessagingEvent.forgotten, "campaign")
    static let wiped = Case("wiped", MessagingEvent.wiped)
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .logged(let identity, let isLate): Cases.logged.write((identity, isLate), to: &writer)
    case .seen: Cases.seen.write(to: &writer)
    case .sessionStarted: Cases.sessionStarted.write(to: &writer)
    case .attributeSet(let key, let value): Cases.attributeSet.write((key, value), to: &writer)
    case .membershipSet(let list, let isMember):
      Cases.membershipSet.write((list, isMember), to: &writer)
    case .collectionSet(let collects): Cases.collectionSet.write(collects, to: &writer)
    case .pausedSet(let isPaused): Cases.pausedSet.write(isPaused, to: &writer)
    case .connected(let device, let epoch): Cases.connected.write((device, epoch), to: &writer)
    case .lost(let device, let until): Cases.lost.write((device, until), to: &writer)
    case .resumed(let device): Cases.resumed.write(device, to: &writer)
    case .interrupted(let until): Cases.interrupted.write(until, to: &writer)
    case .reserved(let delivery): Cases.reserved.write(delivery, to: &writer)
    case .fellDue(let message): Cases.fellDue.write(message, to: &writer)
    case .offered(let message, let device): Cases.offered.write((message, device), to: &writer)
    case .waiting(let message): Cases.waiting.write(message, to: &writer)
    case .started(let message): Cases.started.write(message, to: &writer)
    case .impression(let message): Cases.impression.write(message, to: &writer)
    case .clicked(let message, let button): Cases.clicked.write((message, button), to: &writer)
    case .ended(let message, let outcome): Cases.ended.write((message, outcome), to: &writer)
    case .lapsed(let message, let reason): Cases.lapsed.write((message, reason), to: &writer)
    case .failuresForgotten: Cases.failuresForgotten.write(to: &writer)
    case .forgotten(let campaign): Cases.forgotten.write(campaign, to: &writer)
    case .wiped: Cases.wiped.write(to: &writer)
    }
  }

  /// Writes an object, for the journal; frequent values are left out, because there are many of
  /// these.
  package func write(to writer: inout JSONWriter) { put(to: &writer) }

  /// Reads what ``write(to:)`` writes.
  package init(decoding object: JSONObject) throws(DecodingFlaw) {
    try self.init(decoding: object, within: .journal)
  }
}

extension EventIdentity: Record {
  static let layout = Layout(
    EventIdentity.init, RecordField(.open, \.source), RecordField("sequence", \.sequence))
}

extension EventSource: Fields {
  /// Writes a field whose name is the kind of source.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .client(let device): writer.field("client", device)
    case .participant(let participant): writer.field("participant", participant)
    }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    if let participant: ParticipantID = try object.optionalIdentifier(
      "participant", within: bounds)
    {
      self = .participant(participant)
    } else {
      self = .client(try object.identifier("client", within: bounds))
    }
  }
}
