import InAppMessaging
import YAML

/// Reads the body of a message, as its kind needs it.
struct BodyReading {
  private let fields: MappingFields
  private let kind: InAppMessage.Kind
  /// Whether a view of the app's own draws it, which needs no image.
  private let hasView: Bool

  private var findings: Findings { fields.findings }

  /// The keys that only some kinds have.
  private static let keys = [
    "header", "title", "message", "body", "headerAlignment", "messageAlignment", "icon", "image",
    "landscapeImage", "html", "baseURL", "allowsScripts",
  ]

  init(_ fields: MappingFields, _ kind: InAppMessage.Kind, hasView: Bool) {
    self.fields = fields
    self.kind = kind
    self.hasView = hasView
  }

  /// The body; nil if there are mistakes, which are noted.
  func body() -> InAppMessage.Body? {
    let taken = kind.bodyKeys
    for key in Self.keys where fields.has(key) && !taken.contains(key) {
      findings.add(
        fields.place(of: key).error(
          "a message of the kind \(kind.rawValue) has no `\(key)`", advice(for: key)))
    }
    if kind.needsImage, !hasView, !fields.has("image") {
      findings.add(
        fields.node.error(
          "a message of the kind \(kind.rawValue) is nothing without its image",
          "add `image: https://…`, or choose another kind"))
      return nil
    }
    switch kind {
    case .modalImage, .fullImage, .imageOnly: return imageBody()
    case .html: return page()
    case .control: return .empty
    case .slideup, .modal, .full, .card, .banner: return text()
    }
  }

  private func advice(for key: String) -> String {
    let kinds = InAppMessage.Kind.allCases.filter { $0.bodyKeys.contains(key) }
    return "leave it out, or choose one of: \(kinds.map(\.rawValue).joined(separator: ", "))"
  }

  // MARK: Sorts

  private func text() -> InAppMessage.Body? {
    let header = either("header", "title", atMost: CampaignBounds.headerBytes)
    let message = either("message", "body", atMost: CampaignBounds.messageBytes)
    let isTitled = kind == .card || kind == .banner
    let needed = isTitled ? ["title"] : kind == .slideup ? ["message"] : ["header", "message"]
    let isSaid = ["header", "title", "message", "body"].contains { key in
      fields.has(key) && (!isTitled || key == "header" || key == "title")
    }
    if !isSaid {
      findings.add(
        fields.node.error(
          "the message says nothing", "add `\(needed.joined(separator: "`, `"))`"))
    }
    var text = InAppMessage.Text(message ?? "", header: header, graphic: graphic())
    text.headerAlignment = alignment("headerAlignment") ?? text.headerAlignment
    text.messageAlignment = alignment("messageAlignment") ?? text.messageAlignment
    text.landscapeImage = image("landscapeImage")
    return .text(text)
  }

  /// A text under Braze's key or Firebase's.
  private func either(_ key: String, _ other: String, atMost bytes: Int) -> String? {
    if fields.has(key), fields.has(other) {
      findings.add(
        fields.place(of: other).error(
          "`\(key)` and `\(other)` are two names of the same", "leave one of them out"))
    }
    return fields.read(fields.has(key) ? key : other) { value throws(FileError) in
      try value.text("a text", atMost: bytes)
    }
  }

  private func alignment(_ key: String) -> InAppMessage.TextAlignment? {
    fields.read(key) { value throws(FileError) in try value.choice("an alignment") }
  }

  private func graphic() -> InAppMessage.Graphic? {
    if fields.has("icon"), fields.has("image") {
      findings.add(
        fields.place(of: "icon").error(
          "the message has both an icon and an image", "leave one of them out"))
    }
    if let image = image("image") { return .image(image) }
    return fields.read("icon") { value throws(FileError) in
      .icon(try value.text("a symbol", atMost: CampaignLimits.identifierBytes))
    }
  }

  private func imageBody() -> InAppMessage.Body? {
    guard fields.has("image") else {
      return .text(InAppMessage.Text(""))
    }
    return image("image").map { .image($0, landscape: image("landscapeImage")) }
  }

  private func page() -> InAppMessage.Body? {
    guard fields.has("html") else {
      findings.add(fields.node.error("the page is empty", "add `html: |`, and the page below it"))
      return nil
    }
    let source = fields.read("html") { value throws(FileError) in
      try value.text("a page", atMost: CampaignBounds.htmlBytes, in: .html)
    }
    let base = fields.read("baseURL") { value throws(FileError) in try value.url(["https"]) }
    let allowsScripts = fields.read("allowsScripts") { value throws(FileError) in
      try value.bool("scripts in it run")
    }
    return source.map {
      .html(InAppMessage.Page($0, baseURL: base, allowsScripts: allowsScripts ?? false))
    }
  }

  // MARK: Images

  /// A URL, or a mapping with an alternative text.
  private func image(_ key: String) -> InAppMessage.Image? {
    guard let node = fields[key] else { return nil }
    guard node.isMapping else {
      return findings.note { () throws(FileError) in
        InAppMessage.Image(url: try node.url(["https"]))
      }
    }
    let image = MappingFields(node, findings, "an image", known: ["url", "alternativeText"])
    guard image.has("url") else {
      findings.add(
        node.error(
          "the image has no URL",
          "add `url:`; and put a template in quotation marks, as in \"{{event.image}}\""))
      return nil
    }
    let text = image.read("alternativeText") { value throws(FileError) in
      try value.text("a text", atMost: CampaignBounds.headerBytes)
    }
    return image.read("url") { value throws(FileError) in
      InAppMessage.Image(url: try value.url(["https"]), alternativeText: text)
    }
  }
}

extension InAppMessage.Kind {
  /// The keys of a body of this kind.
  fileprivate var bodyKeys: Set<String> {
    let text: Set = ["message", "body", "messageAlignment"]
    let header: Set = ["header", "title", "headerAlignment"]
    return switch self {
    case .slideup: text.union(["icon", "image"])
    case .modal: text.union(header).union(["icon", "image", "landscapeImage"])
    case .full, .card, .banner: text.union(header).union(["image", "landscapeImage"])
    case .modalImage, .fullImage, .imageOnly: ["image", "landscapeImage"]
    case .html: ["html", "baseURL", "allowsScripts"]
    case .control: []
    }
  }

  fileprivate var needsImage: Bool {
    switch self {
    case .modalImage, .full, .fullImage, .card, .imageOnly: true
    case .slideup, .modal, .html, .control, .banner: false
    }
  }
}
