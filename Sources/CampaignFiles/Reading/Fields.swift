import YAML

/// The `key: value` lines of a mapping, of which some keys are known.
struct Fields {
  let node: FileNode
  let findings: Findings
  private var keys: [String: FileNode] = [:]
  private var values: [String: FileNode] = [:]

  /// Looks the keys up; each that is not known is a mistake.
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

  /// The value of a key; nil if there is none, or, with the mistake noted, no good one.
  func read<Value>(
    _ key: String, _ read: (FileNode) throws(FileError) -> Value
  ) -> Value? {
    values[key].flatMap { value in findings.note { () throws(FileError) in try read(value) } }
  }
}
