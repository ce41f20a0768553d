import JSON
import Playback

extension WaitingPolicy: FieldElement {
  private static let named: KeyValuePairs<String, WaitingPolicy> = [
    "keepGoing": .keepGoing, "together": .together,
  ]

  /// Writes the name of a standard policy, or else an object.
  func put(to writer: inout JSONWriter) {
    if let name = Self.named.first(where: { $0.value == self })?.key {
      return writer.string(name)
    }
    writer.object { writer in
      writer.field("reasons", reasons.map(\.text).sorted())
      writer.object("participantLimits") { writer in
        for (reason, limit) in participantLimits.sorted(by: { $0.key.text < $1.key.text }) {
          writer.field(reason.text, limit)
        }
      }
      writer.field("maximumWait", maximumWait)
      writer.field("pauseSnapsToOriginator", pauseSnapsToMediaTimeOfOriginator)
      writer.field("waitsForLateJoiners", waitsForLateJoiners)
    }
  }

  /// Reads a name or an object; absent fields are as in `keepGoing`.
  init(
    decoding value: JSONValue, _ rule: FieldRule, within bounds: FieldBounds
  ) throws(DecodingFlaw) {
    guard value.type == .string else {
      try self.init(decoding: value.object(), within: bounds)
      return
    }
    let name = try value.string(maximum: bounds.identifierBytes)
    guard let policy = Self.named.first(where: { $0.key == name })?.value else {
      let names = Self.named.map { "'\($0.key)'" }.joined(separator: ", ")
      throw value.outOfRange(allowed: "one of \(names), or an object")
    }
    self = policy
  }

  private init(decoding object: JSONObject, within bounds: FieldBounds) throws(DecodingFlaw) {
    self.init(
      reasons: try Self.reasons(in: object, within: bounds),
      participantLimits: try Self.limits(in: object, within: bounds),
      maximumWait: try object.optionalInt64("maximumWait", in: bounds.waits)
        .map { .microseconds($0) } ?? Self.keepGoing.maximumWait,
      pauseSnapsToMediaTimeOfOriginator:
        try object.optionalBool("pauseSnapsToOriginator") ?? true,
      waitsForLateJoiners: try object.flag("waitsForLateJoiners"))
  }

  private static func reasons(
    in object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> Set<SuspensionReason> {
    guard let array = try object.optionalArray("reasons", maximum: FieldBounds.words) else {
      return []
    }
    let reasons = try array.map { (value) throws(DecodingFlaw) in
      SuspensionReason(try value.word(maximum: bounds.identifierBytes))
    }
    return Set(reasons)
  }

  private static func limits(
    in object: JSONObject, within bounds: FieldBounds
  ) throws(DecodingFlaw) -> [SuspensionReason: Int] {
    guard let limits = try object.optionalObject("participantLimits") else { return [:] }
    guard limits.count <= FieldBounds.words else {
      throw object.outOfRange(
        "participantLimits", allowed: "an object of at most \(FieldBounds.words) fields")
    }
    var found: [SuspensionReason: Int] = [:]
    try limits.forEachField(nameMaximum: bounds.identifierBytes) {
      (name, value) throws(DecodingFlaw) in
      // Of two fields with the same name the first counts, as everywhere.
      let reason = SuspensionReason(name)
      let limit = Int(try value.int64(in: FieldBounds.exactIntegers))
      if found[reason] == nil { found[reason] = limit }
    }
    return found
  }
}
