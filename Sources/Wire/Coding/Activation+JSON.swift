import GroupSessions
import JSON
import Playback

extension Activation {
  /// Writes the fields into the object that is open; what is as by default, or left to the
  /// server, is left out.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("activity", activity)
    if ifBusy != .fail { writer.field("ifBusy", word: ifBusy) }
    if control != .everyone { writer.field("control", word: control) }
    if waitingPolicy != .keepGoing { writer.field("waitingPolicy", waitingPolicy) }
    if let dismissalPolicy { writer.field("dismissalPolicy", word: dismissalPolicy) }
    writer.field("initialTiming", initialTiming)
    writer.flag("oneDevicePerUser", oneDevicePerUser)
  }

  init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      try GroupActivity(decoding: object.object("activity"), within: bounds),
      ifBusy: try object.optionalChoice("ifBusy") ?? .fail,
      control: try object.optionalChoice("control") ?? .everyone,
      waitingPolicy: try WaitingPolicy(decodingFieldOf: object, within: bounds),
      dismissalPolicy: try object.optionalChoice("dismissalPolicy"),
      initialTiming: try ProposedTiming(
        decodingField: "initialTiming", of: object, within: bounds),
      oneDevicePerUser: try object.flag("oneDevicePerUser"))
  }
}
