import InAppMessaging
import JSON
import Vocabulary

extension Delivery: Fields {
  /// Writes the fields; defaults and what the cause already says are left out.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("message", id)
    writer.field("campaign", campaign)
    writer.field("variant", variant)
    cause.encodeFields(into: &writer)
    writer.list("fallbacks", fallbacks)
    writer.field("expires", expires)
    if remembered != 1 { writer.field("remembered", remembered) }
    writer.flag("control", isControl)
    writer.flag("test", isTest)
    writer.flag("sessionBound", isSessionBound)
    phase.encodeFields(into: &writer, after: cause)
    writer.flag("seen", isSeen)
    writer.flag("clicked", isClicked)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    let cause = try Cause(decoding: object, within: bounds)
    self.init(
      id: try object.identifier("message", within: bounds),
      campaign: try object.identifier("campaign", within: bounds),
      variant: try object.string("variant", maximum: .max), cause: cause,
      fallbacks: try object.optionalList("fallbacks", within: bounds),
      expires: try object.instant("expires", within: bounds),
      remembered: try object.optionalInt("remembered") ?? 1,
      isControl: try object.flag("control"), isTest: try object.flag("test"),
      isSessionBound: try object.flag("sessionBound"),
      phase: try Phase(decodingFieldsOf: object, after: cause, within: bounds),
      isSeen: try object.flag("seen"),
      isClicked: try object.flag("clicked"))
  }
}

extension TriggerClass: CodedWord {}

extension Delivery.Cause: Record {
  static let layout = Layout(
    Delivery.Cause.init, RecordField("cause", \.event),
    RecordField("class", \.triggerClass, absent: .contextual),
    RecordField("at", \.at), RecordField("device", \.device), RecordField("session", \.session))
}

/// The spellings of `phase`.
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
      writer.field("phase", word: PhaseName.scheduled)
      writer.field("due", due)
    case .due: writer.field("phase", word: PhaseName.due)
    case .offered(let device, let at):
      writer.field("phase", word: PhaseName.offered)
      if device != cause.device { writer.field("on", device) }
      if at != cause.at { writer.field("since", at) }
    case .waiting(let device):
      writer.field("phase", word: PhaseName.waiting)
      if device != cause.device { writer.field("on", device) }
    case .started(let device):
      writer.field("phase", word: PhaseName.started)
      if device != cause.device { writer.field("on", device) }
    }
  }

  fileprivate init(
    decodingFieldsOf object: JSONObject, after cause: Delivery.Cause, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    func device() throws(DecodingFlaw) -> DeviceID {
      if let device: DeviceID = try object.optionalIdentifier("on", within: bounds) {
        return device
      }
      if let device = cause.device { return device }
      return try object.identifier("on", within: bounds)
    }
    switch try object.choice("phase", among: PhaseName.self) {
    case .scheduled: self = .scheduled(due: try object.instant("due", within: bounds))
    case .due: self = .due
    case .offered:
      self = .offered(
        to: try device(), at: try object.optionalInstant("since", within: bounds) ?? cause.at)
    case .waiting: self = .waiting(on: try device())
    case .started: self = .started(on: try device())
    }
  }
}
