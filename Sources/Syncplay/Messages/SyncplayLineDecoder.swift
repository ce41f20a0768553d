import JSON

/// Decodes the lines of Syncplay's clients.
///
/// Confined to one thread; a loop keeps one decoder for all its connections.
package struct SyncplayLineDecoder: ~Copyable {
  private var parser: JSONParser
  private let options: SyncplayOptions

  /// A decoder for a server with these options.
  package init(_ options: SyncplayOptions) {
    parser = JSONParser(maximumBytes: SyncplayLimits.lineBytes)
    self.options = options
  }

  /// Decodes a line without its line ending; a blank line contains no messages.
  package mutating func decode(_ line: Span<UInt8>) -> SyncplayLine {
    if let state = SyncplayClientState(scanning: line) { return .state(state) }
    guard !line.isBlank else { return .messages([]) }
    let reader = SyncplayLineReader(options)
    var messages: [SyncplayClientMessage] = []
    var fault: SyncplayFault?
    do throws(DecodingFlaw) {
      try parser.parse(line) { (object) throws(DecodingFlaw) in
        try object.forEachField(nameMaximum: .max) { (name, value) throws(DecodingFlaw) in
          guard fault == nil else { return }
          guard let command = SyncplayCommand(rawValue: name) else {
            return fault = .unknownCommand(name)
          }
          try reader.read(command, value, into: &messages)
        }
      }
    } catch {
      fault = Self.fault(error, of: line)
    }
    return .messages(messages, fault: fault)
  }

  private static func fault(_ flaw: DecodingFlaw, of line: Span<UInt8>) -> SyncplayFault {
    guard case .notJSON = flaw else { return .malformed(flaw.description) }
    do {
      return .notJSON(line: String(copying: try UTF8Span(validating: line)).strippedOfSpace)
    } catch {
      return .notUTF8
    }
  }
}

@available(*, unavailable) extension SyncplayLineDecoder: Sendable {}

/// The protocol's top-level keys; servers and clients close the connection at any other key.
enum SyncplayCommand: String, Sendable, CaseIterable {
  case hello = "Hello"
  case set = "Set"
  case list = "List"
  case state = "State"
  case error = "Error"
  case chat = "Chat"
  case tls = "TLS"
}

extension Span<UInt8> {
  fileprivate var isBlank: Bool {
    for index in indices where !(self[index] == 0x20 || 0x09...0x0D ~= self[index]) { return false }
    return true
  }
}
