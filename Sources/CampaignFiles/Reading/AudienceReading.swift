import InAppMessaging
import Vocabulary
import YAML

/// Reads audiences: mappings of conditions that hold all at once, nested by `any`, `all` and `not`.
struct AudienceReading {
  private let findings: Findings
  /// How many conditions were read, because YAML's aliases could multiply a few without end.
  private var count = 0

  private static let known = [
    "app", "version", "attributes", "memberOf", "users", "capability", "any", "all", "not",
  ]

  init(_ findings: Findings) { self.findings = findings }

  /// The audience of a campaign.
  mutating func audience(_ node: FileNode) -> Audience {
    if node.scalar == "everyone" { return .all }
    let audience = Self.joined(conditions(node, depth: 1))
    if count > CampaignLimits.conditions {
      findings.add(
        node.error(
          "the audience has more than \(CampaignLimits.conditions) conditions",
          "keep a list of the people, and write `memberOf`"))
    }
    return audience
  }

  private mutating func conditions(_ node: FileNode, depth: Int) -> [Audience] {
    guard count <= CampaignLimits.conditions else { return [] }
    guard depth <= CampaignLimits.nesting else {
      findings.add(
        node.error(
          "the conditions nest deeper than \(CampaignLimits.nesting)",
          "say the same with fewer `any`, `all` and `not`"))
      return []
    }
    guard node.isMapping else {
      findings.add(
        node.error(
          "here stands no audience",
          "write `everyone`, or conditions such as {app: matinee-tv, version: {greaterOrEqual: 1.2}}"
        ))
      return []
    }
    let fields = MappingFields(node, findings, "an audience", known: Self.known)
    let found = findings.errors.count
    // In the order of `known`, not of the file.
    var conditions: [Audience] = []
    for key in Self.known {
      if let value = fields[key] { conditions += condition(key, value, depth) }
    }
    count += conditions.count
    if conditions.isEmpty, findings.errors.count == found {
      findings.add(node.error("the audience has no condition", "write `everyone`, or leave it out"))
    }
    return conditions
  }

  private mutating func condition(_ key: String, _ node: FileNode, _ depth: Int) -> [Audience] {
    switch key {
    case "app": return findings.name(node, "an app's name").map { [.app($0)] } ?? []
    case "memberOf": return findings.name(node, "a list's name").map { [.member(of: $0)] } ?? []
    case "capability": return findings.name(node, "a capability").map { [.capability($0)] } ?? []
    case "version": return versions(node)
    case "attributes": return FilterReading(findings).filters(node).map { .attribute($0) }
    case "users": return users(node).map { [.users($0)] } ?? []
    case "not": return [.not(Self.joined(conditions(node, depth: depth + 1)))]
    default:
      let parts = elements(node, depth)
      return parts.isEmpty ? [] : [key == "any" ? .anyOf(parts) : .allOf(parts)]
    }
  }

  private mutating func elements(_ node: FileNode, _ depth: Int) -> [Audience] {
    guard let nodes = findings.note({ () throws(FileError) in try node.elements("this") }) else {
      return []
    }
    guard (1...CampaignLimits.conditions).contains(nodes.count) else {
      findings.add(
        node.error(
          "\(nodes.count) conditions stand here",
          "write at least one, and at most \(CampaignLimits.conditions)"))
      return []
    }
    return nodes.map { Self.joined(conditions($0, depth: depth + 1)) }
  }

  private static func joined(_ conditions: [Audience]) -> Audience {
    conditions.count == 1 ? conditions[0] : conditions.isEmpty ? .all : .allOf(conditions)
  }

  private func users(_ node: FileNode) -> Set<UserID>? {
    findings.note { () throws(FileError) in
      let nodes = try node.elementsOrSelf()
      guard nodes.count <= CampaignBounds.users else {
        throw node.error(
          "\(nodes.count) people stand here, and at most \(CampaignBounds.users) are read",
          "keep an attribute of them, and write `attributes`")
      }
      var users: Set<UserID> = []
      for node in nodes {
        let id = try node.name("a user's id", atMost: CampaignLimits.identifierBytes)
        users.insert(UserID(id))
      }
      return users
    }
  }

  /// `1.10`, or comparisons such as `{greaterOrEqual: 1.10}`.
  private func versions(_ node: FileNode) -> [Audience] {
    guard node.isMapping else {
      return findings.note { () throws(FileError) in try node.version() }
        .map { [.version(.equal, $0)] } ?? []
    }
    let comparisons: [PropertyFilter.Comparison] = [
      .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    let fields = MappingFields(node, findings, "a version", known: comparisons.map(\.rawValue))
    return comparisons.compactMap { comparison in
      fields.read(comparison.rawValue) { value throws(FileError) in try value.version() }
        .map { .version(comparison, $0) }
    }
  }
}

extension FileNode {
  fileprivate func version() throws(FileError) -> String {
    let text = try text("a version", atMost: CampaignLimits.identifierBytes)
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isNumber } }) else {
      throw error("`\(text)` is no version", "write numbers with full stops, such as 1.10.2")
    }
    return text
  }
}

/// Reads conditions on properties: `genre: drama`, or `minutes: {greater: 30, less: 90}`.
struct FilterReading {
  private let findings: Findings

  init(_ findings: Findings) { self.findings = findings }

  /// All conditions of a mapping; a key with several comparisons has several.
  func filters(_ node: FileNode) -> [PropertyFilter] {
    guard let pairs = findings.note({ () throws(FileError) in try node.pairs("the conditions") })
    else { return [] }
    var filters: [PropertyFilter] = []
    for (key, value) in pairs {
      let name = findings.note { () throws(FileError) in
        try key.name("a property")
      }
      guard let name else { continue }
      filters += comparisons(value).map { PropertyFilter(name, $0.comparison, $0.value) }
    }
    if filters.count > CampaignLimits.filters {
      findings.add(
        node.error(
          "\(filters.count) conditions stand here, and at most \(CampaignLimits.filters) are read",
          "leave some out"))
    }
    return filters
  }

  /// The comparisons of a value; a scalar means equality.
  func comparisons(
    _ node: FileNode
  ) -> [(comparison: PropertyFilter.Comparison, value: PropertyValue?)] {
    guard node.isMapping else {
      return findings.note { () throws(FileError) in (.equal, try node.comparand(.equal)) }
        .map { [$0] } ?? []
    }
    let known = PropertyFilter.Comparison.allCases.map(\.rawValue)
    let fields = MappingFields(node, findings, "a comparison", known: known)
    return PropertyFilter.Comparison.allCases.compactMap { comparison in
      fields.read(comparison.rawValue) { value throws(FileError) in
        switch comparison {
        case .set, .unset:
          let isSo = try value.bool("it is \(comparison.rawValue)")
          return (isSo == (comparison == .set) ? .set : .unset, nil)
        default: return (comparison, try value.comparand(comparison))
        }
      }
    }
  }
}

extension FileNode {
  /// The value to compare with, of the type that the comparison needs.
  fileprivate func comparand(
    _ comparison: PropertyFilter.Comparison
  ) throws(FileError) -> PropertyValue {
    guard !isSequence else {
      throw error(
        "a list stands here, and a condition compares with one value",
        "for one of several write {search: \"^(drama|comedy)$\"}, or a trigger each")
    }
    let value = try propertyValue("a value")
    switch comparison {
    case .equal, .notEqual, .set, .unset: return value
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard value.number != nil else {
        throw error(
          "`\(comparison.rawValue)` compares numbers, and here stands none",
          "write a number without quotation marks, or `before` and `after` for instants")
      }
      return value
    case .search:
      let expression = try text("a regular expression", atMost: CampaignBounds.expressionBytes)
      do throws(PatternError) { _ = try Pattern(expression) } catch {
        throw self.error(
          "`\(expression)` is no regular expression: \(error)",
          "correct it there; looking around and back-references are not known")
      }
      return .string(expression)
    case .before, .after:
      _ = try instant("an instant")
      return .string(try text("an instant"))
    }
  }
}
