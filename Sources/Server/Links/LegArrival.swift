/// Who connected to a server in front, in a line of a link.
package struct LegArrival: Equatable, Sendable {
  /// The numeric address that it connects from.
  let host: String
  /// Its dialect; `nil` for the native protocol.
  var dialect: String?
  /// Whether the dialect has to make it encrypt.
  var mustEncrypt = false

  init(host: String, dialect: String? = nil, mustEncrypt: Bool = false) {
    (self.host, self.dialect, self.mustEncrypt) = (host, dialect, mustEncrypt)
  }

  /// Reads the text of a line.
  init(_ text: Span<UInt8>) {
    let text = String(decoding: text.array, as: UTF8.self)
    let words = text.split(separator: " ")
    self.init(
      host: words.first.map(String.init) ?? "", dialect: words.dropFirst().first.map(String.init),
      mustEncrypt: words.dropFirst(2).first == "!")
  }

  /// The text of a line.
  var text: String {
    ([host] + [dialect, mustEncrypt ? "!" : nil].compactMap(\.self)).joined(separator: " ")
  }
}
