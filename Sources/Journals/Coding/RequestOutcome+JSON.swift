import Coordination
import JSON
import Wire

extension RequestOutcome {
  /// Writes an object with the answer or the error in it.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .answered(let answer):
        writer.object("answer") { answer.encodeFields(into: &$0) }
      case .refused(let error):
        writer.object("error") { error.encodeFields(into: &$0) }
      }
    }
  }

  /// Reads what ``write(to:)`` writes.
  init(decoding object: JSONObject) throws(DecodingFlaw) {
    if let error = try object.optionalObject("error") {
      self = .refused(try ProtocolError(decoding: error))
    } else {
      self = .answered(try Answer(decoding: object.object("answer")))
    }
  }
}
