import InAppMessaging
import JSON
import Vocabulary

extension MessagingRequest {
  var verb: MessagingVerb {
    switch self {
    case .appState: .appState
    case .logEvent: .logEvent
    case .logPurchase: .logPurchase
    case .logPushOpened: .logPushOpened
    case .report: .reportMessage
    case .setAttributes: .setAttributes
    case .setMembership: .setMembership
    case .setCollection: .setCollection
    case .pause: .pauseMessaging
    case .wipe: .wipeMessaging
    case .revalidate: .revalidateMessages
    case .explain: .explainMessages
    case .test: .testMessage
    }
  }

  /// Writes the fields into the request's object.
  func encodeFields(into writer: inout JSONWriter) {
    switch self {
    case .appState(let state): state.encodeFields(into: &writer)
    case .logEvent(let name, let properties, let sequence):
      writer.field("name", name)
      writer.properties(properties)
      writer.optionalCount("sequence", sequence)
    case .logPurchase(let product, let properties, let sequence):
      writer.field("product", product)
      writer.properties(properties)
      writer.optionalCount("sequence", sequence)
    case .logPushOpened(let campaign, let sequence):
      if let campaign { writer.field("campaign", campaign) }
      writer.optionalCount("sequence", sequence)
    case .report(let message, let report, let sequence):
      writer.field("message", message)
      report.encodeFields(into: &writer)
      writer.optionalCount("sequence", sequence)
    case .setAttributes(let attributes): writer.attributes(attributes)
    case .setMembership(let list, let isMember):
      writer.field("list", list)
      writer.field("member", isMember)
    case .setCollection(let isCollecting): writer.field("collecting", isCollecting)
    case .pause(let isPaused): writer.field("paused", isPaused)
    case .wipe: break
    case .revalidate(let messages):
      writer.name("messages")
      writer.beginArray()
      for message in messages { writer.string(message.text) }
      writer.endArray()
    case .explain(let campaign): writer.field("campaign", campaign)
    case .test(let campaign, let variant, let event, let properties):
      writer.field("campaign", campaign)
      if let variant { writer.field("variant", variant) }
      if let event { writer.field("name", event) }
      writer.properties(properties)
    }
  }
}

extension AppState {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("visible", isVisible)
    if let change { writer.field("change", word: change) }
    if epoch != 0 { writer.field("epoch", epoch) }
    writer.optionalCount("sequence", sequence)
    if let app { writer.field("app", app) }
    if let version { writer.field("version", version) }
    if !capabilities.isEmpty { writer.field("capabilities", capabilities.sorted()) }
  }

  fileprivate init(
    decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    var capabilities: Set<String> = []
    if let words = try object.optionalArray("capabilities", maximum: FieldBounds.words) {
      try words.forEach { (word) throws(DecodingFlaw) in
        capabilities.insert(try word.word(maximum: bounds.identifierBytes))
      }
    }
    self.init(
      isVisible: try object.bool("visible"), change: try object.optionalChoice("change"),
      epoch: try object.optionalCount("epoch") ?? 0,
      sequence: try object.optionalCount("sequence"),
      app: try object.optionalValue("app")?.word(maximum: bounds.identifierBytes),
      version: try object.optionalValue("version")?.word(maximum: bounds.identifierBytes),
      capabilities: capabilities)
  }
}

extension JSONWriter {
  fileprivate mutating func optionalCount(_ name: String, _ count: Int?) {
    if let count { field(name, count) }
  }

  /// Writes what is set, and the names of what is taken away.
  fileprivate mutating func attributes(_ attributes: [String: PropertyValue?]) {
    properties(attributes.compactMapValues(\.self), "attributes")
    let removed = attributes.filter { $0.value == nil }.keys.sorted()
    if !removed.isEmpty { field("remove", removed) }
  }
}

// MARK: Reading

extension MessagingRequest {
  init(
    _ verb: MessagingVerb, decoding object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    switch verb {
    case .appState: self = .appState(try AppState(decoding: object, within: bounds))
    case .logEvent:
      self = .logEvent(
        try object.word("name", maximum: bounds.nameBytes),
        try object.properties(within: bounds.properties),
        sequence: try object.optionalCount("sequence"))
    case .logPurchase:
      self = .logPurchase(
        product: try object.word("product", maximum: bounds.nameBytes),
        try object.properties(within: bounds.properties),
        sequence: try object.optionalCount("sequence"))
    case .logPushOpened:
      self = .logPushOpened(
        campaign: try object.optionalValue("campaign")?.word(maximum: bounds.identifierBytes),
        sequence: try object.optionalCount("sequence"))
    case .reportMessage:
      self = .report(
        try object.identifier("message", within: bounds),
        try MessageReport(decoding: object, within: bounds),
        sequence: try object.optionalCount("sequence"))
    case .setAttributes:
      self = .setAttributes(try object.attributes(within: bounds))
    case .setMembership:
      self = .setMembership(
        list: try object.word("list", maximum: bounds.nameBytes), try object.bool("member"))
    case .setCollection: self = .setCollection(try object.bool("collecting"))
    case .pauseMessaging: self = .pause(try object.bool("paused"))
    case .wipeMessaging: self = .wipe
    case .revalidateMessages:
      let messages = try object.array("messages", maximum: bounds.deliveries)
        .map { (id) throws(DecodingFlaw) -> MessageID in
          try id.identifier(within: bounds)
        }
      self = .revalidate(messages)
    case .explainMessages:
      self = .explain(try object.optionalIdentifier("campaign", within: bounds))
    case .testMessage:
      self = .test(
        try object.identifier("campaign", within: bounds),
        variant: try object.optionalValue("variant")?.word(maximum: bounds.identifierBytes),
        event: try object.optionalValue("name")?.word(maximum: bounds.nameBytes),
        try object.properties(within: bounds.properties))
    }
  }
}

extension JSONObject {
  /// What is set and what is taken away, of which nothing may be both.
  fileprivate func attributes(
    within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [String: PropertyValue?] {
    var attributes: [String: PropertyValue?] =
      try properties("attributes", within: bounds.attributes).mapValues { $0 }
    let removed = try optionalArray("remove", maximum: bounds.attributes.count)
    try removed?.forEach { (value) throws(DecodingFlaw) in
      let key = try value.word(maximum: bounds.nameBytes)
      guard attributes[key] ?? nil == nil else {
        throw value.outOfRange(allowed: "an attribute that is not set as well")
      }
      attributes.updateValue(nil, forKey: key)
    }
    return attributes
  }
}
