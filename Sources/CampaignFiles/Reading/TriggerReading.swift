import InAppMessaging
import Vocabulary
import YAML

/// Reads triggers: a word such as `sessionStart`, or a mapping such as `{event: Searched}`.
struct TriggerReading {
  private let findings: Findings

  private static let words = ["launch", "foreground", "sessionStart", "pushOpened", "purchase"]
  private static let keys = ["event", "purchase", "pushOpened", "messageClicked"]

  init(_ findings: Findings) { self.findings = findings }

  func trigger(_ node: FileNode) -> Trigger? {
    node.isMapping
      ? mapping(node) : findings.note { () throws(FileError) in try word(node) }
  }

  private func word(_ node: FileNode) throws(FileError) -> Trigger {
    let word = try node.text("a trigger")
    switch word {
    case "launch": return .launch
    case "foreground": return .foreground
    case "sessionStart": return .sessionStart
    case "pushOpened": return .pushOpened(campaign: nil)
    case "purchase": return .purchase(product: nil, filters: [])
    case "event": throw node.error("the event has no name", "write `event: its name`")
    case "messageClicked":
      throw node.error("the message has no campaign", "write `messageClicked: its campaign's id`")
    default:
      throw node.error(
        "`\(word)` is no trigger",
        suggestion(for: word, Self.words) + "; for an event, `event: its name`")
    }
  }

  private func mapping(_ node: FileNode) -> Trigger? {
    let fields = Fields(node, findings, "a trigger", known: Self.keys + ["where", "button"])
    let kinds = Self.keys.filter(fields.has)
    guard kinds.count == 1, let kind = kinds.first, let value = fields[kind] else {
      findings.add(
        node.error(
          kinds.isEmpty
            ? "nothing happens here" : "`\(kinds[0])` and `\(kinds[1])` are two triggers",
          "write one of \(Self.keys.joined(separator: ", ")), and begin the next with `- `"))
      return nil
    }
    check(fields, kind)
    let filters = fields["where"].map { FilterReading(findings).filters($0) } ?? []
    switch kind {
    case "event": return name(value, "an event's name").map { .event(name: $0, filters: filters) }
    case "purchase":
      return value.isEmpty
        ? .purchase(product: nil, filters: filters)
        : name(value, "a product's name").map { .purchase(product: $0, filters: filters) }
    case "pushOpened":
      return value.isEmpty
        ? .pushOpened(campaign: nil)
        : name(value, "a push campaign's name").map { .pushOpened(campaign: $0) }
    default:
      let button = fields.read("button") { value throws(FileError) in
        try value.text("a button's id", atMost: CampaignBounds.identifierBytes)
      }
      return findings.note { () throws(FileError) in try value.identifier("a campaign's id") }
        .map { .messageClicked(campaign: CampaignID($0), button: button) }
    }
  }

  private func name(_ node: FileNode, _ what: String) -> String? {
    findings.note { () throws(FileError) in try node.text(what, atMost: CampaignBounds.nameBytes) }
  }

  /// `where` and `button` belong to some triggers only.
  private func check(_ fields: Fields, _ kind: String) {
    if fields.has("where"), kind != "event", kind != "purchase" {
      findings.add(
        fields.place(of: "where").error(
          "`\(kind)` has no properties", "leave `where` out; events and purchases have some"))
    }
    if fields.has("button"), kind != "messageClicked" {
      findings.add(
        fields.place(of: "button").error(
          "`\(kind)` has no button", "leave `button` out; it belongs to messageClicked"))
    }
  }
}
