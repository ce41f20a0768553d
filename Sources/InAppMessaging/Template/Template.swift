package import Vocabulary

/// A text with placeholders in the syntax of Liquid, such as `{{event.title | default: Film}}`.
///
/// A placeholder names a value of the event, the person or the session, and filters for it:
/// `default`, `upcase`, `downcase`, `join`. A placeholder without value and default aborts the
/// message, because half a sentence is worse than none. Templates are parsed once, with the
/// campaign.
package struct Template: Equatable, Sendable {
  /// Bytes of a message's texts once they are filled in: half of a line of the protocol.
  package static let longestResult = 64 * 1024

  /// Where a text is used, which decides how values are escaped.
  package enum Context: String, Equatable, Sendable {
    case text
    /// A value at the beginning is a URL itself and is not escaped. A later one is percent-encoded,
    /// reserved characters included, so that it stays in its part of the URL; in the path it must not
    /// be `.` or `..`. The result must be no script and no local file.
    case url
    /// Values are escaped, so that none of them becomes a tag; they belong in text and in quoted
    /// attributes, not into scripts.
    case html
  }

  let context: Context
  let pieces: [Piece]

  enum Piece: Equatable, Sendable {
    case literal(String)
    case place(Place)
  }

  /// `{{ source | filter | filter }}`.
  struct Place: Equatable, Sendable {
    let source: Source
    let filters: [Filter]
  }

  enum Source: Equatable, Sendable {
    case event(String)
    case user(String)
    case session(String)
    case literal(String)
  }

  enum Filter: Equatable, Sendable {
    case fallback(String)
    case upcase
    case downcase
    case join(String)
  }

  /// Reads a text.
  ///
  /// - Throws: what is not supported, and where.
  package init(_ source: String, in context: Context = .text) throws(TemplateError) {
    self.context = context
    var parser = TemplateParser(source)
    pieces = try parser.pieces()
    if context == .url, !hasPlaces, !Self.isHarmless(source) {
      throw TemplateError(
        position: 1, reason: "a URL of a script or a local file, or with spaces, is never opened")
    }
  }

  /// Whether anything in it is filled in.
  package var hasPlaces: Bool {
    pieces.contains { if case .place = $0 { true } else { false } }
  }

  /// The text with its places filled in; `nil` if one has no value, or the URL would do harm.
  package func filled(with values: TemplateValues) -> String? {
    var result = ""
    for piece in pieces {
      switch piece {
      case .literal(let text): result += text
      case .place(let place):
        guard let value = values.value(of: place) else { return nil }
        switch context {
        case .text: result += value
        case .html: result += Self.escaped(value)
        case .url:
          guard let part = Self.urlPart(value, after: result) else { return nil }
          result += part
        }
      }
      guard result.utf8.count <= Self.longestResult else { return nil }
    }
    return context == .url && !Self.isHarmless(result) ? nil : result
  }
}

// MARK: Values in their context

extension Template {
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "`": result += "&#96;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A value as the next part of a URL; `nil` if browsers would take it for another folder.
  private static func urlPart(_ value: String, after start: String) -> String? {
    guard !start.isEmpty else { return value }
    let isInPath = !start.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
    return isInPath && [".", ".."].contains(value) ? nil : percentEncoded(value)
  }

  /// As a component of a URL: what RFC 3986 does not reserve stays as it is.
  private static func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~":
        result.unicodeScalars.append(scalar)
      default:
        result.unicodeScalars.append("%")
        result.unicodeScalars.append(digits[Int(byte >> 4)])
        result.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return result
  }

  /// Refuses scripts, local files, and characters that browsers drop before they read the scheme.
  static func isHarmless(_ url: String) -> Bool {
    guard url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
      return false
    }
    return LinkGuard.scheme(of: url).map { !LinkGuard.isCode($0) } ?? true
  }
}

/// Why a template is invalid.
package struct TemplateError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The position in characters, from 1.
  package var position: Int
  package var reason: String

  /// Both in a line.
  package var description: String { "at character \(position): \(reason)" }
}

/// The values for the placeholders of a template.
package struct TemplateValues: Sendable {
  /// `event.*`: its properties; also `event.name` and `event.product`, unless properties are named so.
  package var event: AppEvent?
  /// `user.*`: their attributes; also `user.id`.
  package var user: UserID
  package var attributes: AttributeTable
  /// `session.id`.
  package var session: SessionID?

  package init(
    event: AppEvent?, user: UserID, attributes: AttributeTable = [:],
    session: SessionID? = nil
  ) {
    self.event = event
    self.user = user
    self.attributes = attributes
    self.session = session
  }

  /// The text for a place; `nil` if there is none, and no default.
  func value(of place: Template.Place) -> String? {
    var value = value(of: place.source)
    for filter in place.filters {
      switch (filter, value) {
      // As in Liquid, an empty text counts as missing.
      case (.fallback(let text), nil), (.fallback(let text), .string("")),
        (.fallback(let text), .list([])):
        value = .string(text)
      case (.fallback, _): break
      case (.upcase, .string(let text)): value = .string(text.uppercased())
      case (.upcase, .list(let texts)): value = .list(texts.map { $0.uppercased() })
      case (.downcase, .string(let text)): value = .string(text.lowercased())
      case (.downcase, .list(let texts)): value = .list(texts.map { $0.lowercased() })
      case (.join(let separator), .list(let texts)):
        value = .string(texts.joined(separator: separator))
      case (.upcase, _), (.downcase, _), (.join, _): break
      }
    }
    return value?.text
  }

  private func value(of source: Template.Source) -> PropertyValue? {
    switch source {
    case .literal(let text): .string(text)
    case .user(let key): attributes[key] ?? (key == "id" ? .string(user.text) : nil)
    case .session(let key): key == "id" ? session.map { .string($0.text) } : nil
    case .event(let key): event?.properties[key] ?? (event?.fact(key)).map(PropertyValue.string)
    }
  }
}

extension AppEvent {
  /// What the app told of it.
  var properties: [String: PropertyValue] {
    switch self {
    case .event(_, let properties), .purchase(_, let properties): properties
    case .launch, .foreground, .sessionStart, .pushOpened: [:]
    }
  }

  fileprivate func fact(_ key: String) -> String? {
    switch (self, key) {
    case (.event(let name, _), "name"): name
    case (.purchase(let product, _), "product"): product
    case (.pushOpened(let campaign), "campaign"): campaign
    default: nil
    }
  }
}
