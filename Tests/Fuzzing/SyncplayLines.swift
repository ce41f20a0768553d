import JSON
import Syncplay

/// The lines of Syncplay's clients.
final class SyncplayLines: FuzzTarget {
  static let name = "syncplay"
  static let claim = "a line is read alike by the short way for States and by the parser"

  private var decoder = SyncplayLineDecoder(SyncplayOptions(salt: "testsalt12"))
  private var encoder = SyncplayLineEncoder()

  static func seeds() throws -> [[UInt8]] {
    try Seeds.syncplayScripts().joined().compactMap { line in
      line.firstIndex(of: "{").map { Array(line[$0...].utf8) }
    }
  }

  func check(_ input: [UInt8]) throws {
    let line = decoder.decode(input.span)
    switch line {
    case .state(let state): try check(state, of: input)
    case .messages(_, let fault?):
      try require(!fault.reason.isEmpty, else: "\(fault) has no reason")
      try require(
        !encoder.encode(.error(fault.message)).isEmpty, else: "\(fault) does not fit into a line")
    case .messages(_, nil): break
    }
  }

  /// A second command leaves the line to the parser.
  private func check(_ state: SyncplayClientState, of line: [UInt8]) throws(BrokenClaim) {
    guard let brace = line.firstIndex(of: UInt8(ascii: "{")) else { return }
    let longer = line[...brace] + Array(#""Set":{},"#.utf8) + line[(brace + 1)...]
    // A long line may now be too long.
    guard longer.count <= SyncplayLimits.lineBytes else { return }
    let parsed = decoder.decode(Array(longer).span)
    try require(
      parsed == .messages([.state(state)]), else: "the short way reads \(state), not \(parsed)")
  }
}
