import GroupSessions
import JSON
import Playback
import Vocabulary

extension SessionBeginning {
  /// Writes the fields into the object that is open.
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("group", group)
    writer.field("activity", activity)
    writer.field("initiator", initiator)
    writer.flag("staged", isStaged)
    writer.field("control", word: control)
    writer.field("waitingPolicy", waitingPolicy)
    dismissalPolicy.encodeField(into: &writer)
    writer.field("initialTiming", initialTiming)
    writer.flag("oneDevicePerUser", oneDevicePerUser)
    writer.field("joinBy", joinBy)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      group: try object.identifier("group", within: .line),
      activity: try GroupActivity(decoding: object.object("activity"), within: .line),
      initiator: try Initiator(decoding: object.object("initiator")),
      isStaged: try object.flag("staged"),
      control: try object.choice("control"),
      waitingPolicy: try WaitingPolicy(decodingFieldOf: object, within: .line),
      dismissalPolicy: try DismissalPolicy(decodingFieldOf: object),
      initialTiming: try ProposedTiming(
        decodingField: "initialTiming", of: object, within: .line),
      oneDevicePerUser: try object.flag("oneDevicePerUser"),
      joinBy: try object.instant("joinBy", within: .line))
  }
}
