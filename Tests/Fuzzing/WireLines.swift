import Vocabulary
import Wire

/// The lines that a server receives.
final class ClientLines: FuzzTarget {
  static let name = "client-messages"
  static let claim = "a client's message that is read is written, and read alike again"

  private var decoder = ClientLineDecoder(limits: Limits())

  static func seeds() throws -> [[UInt8]] { try Seeds.clientLines() }

  func check(_ input: [UInt8]) throws {
    guard let message = try decoded(input) else { return }
    let line = Array(encode(message).dropLast())
    // Defaults that the client left out are written, so a line may become too long.
    guard line.count <= Limits().lineBytes else { return }
    let again = try decoded(line)
    try require(again == message, else: "\(message) is read as \(again, default: "a flaw")")
    try require(
      again.map { encode($0).dropLast() } == line[...],
      else: "\(String(shown: line)) is written in another way")
  }

  private func decoded(_ line: [UInt8]) throws(BrokenClaim) -> ClientMessage? {
    do throws(MalformedLine) { return try decoder.decode(line.span) } catch {
      try require(!error.error.message.isEmpty, else: "\(error.error.code) has no sentence")
      return nil
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
    guard let message = try decoded(input) else { return }
    let line = Array(encode(message).dropLast())
    let again = try decoded(line)
    try require(again == message, else: "\(message) is read as \(again, default: "a flaw")")
    try require(
      again.map { encode($0).dropLast() } == line[...],
      else: "\(String(shown: line)) is written in another way")
  }

  private func decoded(_ line: [UInt8]) throws(BrokenClaim) -> ServerMessage? {
    do throws(MalformedLine) { return try decoder.decode(line.span) } catch {
      try require(!error.error.message.isEmpty, else: "\(error.error.code) has no sentence")
      return nil
    }
  }
}
