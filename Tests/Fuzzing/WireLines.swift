import Vocabulary
import Wire

/// The lines that a server receives.
final class ClientLines: FuzzTarget {
  static let name = "client-messages"
  static let claim = "a client's message that is read is written, and read alike again"

  private var decoder = ClientLineDecoder(limits: Limits())

  static func seeds() throws -> [[UInt8]] { try Seeds.clientLines() }

  func check(_ input: [UInt8]) throws {
    // Defaults that the client left out are written, so a line may become too long.
    try checkReading(input, atMost: Limits().lineBytes, encode) {
      (line) throws(MalformedLine) in try decoder.decode(line.span)
    }
  }
}

/// The lines that a client receives.
final class ServerLines: FuzzTarget {
  static let name = "server-messages"
  static let claim = "a server's message that is read is written, and read alike again"

  private var decoder = ServerLineDecoder(maximumBytes: 1024 * 1024)

  static func seeds() throws -> [[UInt8]] { try Seeds.serverLines() }

  func check(_ input: [UInt8]) throws {
    try checkReading(input, atMost: .max, encode) {
      (line) throws(MalformedLine) in try decoder.decode(line.span)
    }
  }
}

/// Reads a line, and checks that its message is written and read alike again.
///
/// - Parameter most: how long a written line may be to be read again.
private func checkReading<Message: Equatable>(
  _ input: [UInt8], atMost most: Int, _ encode: (Message) -> [UInt8],
  _ decode: ([UInt8]) throws(MalformedLine) -> Message
) throws(BrokenClaim) {
  func decoded(_ line: [UInt8]) throws(BrokenClaim) -> Message? {
    do throws(MalformedLine) { return try decode(line) } catch {
      try require(!error.error.message.isEmpty, else: "\(error.error.code) has no sentence")
      return nil
    }
  }
  guard let message = try decoded(input) else { return }
  let line = Array(encode(message).dropLast())
  guard line.count <= most else { return }
  let again = try decoded(line)
  try require(again == message, else: "\(message) is read as \(again, default: "a flaw")")
  try require(
    again.map { encode($0).dropLast() } == line[...],
    else: "\(String(shown: line)) is written in another way")
}
