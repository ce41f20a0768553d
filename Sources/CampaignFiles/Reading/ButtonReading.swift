import InAppMessaging
import YAML

/// Reads the buttons of a message: a text each, or a mapping with what a click does.
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
    let fields = Fields(
      node, findings, "a button", known: ["id", "text", "clickAction", "themes"])
    let id = fields.read("id") { value throws(FileError) in
      try value.text("a button's id", atMost: CampaignBounds.identifierBytes)
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
