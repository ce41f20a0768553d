import Cryptography
package import EventLoops
import Vocabulary

/// Delivers pushes through a push service, to installations without a connection of their own.
///
/// Confined to the loop of pushes. It makes one attempt and reports its outcome. The caller
/// remembers when and how often to retry, so that a restart forgets nothing. No attempt takes longer
/// than the transport's deadline.
package protocol PushTransport: AnyObject {
  /// Makes one attempt, and reports its outcome once; possibly during this call.
  func send(_ message: PushMessage, _ completion: @escaping (PushOutcome) -> Void)

  /// Ends attempts in flight, which report an outcome, and closes connections.
  ///
  /// The pushes may have arrived nevertheless. A second call does nothing.
  func stop()
}

/// A way to installations: which ones a transport reaches, and how it is made.
///
/// Any thread may use it, in contrast to the transport.
package struct PushRoute: Sendable {
  /// The push service for an address; `nil` if the transport cannot reach the address.
  ///
  /// Pushes to one service share a part of the attempts in flight.
  package let service: @Sendable (PushAddress) -> String?
  /// Makes the transport on the loop of pushes.
  package let open: @Sendable (EventLoop) throws(UVError) -> any PushTransport

  package init(
    service: @escaping @Sendable (PushAddress) -> String?,
    open: @escaping @Sendable (EventLoop) throws(UVError) -> any PushTransport
  ) {
    self.service = service
    self.open = open
  }
}

/// Why a transport's configuration is invalid.
package enum PushConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The subject of Web Push is neither a `mailto:` nor an `https:` URL.
  case subject(String)
  /// The id of a key or team has not the form of Apple's ids.
  case appleID(String)
  /// The file with trusted certificates cannot be read or has none.
  case certificates(path: String)

  /// What is wrong, and what to write instead.
  package var description: String {
    switch self {
    case .subject(let text):
      "`\(text)` is not a contact; write mailto: and an address, or an https: URL"
    case .appleID(let text):
      "`\(text)` is not the id of a key or team; copy its ten letters and digits from Apple's site"
    case .certificates(let path):
      "\(path): no certificates can be read from it; name a PEM file, or none to use the system's"
    }
  }
}

/// A request to a push service.
struct PushRequest: Equatable, Sendable {
  var url: String
  /// In the order of sending.
  var fields: [(name: String, value: String)]
  var body: [UInt8]

  static func == (left: PushRequest, right: PushRequest) -> Bool {
    left.url == right.url && left.body == right.body
      && left.fields.elementsEqual(right.fields) { $0 == $1 }
  }
}

/// A push service's answer.
struct PushAnswer: Equatable, Sendable {
  var status: Int
  /// The field `Retry-After`, unparsed.
  var retryAfter: String?
  /// The beginning of the body.
  var body: [UInt8] = []
}

/// Adapts a collapse id to a push service's limits.
enum CollapseName {
  /// The id itself if it is allowed, otherwise the beginning of its hash (SHA-256, in Base64URL).
  ///
  /// Equal ids result in equal names, and different ids in different ones.
  static func name(_ id: String, limit: Int, allows: (UInt8) -> Bool) -> String {
    guard id.isEmpty || id.utf8.count > limit || !id.utf8.allSatisfy(allows) else { return id }
    return String(Base64URL.text(of: Digest.sha256(of: Array(id.utf8)).bytes).prefix(limit))
  }
}
