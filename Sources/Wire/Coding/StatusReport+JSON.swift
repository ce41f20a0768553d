import GroupSessions
import JSON
import Vocabulary

extension StatusReport {
  func encodeFields(into writer: inout JSONWriter) {
    writer.field("at", at)
    writer.field("peers", peers)
    writer.field("groups", groups)
    writer.field("sessions", sessions)
    writer.array("places") { writer in
      for place in places {
        writer.object { writer in
          writer.field("participant", place.participant)
          writer.field("offset", place.offset)
          writer.field("roundTrip", place.roundTrip)
        }
      }
    }
    writer.flag("more", hasMore)
  }

  init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      at: try object.instant("at", within: .line),
      peers: try object.count("peers"),
      groups: try object.array("groups", maximum: .max).map { (value) throws(DecodingFlaw) in
        try Group(decoding: value.object())
      },
      sessions: try object.array("sessions", maximum: .max).map { (value) throws(DecodingFlaw) in
        try GroupSession(decoding: value.object())
      },
      places: try object.array("places", maximum: .max).map { (value) throws(DecodingFlaw) in
        try Place(decoding: value.object())
      },
      hasMore: try object.optionalBool("more") ?? false)
  }
}

extension StatusReport.Place {
  fileprivate init(decoding object: JSONObject) throws(DecodingFlaw) {
    self.init(
      participant: try object.identifier("participant", within: .line),
      offset: try object.duration("offset", within: .line),
      roundTrip: try object.optionalDuration("roundTrip", within: .line))
  }
}
