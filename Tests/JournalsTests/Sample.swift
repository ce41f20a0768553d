import Coordination
import Foundation
import GroupSessions
import Journals
import Vocabulary
import Wire
import WireTesting

/// A record's body and its kind.
struct Sample: Equatable {
  enum Kind: String, CaseIterable {
    case groupEvent, sessionEvent, attachmentEvent, deviceEvent, nameEvent, groupState,
      sessionState, outcome
    case userEvent, userState, trayEvent, trayState
  }

  let kind: Kind
  let body: String

  init(kind: Kind, body: String) {
    self.kind = kind
    self.body = body
  }

  /// Parses a line of a sample file: the kind, a space, the body.
  init?(_ line: Substring) {
    guard let space = line.firstIndex(of: " "), let kind = Kind(rawValue: String(line[..<space]))
    else { return nil }
    self.kind = kind
    body = String(line[line.index(after: space)...])
  }

  /// The samples written by a build of that format.
  static func written(inFormat format: Int) throws -> [Sample] {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Golden/format-\(format).jsonl")
    return try String(contentsOf: file, encoding: .utf8)
      .split(separator: "\n").compactMap(Sample.init)
  }

  /// The event's name in the body.
  var name: String? {
    guard let start = body.firstRange(of: #""event":""#)?.upperBound else { return nil }
    return String(body[start...].prefix { $0 != "\"" })
  }

  /// Decodes the body and encodes the result with this build.
  func rewritten(
    format: Int = JournalFormat.current, _ reader: inout RecordReader
  ) throws -> String? {
    var writer = RecordWriter()
    return switch kind {
    case .groupEvent: writer.text(of: try reader.event(body, of: .group, format: format))
    case .sessionEvent: writer.text(of: try reader.event(body, of: .session, format: format))
    case .attachmentEvent:
      writer.text(of: try reader.event(body, of: .attachment, format: format))
    case .deviceEvent: writer.text(of: try reader.event(body, of: .device, format: format))
    case .nameEvent: writer.text(of: try reader.event(body, of: .name, format: format))
    case .userEvent: writer.text(of: try reader.event(body, of: .user, format: format))
    case .userState:
      try reader.state(body, of: .user, format: format).map { writer.text(of: $0) }
    case .trayEvent: writer.text(of: try reader.event(body, of: .tray, format: format))
    case .trayState:
      try reader.state(body, of: .tray, format: format).map { writer.text(of: $0) }
    case .groupState:
      try reader.state(body, of: .group, format: format).map { writer.text(of: $0) }
    case .sessionState:
      try reader.state(body, of: .session, format: format).map { writer.text(of: $0) }
    case .outcome: writer.text(of: try reader.outcome(body, format: format))
    }
  }
}
