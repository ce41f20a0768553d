import Vocabulary
import Yams

/// One node of a YAML file that knows where it stands.
struct FileNode {
  let file: String
  private let node: Node
  /// Where the node stands, counted from 1.
  let line: Int

  init(composing text: String, file: String) throws(ScenarioError) {
    self.file = file
    let composed: Node?
    do {
      composed = try Yams.compose(yaml: text)
    } catch {
      let (line, problem) = Self.flaw(error)
      throw ScenarioError(
        file: file, line: line, problem: problem, advice: "correct the YAML there or just before")
    }
    guard let composed else {
      throw ScenarioError(
        file: file, line: 1, problem: "the file is empty", advice: "add `peers:` and `steps:`")
    }
    node = composed
    line = composed.mark?.line ?? 1
  }

  private init(_ node: Node, in parent: FileNode) {
    self.node = node
    file = parent.file
    line = node.mark?.line ?? parent.line
  }

  private static func flaw(_ error: any Error) -> (line: Int, problem: String) {
    switch error {
    case YamlError.scanner(_, let problem, let mark, _),
      YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      (mark.line, "this is no YAML: \(problem)")
    case YamlError.duplicatedKeysInMapping(let keys, let context):
      (context.mark.line, "`\(keys.joined(separator: "`, `"))` stands here, and again further down")
    default: (1, "this is no YAML: \(error)")
    }
  }

  func error(_ problem: String, _ advice: String) -> ScenarioError {
    ScenarioError(file: file, line: line, problem: problem, advice: advice)
  }

  /// Reads a phrase of this node, so that its error says where it stands.
  func reading<Value>(_ read: () throws(PhraseError) -> Value) throws(ScenarioError) -> Value {
    do { return try read() } catch { throw self.error(error.problem, error.advice) }
  }
}

// MARK: Kinds of nodes

extension FileNode {
  var isMapping: Bool { node.mapping != nil }

  /// Whether nothing stands behind the key.
  var isEmpty: Bool { node.scalar.map { $0.string.isEmpty || $0.string == "~" } ?? false }

  func text(_ what: String) throws(ScenarioError) -> String {
    guard let scalar = node.scalar, !isEmpty else {
      throw error("here stands no \(what)", "write \(what)")
    }
    return scalar.string
  }

  func pairs(_ what: String) throws(ScenarioError) -> [(key: FileNode, value: FileNode)] {
    guard let mapping = node.mapping else {
      throw error("\(what) is no list of `key: value`", "write `key: value` lines, indented alike")
    }
    return mapping.map { (FileNode($0.key, in: self), FileNode($0.value, in: self)) }
  }

  func elements(_ what: String) throws(ScenarioError) -> [FileNode] {
    guard let sequence = node.sequence else {
      throw error("\(what) is no list", "begin each of its parts with `- `")
    }
    return sequence.map { FileNode($0, in: self) }
  }

  /// The elements of a list, or the one node that is no list.
  func elementsOrSelf() throws(ScenarioError) -> [FileNode] {
    node.sequence == nil ? [self] : try elements("this")
  }

  /// The values of a mapping whose keys are all known.
  func fields(_ known: [String]) throws(ScenarioError) -> [String: FileNode] {
    var fields: [String: FileNode] = [:]
    for (key, value) in try pairs("this") {
      let name = try key.text("key")
      guard known.contains(name) else {
        throw key.error("`\(name)` means nothing here", suggestion(for: name, known))
      }
      fields[name] = value
    }
    return fields
  }

  func duration(_ what: String) throws(ScenarioError) -> Duration {
    let text = try text(what)
    return try reading { () throws(PhraseError) in
      var words = try Words(text)
      let duration = try words.duration(what)
      try words.finish()
      return duration
    }
  }

  func number(_ what: String) throws(ScenarioError) -> Double {
    guard let number = Double(try text(what)), number.isFinite else {
      throw error("here stands no number", "write \(what) as a number")
    }
    return number
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ what: String, _: Choice.Type = Choice.self
  ) throws(ScenarioError) -> Choice where Choice.RawValue == String {
    let text = try text(what)
    return try reading { () throws(PhraseError) in
      var words = try Words(text)
      return try words.choice(what)
    }
  }
}
