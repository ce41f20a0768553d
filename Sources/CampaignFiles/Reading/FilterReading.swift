import InAppMessaging
import YAML

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
        try key.text("a property", atMost: CampaignBounds.nameBytes)
      }
      guard let name else { continue }
      filters += comparisons(value).map { PropertyFilter(name, $0.comparison, $0.value) }
    }
    if filters.count > CampaignBounds.filters {
      findings.add(
        node.error(
          "\(filters.count) conditions stand here, and at most \(CampaignBounds.filters) are read",
          "leave some out"))
    }
    return filters
  }

  /// What a value is compared with, and how: a scalar is equal.
  func comparisons(
    _ node: FileNode
  ) -> [(comparison: PropertyFilter.Comparison, value: PropertyValue?)] {
    guard node.isMapping else {
      return findings.note { () throws(FileError) in (.equal, try node.comparand(.equal)) }
        .map { [$0] } ?? []
    }
    let known = PropertyFilter.Comparison.allCases.map(\.rawValue)
    let fields = Fields(node, findings, "a comparison", known: known)
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
  /// What a comparison compares with: a value of the only type it knows.
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
