import InAppMessaging
import YAML

/// Reads what a click does: a word, a mapping, or a list of them, one after the other.
struct ActionReading {
  private let findings: Findings

  private typealias Name = InAppMessage.ClickAction.Name

  /// Actions that are one word; a sequence is a list, and has no word.
  private static let words: [Name] = [.close, .requestPushPermission]
  /// Actions that are a key with a value.
  private static let keys = Name.allCases.filter { !words.contains($0) && $0 != .sequence }

  init(_ findings: Findings) { self.findings = findings }

  func action(_ node: FileNode) -> InAppMessage.ClickAction? {
    guard node.isSequence else { return single(node) }
    guard let nodes = findings.note({ () throws(FileError) in try node.elements("the actions") })
    else { return nil }
    guard (1...CampaignBounds.actions).contains(nodes.count) else {
      findings.add(
        node.error(
          "\(nodes.count) actions stand here",
          "write at least one, and at most \(CampaignBounds.actions)"))
      return nil
    }
    let actions = nodes.compactMap { single($0) }
    return actions.count == nodes.count ? .sequence(actions) : nil
  }

  private func single(_ node: FileNode) -> InAppMessage.ClickAction? {
    if node.isMapping { return mapping(node) }
    return findings.note { () throws(FileError) in
      let word = try node.text("what a click does")
      switch Name(rawValue: word) {
      case .close: return .close
      case .requestPushPermission: return .requestPushPermission
      case .open, .deepLink, .logEvent, .setAttribute, .session, .sequence, nil:
        let known = Self.words.map(\.rawValue) + Self.keys.map { "{\($0.rawValue): …}" }
        throw node.error(
          "`\(word)` is nothing that a click does", suggestion(for: word, known))
      }
    }
  }

  private func mapping(_ node: FileNode) -> InAppMessage.ClickAction? {
    let keys = Self.keys.map(\.rawValue)
    let fields = MappingFields(node, findings, "an action", known: keys + ["inApp", "properties"])
    let kinds = Self.keys.filter { fields.has($0.rawValue) }
    guard kinds.count == 1, let kind = kinds.first else {
      findings.add(
        node.error(
          kinds.isEmpty
            ? "nothing is done here"
            : "`\(kinds[0].rawValue)` and `\(kinds[1].rawValue)` are two actions",
          "write one of \(keys.joined(separator: ", ")), and begin the next with `- `"))
      return nil
    }
    for (key, owner) in [("inApp", Name.open), ("properties", .logEvent)]
    where fields.has(key) && kind != owner {
      findings.add(
        fields.place(of: key).error(
          "`\(kind.rawValue)` has no `\(key)`", "leave it out; it is for \(owner.rawValue)"))
    }
    return action(kind, fields)
  }

  private func action(_ name: Name, _ fields: MappingFields) -> InAppMessage.ClickAction? {
    let kind = name.rawValue
    switch name {
    case .open:
      let inApp = fields.read("inApp") { value throws(FileError) in
        try value.bool("the page opens in the app")
      }
      return fields.read(kind) { value throws(FileError) in
        .open(url: try value.url(["https", "http"]), inApp: inApp ?? false)
      }
    case .deepLink:
      return fields.read(kind) { value throws(FileError) in .deepLink(try value.deepLink()) }
    case .logEvent:
      let properties = fields.read("properties") { value throws(FileError) in
        try value.properties("the properties")
      }
      return fields.read(kind) { value throws(FileError) in
        .logEvent(
          name: try value.name("an event's name"), properties: properties ?? [:])
      }
    case .setAttribute:
      return fields.read(kind) { value throws(FileError) in try value.attributes() }
    case .session:
      return fields.read(kind) { value throws(FileError) in
        .session(try value.choice("what is done in a session"))
      }
    case .close, .requestPushPermission, .sequence: return nil  // They are no keys.
    }
  }
}

extension FileNode {
  /// One attribute, or several, in the order of their keys.
  fileprivate func attributes() throws(FileError) -> InAppMessage.ClickAction {
    let pairs = try properties("what is set").sorted { $0.key < $1.key }
    guard let first = pairs.first else { throw error("nothing is set", "write {key: value}") }
    guard pairs.count > 1 else { return .setAttribute(key: first.key, value: first.value) }
    return .sequence(pairs.map { .setAttribute(key: $0.key, value: $0.value) })
  }
}

/// Reads the buttons of a message: each a text, or a mapping with its click action.
struct ButtonReading {
  private let findings: Findings
  private let kind: InAppMessage.Kind

  init(_ findings: Findings, _ kind: InAppMessage.Kind) {
    self.findings = findings
    self.kind = kind
  }

  func buttons(_ node: FileNode) -> [InAppMessage.Button] {
    guard let nodes = findings.note({ () throws(FileError) in try node.elements("the buttons") })
    else { return [] }
    if let flaw = flaw(nodes.count) {
      findings.add(node.error(flaw.problem, flaw.advice))
      return []
    }
    var buttons: [InAppMessage.Button] = []
    for (place, node) in nodes.enumerated() {
      guard let button = button(node, usualID: usualID(place, of: nodes.count)) else { continue }
      if buttons.contains(where: { $0.id == button.id }) {
        findings.add(
          node.error(
            "two buttons are called `\(button.id)`",
            "give one of them another `id`; clicks are told apart by it"))
      }
      buttons.append(button)
    }
    return buttons
  }

  private func flaw(_ count: Int) -> PhraseError? {
    switch kind {
    case .slideup, .banner, .imageOnly, .html, .control:
      return PhraseError(
        "a message of the kind \(kind.rawValue) has no buttons",
        kind == .html ? "put them into the page" : "write `clickAction:` for a click on all of it")
    case .modal, .modalImage, .full, .fullImage, .card:
      guard count > CampaignBounds.buttons else { return nil }
      return PhraseError(
        "the message has \(count) buttons, and at most \(CampaignBounds.buttons) are drawn",
        "leave some out")
    }
  }

  /// By each vendor's convention: the last one is the primary one.
  private func usualID(_ place: Int, of count: Int) -> String {
    let isPrimary = place == count - 1
    return kind == .card ? isPrimary ? "primary" : "secondary" : isPrimary ? "1" : "0"
  }

  private func button(_ node: FileNode, usualID: String) -> InAppMessage.Button? {
    guard node.isMapping else {
      return findings.note { () throws(FileError) in
        InAppMessage.Button(
          id: usualID, text: try node.text("a button's text", atMost: CampaignBounds.buttonBytes))
      }
    }
    let fields = MappingFields(
      node, findings, "a button", known: ["id", "text", "clickAction", "themes"])
    let id = fields.read("id") { value throws(FileError) in
      try value.name("a button's id", atMost: CampaignLimits.identifierBytes)
    }
    let action = fields["clickAction"].map { ActionReading(findings).action($0) ?? .close }
    let themes = fields["themes"].map { ThemeReading(findings).themes($0) }
    guard fields.has("text") else {
      findings.add(node.error("the button says nothing", "add `text:`"))
      return nil
    }
    return fields.read("text") { value throws(FileError) in
      InAppMessage.Button(
        id: id ?? usualID,
        text: try value.text("a button's text", atMost: CampaignBounds.buttonBytes),
        clickAction: action ?? .close, themes: themes ?? InAppMessage.Themes())
    }
  }
}
