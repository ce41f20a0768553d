import InAppMessaging
import JSON
import Vocabulary
import Wire

extension Delivery {
  /// Writes an object: a variant, what is as usual, and what its cause says already, is left out.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.field("message", id)
    writer.field("campaign", campaign)
    writer.field("variant", variant)
    cause.encodeFields(into: &writer)
    if !fallbacks.isEmpty { writer.field("fallbacks", fallbacks) }
    writer.field("expires", expires)
    if remembered != 1 { writer.field("remembered", remembered) }
    writer.flag("control", isControl)
    writer.flag("test", isTest)
    writer.flag("sessionBound", isSessionBound)
    phase.encodeFields(into: &writer, after: cause)
    writer.flag("seen", isSeen)
    writer.flag("clicked", isClicked)
    writer.endObject()
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    let cause = try Cause(decoding: object)
    self.init(
      id: try object.identifier("message"), campaign: try object.identifier("campaign"),
      variant: try object.text("variant"), cause: cause,
      fallbacks: try object.texts("fallbacks").map { CampaignID($0) },
      expires: try object.instant("expires"), remembered: try object.optionalInt("remembered") ?? 1,
      isControl: try object.flag("control"), isTest: try object.flag("test"),
      isSessionBound: try object.flag("sessionBound"),
      phase: try Phase(decodingFieldsOf: object, after: cause), isSeen: try object.flag("seen"),
      isClicked: try object.flag("clicked"))
  }
}

extension Delivery.Cause {
  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("cause", event)
    if triggerClass != .contextual { writer.field("class", triggerClass.rawValue) }
    writer.field("at", at)
    writer.field("device", device)
    writer.field("session", session)
  }

  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    var event: AppEvent?
    if let cause = try object.optionalObject("cause") { event = try AppEvent(decoding: cause) }
    self.init(
      event: event, triggerClass: try object.optionalChoice("class") ?? .contextual,
      at: try object.instant("at"), device: try object.optionalIdentifier("device"),
      session: try object.optionalIdentifier("session"))
  }
}

/// How far a delivery is, as `"phase"` spells it.
private enum PhaseName: String, CaseIterable {
  case scheduled
  case due
  case offered
  case waiting
  case started
}

extension Delivery.Phase {
  fileprivate func encodeFields(into writer: inout JSONWriter, after cause: Delivery.Cause) {
    switch self {
    case .scheduled(let due):
      writer.field("phase", PhaseName.scheduled.rawValue)
      writer.field("due", due)
    case .due: writer.field("phase", PhaseName.due.rawValue)
    case .offered(let device, let at):
      writer.field("phase", PhaseName.offered.rawValue)
      if device != cause.device { writer.field("on", device) }
      if at != cause.at { writer.field("since", at) }
    case .waiting(let device):
      writer.field("phase", PhaseName.waiting.rawValue)
      if device != cause.device { writer.field("on", device) }
    case .started(let device):
      writer.field("phase", PhaseName.started.rawValue)
      if device != cause.device { writer.field("on", device) }
    }
  }

  fileprivate init(
    decodingFieldsOf object: JSONObject, after cause: Delivery.Cause
  ) throws(DecodingFlaw) {
    func device() throws(DecodingFlaw) -> DeviceID {
      if let device: DeviceID = try object.optionalIdentifier("on") { return device }
      if let device = cause.device { return device }
      return try object.identifier("on")
    }
    switch try object.choice("phase", among: PhaseName.self) {
    case .scheduled: self = .scheduled(due: try object.instant("due"))
    case .due: self = .due
    case .offered:
      self = .offered(to: try device(), at: try object.optionalInstant("since") ?? cause.at)
    case .waiting: self = .waiting(on: try device())
    case .started: self = .started(on: try device())
    }
  }
}
