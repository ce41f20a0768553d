import InAppMessaging
import YAML

/// Reads what a click does: a word, a mapping, or a list of them, one after the other.
struct ActionReading {
  private let findings: Findings

  private static let words = ["close", "requestPushPermission"]
  private static let keys = ["open", "deepLink", "logEvent", "setAttribute", "session"]

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
      switch word {
      case "close": return .close
      case "requestPushPermission": return .requestPushPermission
      default:
        throw node.error(
          "`\(word)` is nothing that a click does",
          suggestion(for: word, Self.words + Self.keys.map { "{\($0): …}" }))
      }
    }
  }

  private func mapping(_ node: FileNode) -> InAppMessage.ClickAction? {
    let fields = Fields(
      node, findings, "an action", known: Self.keys + ["inApp", "properties"])
    let kinds = Self.keys.filter(fields.has)
    guard kinds.count == 1, let kind = kinds.first else {
      findings.add(
        node.error(
          kinds.isEmpty
            ? "nothing is done here" : "`\(kinds[0])` and `\(kinds[1])` are two actions",
          "write one of \(Self.keys.joined(separator: ", ")), and begin the next with `- `"))
      return nil
    }
    for (key, owner) in [("inApp", "open"), ("properties", "logEvent")]
    where fields.has(key) && kind != owner {
      findings.add(
        fields.place(of: key).error("`\(kind)` has no `\(key)`", "leave it out; it is for \(owner)")
      )
    }
    return action(kind, fields)
  }

  private func action(_ kind: String, _ fields: Fields) -> InAppMessage.ClickAction? {
    switch kind {
    case "open":
      let inApp = fields.read("inApp") { value throws(FileError) in
        try value.bool("the page opens in the app")
      }
      return fields.read(kind) { value throws(FileError) in
        .open(url: try value.url(["https", "http"]), inApp: inApp ?? false)
      }
    case "deepLink":
      return fields.read(kind) { value throws(FileError) in .deepLink(try value.deepLink()) }
    case "logEvent":
      let properties = fields.read("properties") { value throws(FileError) in
        try value.properties("the properties")
      }
      return fields.read(kind) { value throws(FileError) in
        .logEvent(
          name: try value.text("an event's name", atMost: CampaignBounds.nameBytes),
          properties: properties ?? [:])
      }
    case "setAttribute":
      return fields.read(kind) { value throws(FileError) in try value.attributes() }
    default:
      return fields.read(kind) { value throws(FileError) in
        .session(try value.choice("what is done in a session"))
      }
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
