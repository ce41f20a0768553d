import Crypto
import Vocabulary

/// A collapse id as a push service takes it.
enum CollapseName {
  /// The id itself if it fits, or else the beginning of its hash (SHA-256, in Base64URL): equal ids
  /// stay equal, and different ones different.
  static func name(_ id: String, limit: Int, allows: (UInt8) -> Bool) -> String {
    guard id.isEmpty || id.utf8.count > limit || !id.utf8.allSatisfy(allows) else { return id }
    return String(Base64URL.text(of: Array(SHA256.hash(data: Array(id.utf8)))).prefix(limit))
  }
}
