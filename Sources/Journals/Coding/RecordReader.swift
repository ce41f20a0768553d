package import Coordination
import GroupSessions
import InAppMessaging
package import JSON
import UserNotifications
import Wire

/// Decodes what ``RecordWriter`` wrote, in this build or an older one.
///
/// Confined to one thread.
package struct RecordReader: ~Copyable {
  private var parser = JSONParser(
    maximumBytes: maximumBytes, maximumDepth: JSONParser.maximumWrittenDepth)
  private var writer = JSONWriter()
  /// By the format that they read.
  private let upcasters: [Int: Upcaster]

  /// More than the snapshot of the largest session needs.
  ///
  /// The pages of the buffer are touched only when a text needs them.
  static var maximumBytes: Int { 16 * 1024 * 1024 }

  /// Keep a reader, so that its memory is reused.
  ///
  /// - Parameter upcasters: conversions of older formats, at most one per format.
  package init(upcasters: [Upcaster] = JournalFormat.upcasters) {
    self.upcasters = Dictionary(upcasters.map { ($0.format, $0) }) { first, _ in first }
  }

  /// Decodes an event.
  ///
  /// - Throws: ``NewerRecord``, or an ``UnreadableRecord`` that says what is wrong.
  package mutating func event(
    _ text: String, of kind: AggregateKind, format: Int
  ) throws -> AggregateEvent {
    try read(text, .event(kind), format) { (object) throws(DecodingFlaw) in
      switch kind {
      case .group: .group(try GroupEvent(decoding: object))
      case .session: .session(try SessionEvent(decoding: object))
      case .attachment: .attachment(try AttachmentEvent(decoding: object))
      case .device: .device(try DeviceEvent(decoding: object))
      case .user: .user(try MessagingEvent(decoding: object))
      case .tray: .tray(try TrayEvent(decoding: object))
      case .name: .name(try NameEvent(decoding: object))
      }
    }
  }

  /// Decodes a snapshot; `nil` for an attachment, a device or a name, which have none.
  ///
  /// - Throws: ``NewerRecord``, or an ``UnreadableRecord`` that says what is wrong.
  package mutating func state(
    _ text: String, of kind: AggregateKind, format: Int
  ) throws -> AggregateState? {
    try read(text, .state(kind), format) { (object) throws(DecodingFlaw) in
      switch kind {
      case .group: .group(try Group(decoding: object))
      case .session: .session(try GroupSession(decoding: object))
      case .attachment, .device, .name: nil
      case .user: .user(try UserMessaging(decoding: object))
      case .tray: .tray(try NotificationTray(decoding: object))
      }
    }
  }

  /// Decodes the outcome of a request.
  ///
  /// - Throws: ``NewerRecord``, or an ``UnreadableRecord`` that says what is wrong.
  package mutating func outcome(
    _ text: String, format: Int
  ) throws -> RequestOutcome {
    // A shortcut for nine of ten answers; a start reads a million of them.
    if format == JournalFormat.current, let seq = Self.doneSeq(text) {
      return .answered(.done(seq: seq))
    }
    return try read(text, .outcome, format) { (object) throws(DecodingFlaw) in
      try RequestOutcome(decoding: object)
    }
  }

  /// The number in an answer of the form `{"answer":{"seq":7}}`; `nil` for any other answer.
  private static func doneSeq(_ text: String) -> Int? {
    let bytes = text.utf8.span
    let start = doneStart.span
    // Fifteen digits are exact in every JSON reader; longer numbers go to the parser.
    guard (1...15).contains(bytes.count - 2 - start.count) else { return nil }
    let digits = start.count..<bytes.count - 2
    guard
      bytes[digits.upperBound] == UInt8(ascii: "}"),
      bytes[digits.upperBound + 1] == UInt8(ascii: "}"),
      start.indices.allSatisfy({ bytes[$0] == start[$0] })
    else { return nil }
    var number = 0
    for place in digits {
      let digit = bytes[place] &- UInt8(ascii: "0")
      guard digit < 10, digits.count == 1 || place > start.count || digit > 0 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }

  private static let doneStart = Array(#"{"answer":{"seq":"#.utf8)

  private mutating func read<Value>(
    _ text: String, _ record: Upcaster.Record, _ format: Int,
    _ body: (JSONObject) throws(DecodingFlaw) -> Value
  ) throws -> Value {
    guard format <= JournalFormat.current else { throw NewerRecord(format: format) }
    do throws(DecodingFlaw) {
      guard format < JournalFormat.current else { return try parser.parse(text.utf8.span, body) }
      return try parser.parse(upcast(text, record, format).utf8.span, body)
    } catch {
      throw UnreadableRecord("\(error)")
    }
  }

  private mutating func upcast(
    _ text: String, _ record: Upcaster.Record, _ format: Int
  ) throws(DecodingFlaw) -> String {
    var text = text
    for format in format..<JournalFormat.current {
      guard let upcaster = upcasters[format] else {
        throw .outOfRange(field: "", allowed: "of a later format than \(format)")
      }
      writer.removeAll()
      try parser.parse(text.utf8.span) { (object) throws(DecodingFlaw) in
        try upcaster.rewrite(object, record, &writer)
      }
      text = String(decoding: writer.bytes, as: UTF8.self)
    }
    return text
  }
}

/// Why a record cannot be read: a newer Matinee wrote it.
package struct NewerRecord: Error, Equatable, CustomStringConvertible {
  package let format: Int

  package var description: String { "a newer Matinee wrote it, in format \(format)" }
}

/// Why a record cannot be read: its content is wrong.
package struct UnreadableRecord: Error, Equatable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Encodes events, snapshots and answers for a journal, as the JSON of the wire without its
/// envelope.
package struct RecordWriter: Sendable {
  private var writer = JSONWriter()

  /// Keep a writer, so that its memory is reused.
  package init() {}

  package mutating func text(of event: AggregateEvent) -> String {
    text { writer in
      switch event {
      case .group(let event): event.write(to: &writer)
      case .session(let event): event.write(to: &writer)
      case .attachment(let event): event.write(to: &writer)
      case .device(let event): event.write(to: &writer)
      case .user(let event): event.write(to: &writer)
      case .tray(let event): event.write(to: &writer)
      case .name(let event): event.write(to: &writer)
      }
    }
  }

  package mutating func text(of state: AggregateState) -> String {
    text { writer in
      switch state {
      case .group(let group): group.write(to: &writer)
      case .session(let session): session.write(to: &writer)
      case .user(let messaging): messaging.write(to: &writer)
      case .tray(let tray): tray.write(to: &writer)
      }
    }
  }

  package mutating func text(of outcome: RequestOutcome) -> String {
    text { outcome.write(to: &$0) }
  }

  private mutating func text(_ body: (inout JSONWriter) -> Void) -> String {
    writer.removeAll()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// The version of the bodies in a journal; each body is stored with it.
///
/// A change that older bodies do not fit takes the next number, and adds an upcaster from the
/// previous format to ``upcasters``. Adding a field needs no new number: readers ignore unknown
/// fields, and use defaults for missing ones.
package enum JournalFormat {
  /// The format that this build writes.
  package static let current = 1

  /// The conversions from each older format to the next one.
  package static let upcasters: [Upcaster] = []
}

/// Converts bodies of one format to the next.
package struct Upcaster: Sendable {
  /// What a body encodes.
  package enum Record: Hashable, Sendable {
    case event(AggregateKind)
    case state(AggregateKind)
    case outcome
  }

  /// Writes the converted body; called for every body of the older format.
  package typealias Rewriting =
    @Sendable (JSONObject, Record, inout JSONWriter) throws(DecodingFlaw) -> Void

  /// The format that it reads; it writes the next one.
  package let format: Int
  package let rewrite: Rewriting

  package init(from format: Int, _ rewrite: @escaping Rewriting) {
    self.format = format
    self.rewrite = rewrite
  }
}
