/// Why a client is told an `Error` and hung up on.
///
/// Official clients show the text, stop trying, and disconnect. The first six texts are the
/// reference's, to the letter: clients and people look for them.
package enum SyncplayFault: Error, Equatable, Sendable {
  case notEnoughHelloArguments
  case passwordRequired
  case wrongPassword
  /// A List or a Chat before the Hello.
  case helloRequired
  case unknownCommand(String)
  case notUTF8
  case notJSON(line: String)
  /// A second Hello, which would make a ghost of the first user.
  case alreadyGreeted
  /// A field is missing, of the wrong type or out of range; a sentence says which.
  case malformed(String)
  /// The server is full, stops, or was sent too much; a sentence says so.
  case refused(String)
  /// The client said Error itself: it hears the same again, and that is the end.
  case echoed(String)

  /// What of a faulty line stands in an answer: it has to fit a line again, escaped.
  static let quotedCharacters = 1_000

  /// The text of the Error.
  package var message: String {
    switch self {
    case .notEnoughHelloArguments: "Not enough Hello arguments"
    case .passwordRequired: "Password required"
    case .wrongPassword: "Wrong password supplied"
    case .helloRequired: "You must be known to server before sending this command"
    case .unknownCommand(let name): "Unknown command \(Self.shortened(name))"
    case .notUTF8: "Not a utf-8 string"
    case .notJSON(let line): "Not a json encoded string \(Self.shortened(line))"
    case .alreadyGreeted: "You are known to server already: connect again to use another name"
    case .malformed(let sentence), .refused(let sentence), .echoed(let sentence):
      Self.shortened(sentence)
    }
  }

  private static func shortened(_ text: String) -> String {
    text.truncated(toCodePoints: quotedCharacters)
  }
}
