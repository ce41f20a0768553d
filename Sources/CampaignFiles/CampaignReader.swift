import InAppMessaging
package import YAML

/// Reads one campaign file: a campaign, or several under `campaigns:`.
package struct CampaignReader {
  private let file: String

  /// A reader for that file; errors name it, and it is the default id of a campaign.
  package init(file: String) {
    self.file = file
  }

  /// Reads the file's campaigns.
  ///
  /// - Throws: ``CampaignFilesError/refused(_:)`` with every mistake in it.
  package func read(_ text: String) throws(CampaignFilesError) -> [CampaignEntry] {
    let (entries, errors) = entries(in: text)
    guard errors.isEmpty else { throw .refused(errors) }
    return entries
  }

  /// Reads the file's good campaigns, and every mistake in it.
  func entries(in text: String) -> (entries: [CampaignEntry], errors: [FileError]) {
    let findings = Findings()
    let root: FileNode? = findings.note { () throws(FileError) in
      try FileNode(
        composing: text, file: file, ifEmpty: "write a campaign, or take the ending away")
    }
    return (root.map { entries(in: $0, findings) } ?? [], findings.errors)
  }

  /// Reads a list of campaigns in another kind of file; each needs its `id`.
  ///
  /// - Throws: ``CampaignFilesError/refused(_:)`` with every mistake in it.
  package func read(_ list: FileNode) throws(CampaignFilesError) -> [CampaignEntry] {
    let findings = Findings()
    let nodes = findings.note { () throws(FileError) in try list.elements("what is said here") }
    let entries = (nodes ?? []).compactMap { entry($0, named: nil, findings) }
    guard findings.errors.isEmpty else { throw .refused(findings.errors) }
    return entries
  }

  private func entries(in root: FileNode, _ findings: Findings) -> [CampaignEntry] {
    guard let pairs = findings.note({ () throws(FileError) in try root.pairs("the file") }) else {
      return []
    }
    guard let list = pairs.first(where: { $0.key.scalar == "campaigns" }) else {
      return entry(root, named: fileName, findings).map { [$0] } ?? []
    }
    for (key, _) in pairs where key.scalar != "campaigns" {
      findings.add(
        key.error(
          "`\(key.scalar ?? "this")` stands beside `campaigns`",
          "move it into one of the campaigns, or leave `campaigns` out"))
    }
    let nodes = findings.note { () throws(FileError) in
      try list.value.elements("what follows `campaigns`")
    }
    return (nodes ?? []).compactMap { entry($0, named: nil, findings) }
  }

  private func entry(
    _ node: FileNode, named name: String?, _ findings: Findings
  ) -> CampaignEntry? {
    let before = findings.warnings.count
    return CampaignFields(node, findings, name: name).campaign().map {
      CampaignEntry(
        $0, file: file, line: node.line, warnings: Array(findings.warnings[before...]))
    }
  }

  /// The file's name without directory and ending.
  private var fileName: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return name.split(separator: ".").dropLast().joined(separator: ".")
  }
}

/// The mistakes and warnings found while a file is read, so that all are reported at once.
final class Findings {
  private(set) var errors: [FileError] = []
  private(set) var warnings: [CampaignWarning] = []

  func add(_ error: FileError) {
    errors.append(error)
  }

  func doubt(_ warning: CampaignWarning) {
    warnings.append(warning)
  }

  /// Reads a value; on a mistake, notes it and returns nil.
  func note<Value>(_ read: () throws(FileError) -> Value) -> Value? {
    do throws(FileError) {
      return try read()
    } catch {
      add(error)
      return nil
    }
  }

  /// Reads a name; on a mistake, notes it and returns nil.
  func name(_ node: FileNode, _ what: String) -> String? {
    note { () throws(FileError) in try node.name(what) }
  }
}

/// The `key: value` lines of a mapping, of which some keys are known.
struct MappingFields {
  let node: FileNode
  let findings: Findings
  private var keys: [String: FileNode] = [:]
  private var values: [String: FileNode] = [:]

  /// Reads the keys; each unknown key is a mistake.
  init(_ node: FileNode, _ findings: Findings, _ what: String, known: [String]) {
    self.node = node
    self.findings = findings
    guard let pairs = findings.note({ () throws(FileError) in try node.pairs(what) }) else {
      return
    }
    for (key, value) in pairs {
      guard let name = key.scalar, known.contains(name) else {
        let name = key.scalar ?? "this"
        findings.add(key.error("`\(name)` means nothing here", suggestion(for: name, known)))
        continue
      }
      keys[name] = key
      values[name] = value
    }
  }

  subscript(_ key: String) -> FileNode? { values[key] }

  /// Where the key itself stands.
  func place(of key: String) -> FileNode { keys[key] ?? node }

  func has(_ key: String) -> Bool { values[key] != nil }

  /// Reads the value of a key; nil if it is missing, or if it is wrong, which is noted.
  func read<Value>(
    _ key: String, _ read: (FileNode) throws(FileError) -> Value
  ) -> Value? {
    values[key].flatMap { value in findings.note { () throws(FileError) in try read(value) } }
  }
}
