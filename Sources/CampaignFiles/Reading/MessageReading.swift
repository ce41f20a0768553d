import InAppMessaging
import Vocabulary
import YAML

/// Reads messages: their content, their place on the screen, and what their kind needs.
struct MessageReading {
  private let findings: Findings

  private static let known = [
    "kind", "header", "title", "message", "body", "headerAlignment", "messageAlignment", "icon",
    "image", "landscapeImage", "html", "baseURL", "allowsScripts", "surface", "clickAction",
    "buttons", "closing", "orientation", "themes", "animatesIn", "animatesOut", "extras",
    "language", "impression",
  ]

  init(_ findings: Findings) { self.findings = findings }

  /// The content of a variant; nil if there are mistakes, which are noted.
  func content(_ node: FileNode) -> Campaign.Content? {
    let found = findings.errors.count
    let fields = MappingFields(node, findings, "a message", known: Self.known)
    guard node.isMapping else { return nil }
    let kind =
      fields.read("kind") { value throws(FileError) in
        try value.choice("a kind of message", InAppMessage.Kind.self)
      } ?? .modal
    if kind == .control {
      for key in Self.known where key != "kind" && fields.has(key) {
        findings.add(
          fields.place(of: key).error(
            "a control is shown to nobody, and has no `\(key)`", "leave it out"))
      }
      return findings.errors.count == found ? .control : nil
    }
    let extras =
      fields.read("extras") { value throws(FileError) in try value.properties("the extras") } ?? [:]
    let body = BodyReading(fields, kind, hasView: ViewRegistry.view(namedIn: extras) != nil)
      .body()
    // The rest is read even without a body, so that all mistakes are reported.
    var message = InAppMessage(id: MessageID(""), kind: kind, body: body ?? .empty)
    message.extras = extras
    readSurface(&message, fields)
    readClicks(&message, fields)
    readClosing(&message, fields)
    ViewCheck(message, fields).check()
    return findings.errors.count == found ? .message(message) : nil
  }

  // MARK: Where, and how it looks

  private func readSurface(_ message: inout InAppMessage, _ fields: MappingFields) {
    message.surface =
      fields.read("surface") { value throws(FileError) in
        try value.surface()
      } ?? message.surface
    message.orientation =
      fields.read("orientation") { value throws(FileError) in
        try value.choice("an orientation")
      } ?? message.orientation
    if let node = fields["themes"] { message.themes = ThemeReading(findings).themes(node) }
    message.animatesIn = flag("animatesIn", "the message moves in", fields) ?? message.animatesIn
    message.animatesOut =
      flag("animatesOut", "the message moves out", fields) ?? message.animatesOut
    message.language = fields.read("language") { value throws(FileError) in try value.language() }
    message.impression =
      fields.read("impression") { value throws(FileError) in
        let text = try value.text("when the message counts as seen")
        if let policy = InAppMessage.ImpressionPolicy(name: text) { return policy }
        return .afterVisible(
          try value.duration("an impression: `onPresent`, `explicit` or a length of time"))
      } ?? message.impression
  }

  private func flag(_ key: String, _ what: String, _ fields: MappingFields) -> Bool? {
    fields.read(key) { value throws(FileError) in try value.bool(what) }
  }

  // MARK: What can be done with it

  private func readClicks(_ message: inout InAppMessage, _ fields: MappingFields) {
    let actions = ActionReading(findings)
    if let node = fields["buttons"] {
      message.buttons = ButtonReading(findings, message.kind).buttons(node)
    }
    let needsButton = message.kind == .card && ViewRegistry.view(namedIn: message.extras) == nil
    if needsButton, !fields.has("buttons") {
      findings.add(
        fields.node.error("a card has at least one button", "add `buttons: [{text: …}]`"))
    }
    guard let node = fields["clickAction"] else { return }
    guard message.buttons.isEmpty else {
      findings.add(
        fields.place(of: "clickAction").error(
          "the body of a message with buttons is not clickable",
          "give the action to a button, or leave the buttons out"))
      return
    }
    message.clickAction = actions.action(node)
  }

  private func readClosing(_ message: inout InAppMessage, _ fields: MappingFields) {
    guard let node = fields["closing"] else { return }
    let found = findings.errors.count
    let closing = MappingFields(
      node, findings, "the closing", known: ["after", "bySwipe", "byButton", "byTapOutside"])
    if closing["after"]?.scalar == "never" {
      message.closing.after = nil
    } else if let after = closing.read(
      "after", { value throws(FileError) in try value.duration("a time, or `never`") })
    {
      message.closing.after = after
    }
    message.closing.bySwipe =
      flag("bySwipe", "a swipe closes it", closing) ?? message.closing.bySwipe
    message.closing.byButton =
      flag("byButton", "it has a button to close it", closing) ?? message.closing.byButton
    message.closing.byTapOutside =
      flag("byTapOutside", "a tap outside closes it", closing) ?? message.closing.byTapOutside
    let closes =
      message.closing.after != nil || message.closing.bySwipe || message.closing.byButton
      || message.closing.byTapOutside || !message.buttons.isEmpty || message.clickAction != nil
    if findings.errors.count == found, !closes {
      findings.add(
        node.error("nobody could close the message", "leave it one way, or give it a button"))
    }
  }
}

extension FileNode {
  /// A visible surface; a message for nobody is a kind of its own.
  fileprivate func surface() throws(FileError) -> InAppMessage.Surface {
    let names = InAppMessage.Surface.Name.allCases.filter { $0 != .invisible }
    let text = try text("a surface")
    guard let name = names.first(where: { $0.rawValue == text }) else {
      throw error("`\(text)` is not a surface", suggestion(for: text, names.map(\.rawValue)))
    }
    return InAppMessage.Surface(name)
  }

  /// A language by BCP 47.
  fileprivate func language() throws(FileError) -> String {
    let text = try text("a language", atMost: CampaignLimits.identifierBytes)
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let isLanguage =
      (2...8).contains(parts[0].count)
      && parts.allSatisfy { part in
        (1...8).contains(part.count)
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
    guard isLanguage else {
      throw error("`\(text)` is no language", "write its tag by BCP 47, such as en or pt-BR")
    }
    return text
  }
}

/// Reads the variants that a campaign's people are divided among.
struct VariantReading {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  /// Reads a list of variants.
  ///
  /// - Parameter content: reads the message of one.
  func variants(
    _ node: FileNode, content: (FileNode) -> Campaign.Content?
  ) -> [Campaign.Variant] {
    guard
      let nodes = findings.note({ () throws(FileError) in
        try node.elements("what follows `variants`")
      })
    else { return [] }
    guard (1...CampaignLimits.variants).contains(nodes.count) else {
      findings.add(
        node.error(
          "the campaign has \(nodes.count) variants",
          "write at least one, and at most \(CampaignLimits.variants)"))
      return []
    }
    let found = findings.errors.count
    var variants: [Campaign.Variant] = []
    for (place, node) in nodes.enumerated() {
      guard let variant = variant(node, "\(place + 1)", content) else { continue }
      if variants.contains(where: { $0.id == variant.id }) {
        findings.add(
          node.error("two variants are called `\(variant.id)`", "give one of them another `id`"))
      }
      variants.append(variant)
    }
    if findings.errors.count == found, variants.allSatisfy({ $0.content == .control }) {
      findings.add(
        node.error("nobody would see anything of the campaign", "add a variant with a message"))
    }
    return variants
  }

  private func variant(
    _ node: FileNode, _ usualID: String, _ content: (FileNode) -> Campaign.Content?
  ) -> Campaign.Variant? {
    let fields = MappingFields(node, findings, "a variant", known: ["id", "weight", "message"])
    guard node.isMapping else { return nil }
    guard let message = fields["message"] else {
      findings.add(
        node.error(
          "the variant has no message",
          "add `message:`; {kind: control} is shown to nobody, and counted"))
      return nil
    }
    guard let content = content(message) else { return nil }
    let id = fields.read("id") { value throws(FileError) in try value.identifier("an id") }
    let weight = fields.read("weight") { value throws(FileError) in
      try value.integer("a weight", in: 1...CampaignLimits.weight)
    }
    return Campaign.Variant(id: id ?? usualID, weight: weight ?? 1, content)
  }
}

/// Reads the colours of a message or a button: `light:` and `dark:`, each with the colours of
/// parts.
struct ThemeReading {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  func themes(_ node: FileNode) -> InAppMessage.Themes {
    let fields = MappingFields(node, findings, "the themes", known: ["light", "dark"])
    return InAppMessage.Themes(
      light: fields["light"].map(theme) ?? InAppMessage.Theme(), dark: fields["dark"].map(theme))
  }

  private func theme(_ node: FileNode) -> InAppMessage.Theme {
    let parts = InAppMessage.Theme.Part.allCases
    let fields = MappingFields(node, findings, "a theme", known: parts.map(\.rawValue))
    var theme = InAppMessage.Theme()
    for part in parts {
      theme[part] = fields.read(part.rawValue) { value throws(FileError) in
        try value.color("a colour")
      }
    }
    for part in parts { doubtContrast(of: part, in: theme, fields) }
    return theme
  }

  /// Tells of a text that cannot be read on the background that its author chose.
  private func doubtContrast(
    of part: InAppMessage.Theme.Part, in theme: InAppMessage.Theme, _ fields: MappingFields
  ) {
    guard let behind = part.background, let text = theme[part], let background = theme[behind],
      let contrast = Contrast(of: text, on: background), !contrast.isReadable
    else { return }
    findings.doubt(
      CampaignWarning(
        fields.place(of: part.rawValue).error(
          "`\(part.rawValue)` cannot be read on its `\(behind.rawValue)`, so that pages show it in "
            + "black or white",
          "choose two colours whose contrast is at least 4.5 to 1, as WCAG has it")))
  }
}

extension InAppMessage.Theme.Part {
  /// The part behind a text or a symbol; `nil` for a part that is neither.
  fileprivate var background: Self? {
    switch self {
    case .text, .headerText, .closeButton: .background
    case .icon: .iconBackground
    case .background, .iconBackground, .border, .frame: nil
    }
  }
}
