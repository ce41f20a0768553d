import InAppMessaging
import JSON
import Vocabulary

extension MessagingRequest: Tagged {
  static let tag = "type"

  static let cases = CaseTable<MessagingRequest>(
    Cases.appState, Cases.logEvent, Cases.logPurchase, Cases.logPushOpened, Cases.report,
    Cases.setAttributes, Cases.setMembership, Cases.setCollection, Cases.pause, Cases.wipe,
    Cases.revalidate, Cases.explain, Cases.test)

  private enum Cases {
    static let appState = Case("appState", MessagingRequest.appState, .open)
    static let logEvent = Case(
      "logEvent", MessagingRequest.logEvent, .bounded("name", by: \.nameBytes), "properties",
      "sequence")
    static let logPurchase = Case(
      "logPurchase", MessagingRequest.logPurchase, .bounded("product", by: \.nameBytes),
      "properties", "sequence")
    static let logPushOpened = Case(
      "logPushOpened", MessagingRequest.logPushOpened,
      .bounded("campaign", by: \.identifierBytes), "sequence")
    static let report = Case(
      "reportMessage", MessagingRequest.report, "message", .open, "sequence")
    static let setAttributes = Case(
      "setAttributes", { MessagingRequest.setAttributes($0.values) },
      Field<AttributeChanges>.open)
    static let setMembership = Case(
      "setMembership", MessagingRequest.setMembership, .bounded("list", by: \.nameBytes),
      "member")
    static let setCollection = Case(
      "setCollection", MessagingRequest.setCollection, "collecting")
    static let pause = Case("pauseMessaging", MessagingRequest.pause, "paused")
    static let wipe = Case("wipeMessaging", MessagingRequest.wipe)
    static let revalidate = Case(
      "revalidateMessages", MessagingRequest.revalidate, .bounded("messages", by: \.deliveries))
    static let explain = Case(
      "explainMessages", MessagingRequest.explain, "campaign", "user")
    static let test = Case(
      "testMessage", MessagingRequest.test, "campaign",
      .bounded("variant", by: \.identifierBytes), .bounded("name", by: \.nameBytes),
      "properties")
  }

  func encodeFields(_ head: RequestHead, into writer: inout JSONWriter) {
    switch self {
    case .appState(let state): Cases.appState.write(state, head, to: &writer)
    case .logEvent(let name, let properties, let sequence):
      Cases.logEvent.write((name, properties, sequence), head, to: &writer)
    case .logPurchase(let product, let properties, let sequence):
      Cases.logPurchase.write((product, properties, sequence), head, to: &writer)
    case .logPushOpened(let campaign, let sequence):
      Cases.logPushOpened.write((campaign, sequence), head, to: &writer)
    case .report(let message, let report, let sequence):
      Cases.report.write((message, report, sequence), head, to: &writer)
    case .setAttributes(let attributes):
      Cases.setAttributes.write(AttributeChanges(attributes), head, to: &writer)
    case .setMembership(let list, let isMember):
      Cases.setMembership.write((list, isMember), head, to: &writer)
    case .setCollection(let isCollecting):
      Cases.setCollection.write(isCollecting, head, to: &writer)
    case .pause(let isPaused): Cases.pause.write(isPaused, head, to: &writer)
    case .wipe: Cases.wipe.write(head, to: &writer)
    case .revalidate(let messages): Cases.revalidate.write(messages, head, to: &writer)
    case .explain(let campaign, let user):
      Cases.explain.write((campaign, user), head, to: &writer)
    case .test(let campaign, let variant, let event, let properties):
      Cases.test.write((campaign, variant, event, properties), head, to: &writer)
    }
  }
}

extension AppState.Change: CodedWord {}

extension AppState: Record {
  static let layout = Layout(
    AppState.init, RecordField("visible", \.isVisible), RecordField("change", \.change),
    RecordField("epoch", \.epoch, absent: 0), RecordField("sequence", \.sequence),
    RecordField(.bounded("app", by: \.identifierBytes), \.app),
    RecordField(.bounded("version", by: \.identifierBytes), \.version),
    RecordField(
      Field("capabilities", .list({ _ in FieldBounds.words }, bytes: \.identifierBytes)),
      \.capabilities, absent: []))
}

/// Attributes to set, and the names of attributes to remove; no name may be in both.
private struct AttributeChanges: Fields {
  var values: [String: PropertyValue?]

  init(_ values: [String: PropertyValue?]) {
    self.values = values
  }

  func encodeFields(into writer: inout JSONWriter) {
    writer.properties(values.compactMapValues(\.self), "attributes")
    let removed = values.filter { $0.value == nil }.keys.sorted()
    if !removed.isEmpty { writer.field("remove", removed) }
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    values = try object.properties("attributes", within: bounds.attributes).mapValues { $0 }
    let removed = try object.optionalArray("remove", maximum: bounds.attributes.count)
    try removed?.forEach { (value) throws(DecodingFlaw) in
      let key = try value.word(maximum: bounds.nameBytes)
      guard values[key] ?? nil == nil else {
        throw value.outOfRange(allowed: "an attribute that is not set as well")
      }
      values.updateValue(nil, forKey: key)
    }
  }
}

/// The form in the journal; in the protocol, each event has its own request.
extension AppEvent: Tagged, Fields {
  static let tag = "type"

  static let cases = CaseTable<AppEvent>(
    Cases.launch, Cases.foreground, Cases.sessionStart, Cases.event, Cases.purchase,
    Cases.pushOpened)

  private enum Cases {
    static let launch = Case("launch", AppEvent.launch)
    static let foreground = Case("foreground", AppEvent.foreground)
    static let sessionStart = Case("sessionStart", AppEvent.sessionStart)
    static let event = Case("event", AppEvent.event, "name", "properties")
    static let purchase = Case("purchase", AppEvent.purchase, "product", "properties")
    static let pushOpened = Case("pushOpened", AppEvent.pushOpened, "campaign")
  }

  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .launch: Cases.launch.write(to: &writer)
    case .foreground: Cases.foreground.write(to: &writer)
    case .sessionStart: Cases.sessionStart.write(to: &writer)
    case .event(let name, let properties): Cases.event.write((name, properties), to: &writer)
    case .purchase(let product, let properties):
      Cases.purchase.write((product, properties), to: &writer)
    case .pushOpened(let campaign): Cases.pushOpened.write(campaign, to: &writer)
    }
  }
}
