/// Why a client is sent an `Error` and disconnected.
///
/// Official clients show the text, stop reconnecting, and disconnect. The first six texts equal the
/// reference's exactly, because clients and people search for them.
package enum SyncplayFault: Error, Equatable, Sendable {
  case notEnoughHelloArguments
  case passwordRequired
  case wrongPassword
  /// The client does not encrypt, and has to.
  case encryptionRequired
  case tooManyGuesses
  /// A List or a Chat came before the Hello.
  case helloRequired
  case unknownCommand(String)
  case notUTF8
  case notJSON(line: String)
  /// A second Hello, which would leave the first user behind as a ghost.
  case alreadyGreeted
  /// A field is missing, has the wrong type or is out of range; the text says which.
  case malformed(String)
  /// The server is full, is stopping, or was sent too much; the text says which.
  case refused(String)
  /// A host removed the client from this room.
  case removed(room: String)
  /// The group of the client's room was closed.
  case closed(room: String)
  /// The client sent an Error itself; the server returns its text and disconnects.
  case echoed(String)

  /// Characters of a faulty line that an answer quotes; escaped, they still have to fit a line.
  static let quotedCharacters = 1_000

  /// The text of the Error.
  package var message: String {
    switch self {
    case .notEnoughHelloArguments: "Not enough Hello arguments"
    case .passwordRequired: "Password required"
    case .wrongPassword: "Wrong password supplied"
    // The word `startTLS` would make clients try again without encryption.
    case .encryptionRequired:
      "This server takes encrypted connections only; install Syncplay with its support for TLS"
    case .tooManyGuesses: "Too many wrong passwords came from your address; try again in a minute"
    case .helloRequired: "You must be known to server before sending this command"
    case .unknownCommand(let name): "Unknown command \(Self.shortened(name))"
    case .notUTF8: "Not a utf-8 string"
    case .notJSON(let line): "Not a json encoded string \(Self.shortened(line))"
    case .alreadyGreeted: "You are known to server already: connect again to use another name"
    case .removed(let room): "A host removed you from the room \(room)."
    case .closed(let room): "The room \(room) was closed."
    case .malformed(let sentence), .refused(let sentence), .echoed(let sentence):
      Self.shortened(sentence)
    }
  }

  /// What was wrong, for the server's log, without any text of the client's.
  ///
  /// A faulty line may contain a password or its hash, which is the credential itself; so may the
  /// path of a field, or a room's name.
  package var reason: String {
    switch self {
    case .notEnoughHelloArguments, .passwordRequired, .wrongPassword, .encryptionRequired,
      .tooManyGuesses, .helloRequired, .notUTF8, .alreadyGreeted, .refused:
      message
    case .unknownCommand: "the line has an unknown command"
    case .notJSON: "the line is not JSON"
    case .malformed: "a field is missing, has the wrong type or is out of range"
    case .removed: "a host removed the user from the room"
    case .closed: "the room was closed"
    case .echoed: "the client sent an Error"
    }
  }

  private static func shortened(_ text: String) -> String {
    text.truncated(toCodePoints: quotedCharacters)
  }
}
