import Crypto
import Vocabulary

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
