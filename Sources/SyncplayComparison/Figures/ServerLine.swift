/// What a line of a server is, by how it begins: both servers write the same keys.
enum ServerLine: Equatable, Sendable {
  case greeting
  case state
  case other

  init(_ line: Span<UInt8>) {
    self =
      if Self.begins(line, with: Self.stateBeginning) {
        .state
      } else if Self.begins(line, with: Self.greetingBeginning) {
        .greeting
      } else {
        .other
      }
  }

  private static let stateBeginning = Array(#"{"State""#.utf8)
  private static let greetingBeginning = Array(#"{"Hello""#.utf8)

  private static func begins(_ line: Span<UInt8>, with start: [UInt8]) -> Bool {
    guard line.count >= start.count else { return false }
    return start.indices.allSatisfy { line[$0] == start[$0] }
  }
}
