import Crypto
import Vocabulary

/// A way to installations that have no connection of their own: a push service.
///
/// It makes one attempt and says how it ended; when to try again, and how often, is the caller's
/// to remember, so that a restart forgets nothing. No attempt lasts longer than the transport's
/// deadline.
package protocol PushTransport: Sendable {
  /// Who would be asked to deliver to this address: pushes to the same one share a part of the
  /// connections; `nil` where the transport does not go there.
  func service(for address: PushAddress) -> String?

  /// Makes one attempt.
  ///
  /// If the task is cancelled meanwhile, it returns soon; the push may have arrived then.
  func send(_ message: PushMessage) async -> PushOutcome

  /// Closes its connections; attempts under way end. A second call does nothing.
  func stop() async
}

/// What is wrong with what a transport was told at the start.
package enum PushConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The subject of Web Push is no `mailto:` and no `https:`.
  case subject(String)
  /// The name of a key or a team is not what Apple gives out.
  case appleID(String)
  /// The file with certificates to trust cannot be read, or has none.
  case certificates(path: String)

  /// What is wrong, and what to write.
  package var description: String {
    switch self {
    case .subject(let text):
      "`\(text)` is no subject; write mailto: and an address, or a URL with https:"
    case .appleID(let text):
      "`\(text)` is no id of a key or a team; copy its ten letters and digits from Apple's site"
    case .certificates(let path):
      "\(path): there are no certificates to read; name a file in PEM, or none for the system's"
    }
  }
}

/// What is posted to a push service.
struct PushRequest: Equatable, Sendable {
  var url: String
  /// In the order that they are sent in.
  var fields: [(name: String, value: String)]
  var body: [UInt8]

  static func == (left: PushRequest, right: PushRequest) -> Bool {
    left.url == right.url && left.body == right.body
      && left.fields.elementsEqual(right.fields) { $0 == $1 }
  }
}

/// What a push service said.
struct PushAnswer: Equatable, Sendable {
  var status: Int
  /// The field of that name, as it stood there.
  var retryAfter: String?
  /// The beginning of what it said.
  var body: [UInt8] = []
}

/// A collapse id as a push service takes it.
enum CollapseName {
  /// The id itself if it fits, or else the beginning of its hash (SHA-256, in Base64URL): equal ids
  /// stay equal, and different ones different.
  static func name(_ id: String, limit: Int, allows: (UInt8) -> Bool) -> String {
    guard id.isEmpty || id.utf8.count > limit || !id.utf8.allSatisfy(allows) else { return id }
    return String(Base64URL.text(of: Array(SHA256.hash(data: Array(id.utf8)))).prefix(limit))
  }
}
