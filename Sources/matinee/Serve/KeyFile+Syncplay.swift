import PushTransports

extension KeyFile {
  /// Reads a secret that is a line of text, such as a password.
  static func word(_ path: String) throws(KeyFileError) -> String {
    guard let text = String(validating: try contents(of: path), as: UTF8.self) else {
      throw KeyFileError(
        path, "the file cannot be read as text", "see whether it is the right file")
    }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let word = lines.first else { throw .empty(path) }
    guard lines.count == 1 else {
      throw KeyFileError(
        path, "the file has \(lines.count) lines", "leave only the one with the secret in it")
    }
    return String(word)
  }

  /// Reads the salt of Syncplay's managed rooms, or makes one, for nobody else to read, if no file
  /// is there: who has it can try an operator's password without asking the server.
  static func syncplaySalt(_ path: String) throws(KeyFileError) -> String {
    try readOrMake(
      path, making: { Array((freshSyncplaySalt() + "\n").utf8) }, reading: word)
  }

  /// Ten random capitals, as the reference makes them.
  static func freshSyncplaySalt() -> String {
    var system = SystemRandomNumberGenerator()
    let capitals = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return String((0..<10).compactMap { _ in capitals.randomElement(using: &system) })
  }
}
