import InAppMessaging
import YAML

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
    guard (1...CampaignBounds.variants).contains(nodes.count) else {
      findings.add(
        node.error(
          "the campaign has \(nodes.count) variants",
          "write at least one, and at most \(CampaignBounds.variants)"))
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
    let fields = Fields(node, findings, "a variant", known: ["id", "weight", "message"])
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
      try value.integer("a weight", in: 1...CampaignBounds.weight)
    }
    return Campaign.Variant(id: id ?? usualID, weight: weight ?? 1, content)
  }
}
