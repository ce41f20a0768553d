import InAppMessaging
import Vocabulary
import YAML

/// Reads triggers: a word such as `sessionStart`, or a mapping such as `{event: Searched}`.
struct TriggerReading {
  private let findings: Findings

  /// Triggers that are one word.
  private static let words: [Trigger.Name] = [
    .launch, .foreground, .sessionStart, .pushOpened, .purchase,
  ]
  /// Triggers that are a key with a value.
  private static let keys: [Trigger.Name] = [.event, .purchase, .pushOpened, .messageClicked]

  init(_ findings: Findings) { self.findings = findings }

  func trigger(_ node: FileNode) -> Trigger? {
    node.isMapping
      ? mapping(node) : findings.note { () throws(FileError) in try word(node) }
  }

  private func word(_ node: FileNode) throws(FileError) -> Trigger {
    let word = try node.text("a trigger")
    switch Trigger.Name(rawValue: word) {
    case .launch: return .launch
    case .foreground: return .foreground
    case .sessionStart: return .sessionStart
    case .pushOpened: return .pushOpened(campaign: nil)
    case .purchase: return .purchase(product: nil, filters: [])
    case .event: throw node.error("the event has no name", "write `event: its name`")
    case .messageClicked:
      throw node.error("the message has no campaign", "write `messageClicked: its campaign's id`")
    case nil:
      throw node.error(
        "`\(word)` is no trigger",
        suggestion(for: word, Self.words.map(\.rawValue)) + "; for an event, `event: its name`")
    }
  }

  private func mapping(_ node: FileNode) -> Trigger? {
    let keys = Self.keys.map(\.rawValue)
    let fields = MappingFields(node, findings, "a trigger", known: keys + ["where", "button"])
    let kinds = Self.keys.filter { fields.has($0.rawValue) }
    guard kinds.count == 1, let kind = kinds.first, let value = fields[kind.rawValue] else {
      findings.add(
        node.error(
          kinds.isEmpty
            ? "nothing happens here"
            : "`\(kinds[0].rawValue)` and `\(kinds[1].rawValue)` are two triggers",
          "write one of \(keys.joined(separator: ", ")), and begin the next with `- `"))
      return nil
    }
    check(fields, kind)
    let filters = fields["where"].map { FilterReading(findings).filters($0) } ?? []
    switch kind {
    case .event:
      return findings.name(value, "an event's name").map { .event(name: $0, filters: filters) }
    case .purchase:
      return value.isEmpty
        ? .purchase(product: nil, filters: filters)
        : findings.name(value, "a product's name").map { .purchase(product: $0, filters: filters) }
    case .pushOpened:
      return value.isEmpty
        ? .pushOpened(campaign: nil)
        : findings.name(value, "a push campaign's name").map { .pushOpened(campaign: $0) }
    case .messageClicked:
      let button = fields.read("button") { value throws(FileError) in
        try value.name("a button's id", atMost: CampaignLimits.identifierBytes)
      }
      return findings.note { () throws(FileError) in try value.identifier("a campaign's id") }
        .map { .messageClicked(campaign: CampaignID($0), button: button) }
    case .launch, .foreground, .sessionStart: return nil  // They are no keys.
    }
  }

  /// `where` and `button` belong to some triggers only.
  private func check(_ fields: MappingFields, _ kind: Trigger.Name) {
    if fields.has("where"), kind != .event, kind != .purchase {
      findings.add(
        fields.place(of: "where").error(
          "`\(kind.rawValue)` has no properties",
          "leave `where` out; events and purchases have some"))
    }
    if fields.has("button"), kind != .messageClicked {
      findings.add(
        fields.place(of: "button").error(
          "`\(kind.rawValue)` has no button", "leave `button` out; it belongs to messageClicked"))
    }
  }
}

extension FileNode {
  /// `never`, `always`, or a length of time.
  func reEligibility() throws(FileError) -> ReEligibility {
    switch try text("when the message may come again") {
    case "never": return .never
    case "always": return .after(.zero)
    default: return .after(try duration("a re-eligibility: `never`, `always` or a length of time"))
    }
  }

  /// `inherit`, `ignore`, or an interval.
  func intervalOverride() throws(FileError) -> IntervalOverride {
    switch try text("a distance from other messages") {
    case "inherit": return .inherit
    case "ignore": return .ignore
    default: return .atLeast(try duration("an interval: `inherit`, `ignore` or a length of time"))
    }
  }

  /// A cap such as `3 per 7d`, `1 per session` or `5 ever`.
  func cap() throws(FileError) -> FrequencyCap {
    let text = try text("a cap")
    let words = text.split(separator: " ").map(String.init)
    let flaw = error(
      "`\(text)` is not a cap", "write how often in what time: 3 per 7d, 1 per session or 5 ever")
    guard let limit = words.first.flatMap({ Int($0) }), (1...1_000_000).contains(limit) else {
      throw flaw
    }
    let window: FrequencyCap.Window
    switch words.dropFirst().joined(separator: " ") {
    case "ever": window = .ever
    case "per session": window = .session
    default:
      guard words.count == 3, words[1] == "per", let length = Duration(phrase: words[2]),
        length > .zero
      else { throw flaw }
      window = .rolling(length)
    }
    guard window == .ever || limit <= CampaignLimits.cap else {
      throw error(
        "\(limit) is more than \(CampaignLimits.cap) in a window",
        "write a shorter window, or `\(limit) ever`")
    }
    return FrequencyCap(limit, per: window)
  }
}
