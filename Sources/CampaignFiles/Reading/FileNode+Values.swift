import InAppMessaging
import Vocabulary
import WebAddresses
import YAML

extension FileNode {
  /// A text of limited length; its templates are checked.
  func text(
    _ what: String, atMost bytes: Int, in context: Template.Context = .text
  ) throws(FileError) -> String {
    if isMapping {
      throw error(
        "here stands a mapping, and no text",
        "put \(what) in quotation marks: a template is written \"{{event.url}}\"")
    }
    let text = try text(what)
    guard text.utf8.count <= bytes else {
      throw error(
        "\(what) has \(text.utf8.count) bytes, and at most \(bytes) are taken", "shorten it")
    }
    try reading { () throws(PhraseError) in try TemplateCheck.check(text, in: context) }
    return text
  }

  /// A name of limited length, which is the same for everybody.
  func name(
    _ what: String, atMost bytes: Int = CampaignLimits.nameBytes
  ) throws(FileError) -> String {
    let name = try text(what, atMost: bytes)
    guard !TemplateCheck.isTemplate(name) else {
      throw error("\(what) has no places to fill in", "write it without {{ }}")
    }
    return name
  }

  /// An identifier: letters, digits, and what joins them.
  func identifier(_ what: String) throws(FileError) -> String {
    let text = try text(what, atMost: CampaignLimits.identifierBytes)
    guard text.isIdentifier else {
      throw error(
        "`\(text)` is not \(what)", "use letters, digits, `-`, `_` and `.`, such as summer-sale")
    }
    return text
  }

  func bool(_ what: String) throws(FileError) -> Bool {
    switch scalar {
    case "true": return true
    case "false": return false
    default:
      throw error("here must stand whether \(what)", "write `true` or `false`")
    }
  }

  func integer(_ what: String, in range: ClosedRange<Int>) throws(FileError) -> Int {
    let text = try text(what)
    guard let number = Int(text), range.contains(number) else {
      throw error(
        "`\(text)` is not \(what)",
        "write a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// A length of time such as `30s`.
  func duration(
    _ what: String, upTo longest: Duration = CampaignBounds.duration
  ) throws(FileError) -> Duration {
    let text = try text(what)
    guard let duration = Duration(phrase: text), duration <= longest else {
      let days = longest.microseconds / 86_400_000_000
      throw error(
        "`\(text)` is not \(what)",
        "write a number and its unit, s, m, h or d, such as 30s, 5m, 24h or 7d (at most \(days)d)")
    }
    return duration
  }

  /// An instant as RFC 3339 writes it.
  func instant(_ what: String) throws(FileError) -> Instant {
    let text = try text(what)
    guard let instant = Instant(timestamp: text) else {
      throw error(
        "`\(text)` is not \(what)",
        "write day, time and zone, such as 2026-12-24T18:00:00Z or 2026-12-24T18:00:00+09:00")
    }
    return instant
  }

  func color(_ what: String) throws(FileError) -> Color {
    guard let text = scalar, !text.isEmpty else {
      throw error(
        "here stands no colour",
        "write it in quotation marks, such as \"#FF8800\": without them # begins a comment")
    }
    guard let color = Color(text: text) else {
      throw error(
        "`\(text)` is not \(what)",
        "write \"#RRGGBB\", or \"#AARRGGBB\" with its opacity, in hexadecimal digits")
    }
    return color
  }

  // MARK: Property values

  /// A typed value: a quoted scalar is a text, `true`, `false` and numbers are what they look like,
  /// and the elements of a list are texts.
  func propertyValue(_ what: String) throws(FileError) -> PropertyValue {
    if isSequence {
      let nodes = try elements(what)
      guard nodes.count <= CampaignBounds.listTexts else {
        throw error(
          "\(nodes.count) texts stand here, and at most \(CampaignBounds.listTexts) are taken",
          "leave some out")
      }
      var texts: [String] = []
      for node in nodes {
        texts.append(try node.text("a text of the list", atMost: CampaignBounds.valueBytes))
      }
      return .list(texts)
    }
    if scalar == "", isQuoted { return .string("") }
    let text = try text(what, atMost: CampaignBounds.valueBytes)
    return isQuoted ? .string(text) : PropertyValue(plain: text)
  }

  /// Keys with values, such as an event's properties.
  func properties(_ what: String) throws(FileError) -> [String: PropertyValue] {
    let pairs = try pairs(what)
    guard pairs.count <= CampaignBounds.pairs else {
      throw error(
        "\(pairs.count) pairs stand here, and at most \(CampaignBounds.pairs) are taken",
        "leave some out")
    }
    var properties: [String: PropertyValue] = [:]
    for (key, value) in pairs {
      let name = try key.name("a key")
      properties[name] = try value.propertyValue("a value")
    }
    return properties
  }
}

extension String {
  var isIdentifier: Bool {
    !isEmpty
      && unicodeScalars.allSatisfy { scalar in
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-_.".unicodeScalars.contains(scalar)
      }
  }
}

extension FileNode {
  /// A URL of one of these schemes, with a host; of one with a template, the part before it is
  /// checked.
  func url(_ schemes: [String]) throws(FileError) -> String {
    let text = try text("a URL", atMost: Limits.urlBytes)
    let advice = "write a URL such as \(schemes[0])://example.org/cinema.png"
    if TemplateCheck.isTemplate(text) {
      let isOpen = text.hasPrefix("{") || schemes.contains { text.hasPrefix("\($0)://") }
      guard isOpen else { throw error("`\(text)` is no \(schemes[0]) URL", advice) }
      return text
    }
    guard let address = WebAddress(text), !address.host.isEmpty else {
      throw error("`\(text)` is no URL", advice)
    }
    guard schemes.contains(address.scheme) else {
      throw error(
        "`\(text)` is no \(schemes.joined(separator: " or ")) URL",
        "write \(schemes[0])://, or put it where that can be reached")
    }
    guard !address.hasUserInformation else {
      throw error(
        "`\(text)` has a name or a password in it", "everyone would see them; leave them out")
    }
    return text
  }

  /// A deep link, with any scheme that does not run its own content.
  func deepLink() throws(FileError) -> String {
    let text = try text("a deep link", atMost: Limits.urlBytes)
    let isTemplate = TemplateCheck.isTemplate(text)
    if isTemplate, text.hasPrefix("{") { return text }
    guard let scheme = LinkGuard.scheme(of: text), WebAddress.isScheme(scheme) else {
      throw error("`\(text)` is no deep link", "write the app's scheme, as in cinema://film/12")
    }
    guard !LinkGuard.isCode(scheme) else {
      throw error(
        "`\(scheme):` would run or show what stands in it", "write a scheme of the app's own")
    }
    guard isTemplate || LinkGuard.allows(deepLink: text) else {
      throw error("`\(text)` has spaces in it", "write %20 for each")
    }
    return text
  }
}

extension Duration {
  /// A duration written as a number and a unit, such as `1.5h`; nil if it is malformed or longer
  /// than ``CampaignBounds/duration``.
  package init?(phrase: String) {
    let digits = phrase.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let units = ["ms": 0.001, "s": 1, "m": 60, "h": 3_600, "d": 86_400.0]
    guard let number = Double(digits), let unit = units[String(phrase.dropFirst(digits.count))]
    else { return nil }
    let seconds = number * unit
    guard seconds <= CampaignBounds.duration.inSeconds else { return nil }
    self = .microseconds(Int64((seconds * 1_000_000).rounded()))
  }
}
