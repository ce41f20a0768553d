import Yams

/// A node of a YAML file with its position; only this file uses the YAML library.
package struct FileNode {
  package let file: String
  private let node: Node
  /// The node's position, counted from 1.
  package let line: Int
  package let column: Int

  /// Reads a file with one YAML document.
  ///
  /// - Parameters:
  ///   - file: the file's name, for errors.
  ///   - advice: what to write into an empty file.
  package init(
    composing text: String, file: String, ifEmpty advice: String
  ) throws(FileError) {
    self.file = file
    let composed: Node?
    do {
      composed = try Yams.compose(yaml: text)
    } catch {
      throw Self.flaw(error, file)
    }
    guard let composed else {
      throw FileError(
        file: file, line: 1, column: 1, problem: "the file is empty", advice: advice)
    }
    node = composed
    line = composed.mark?.line ?? 1
    column = composed.mark?.column ?? 1
  }

  private init(_ node: Node, in parent: FileNode) {
    self.node = node
    file = parent.file
    line = node.mark?.line ?? parent.line
    column = node.mark?.column ?? parent.column
  }

  private static func flaw(_ error: any Error, _ file: String) -> FileError {
    func flaw(_ line: Int, _ column: Int, _ problem: String) -> FileError {
      FileError(
        file: file, line: line, column: column, problem: problem,
        advice: "correct the YAML there or just before")
    }
    switch error {
    case YamlError.scanner(_, let problem, let mark, _),
      YamlError.parser(_, let problem, let mark, _),
      YamlError.composer(_, let problem, let mark, _):
      return flaw(mark.line, mark.column, "this is not valid YAML: \(problem)")
    case YamlError.reader(let problem, let offset, _, let text):
      let before = text.prefix(offset ?? 0).split(
        separator: "\n", omittingEmptySubsequences: false)
      return flaw(
        max(1, before.count), (before.last?.unicodeScalars.count ?? 0) + 1,
        "this is not valid YAML: \(problem)")
    case YamlError.duplicatedKeysInMapping(let keys, let context):
      let names = keys.joined(separator: "`, `")
      return flaw(
        context.mark.line, context.mark.column, "`\(names)` appears here and again further down")
    default: return flaw(1, 1, "this is not valid YAML: \(error)")
    }
  }

  /// An error at the node's position.
  package func error(_ problem: String, _ advice: String) -> FileError {
    FileError(file: file, line: line, column: column, problem: problem, advice: advice)
  }

  /// Reads the node's phrase, and adds the node's position to errors.
  package func reading<Value>(
    _ read: () throws(PhraseError) -> Value
  ) throws(FileError) -> Value {
    do { return try read() } catch { throw self.error(error.problem, error.advice) }
  }
}

// MARK: Kinds of nodes

extension FileNode {
  package var isMapping: Bool { node.mapping != nil }

  package var isSequence: Bool { node.sequence != nil }

  /// Whether the node has no value.
  package var isEmpty: Bool {
    guard let scalar = node.scalar, scalar.style == .plain || scalar.style == .any else {
      return false
    }
    return ["", "~", "null"].contains(scalar.string)
  }

  /// The node's value, unless it is a list, a mapping or empty.
  package var scalar: String? { isEmpty ? nil : node.scalar?.string }

  /// Whether the value is in quotation marks or a block, and therefore is always a text.
  package var isQuoted: Bool {
    guard let scalar = node.scalar else { return false }
    return scalar.style != .plain && scalar.style != .any
  }

  /// The node's text, which must not be empty.
  package func text(_ what: String) throws(FileError) -> String {
    guard let scalar, !scalar.isEmpty else {
      throw error("\(what) is missing", "write \(what)")
    }
    return scalar
  }

  /// The node alone as a YAML document.
  package func document() throws(FileError) -> String {
    do { return try Yams.serialize(node: node) } catch {
      throw self.error("this cannot be written as YAML: \(error)", "write it in a simpler form")
    }
  }

  /// The keys and values of a mapping, in the order of the file.
  package func pairs(_ what: String) throws(FileError) -> [(key: FileNode, value: FileNode)] {
    guard let mapping = node.mapping else {
      throw error("\(what) must be a mapping", "write `key: value` lines with equal indentation")
    }
    return mapping.map { (FileNode($0.key, in: self), FileNode($0.value, in: self)) }
  }

  /// The elements of a list.
  package func elements(_ what: String) throws(FileError) -> [FileNode] {
    guard let sequence = node.sequence else {
      throw error("\(what) must be a list", "begin each element with `- `")
    }
    return sequence.map { FileNode($0, in: self) }
  }

  /// The elements of a list, or the node itself if it is not a list.
  package func elementsOrSelf() throws(FileError) -> [FileNode] {
    isSequence ? try elements("this") : [self]
  }

  /// The values of a mapping in which only known keys are allowed.
  package func fields(_ known: [String]) throws(FileError) -> [String: FileNode] {
    var fields: [String: FileNode] = [:]
    for (key, value) in try pairs("this") {
      let name = try key.text("a key")
      guard known.contains(name) else {
        throw key.error("`\(name)` means nothing here", suggestion(for: name, known))
      }
      fields[name] = value
    }
    return fields
  }

  /// A finite number, decimal or hexadecimal, as `Double` reads texts.
  package func number(_ what: String) throws(FileError) -> Double {
    guard let number = Double(try text(what)), number.isFinite else {
      throw error("this is not a number", "write \(what) as a number")
    }
    return number
  }

  /// The enumeration case with this raw value.
  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ what: String, _: Choice.Type = Choice.self
  ) throws(FileError) -> Choice where Choice.RawValue == String {
    let text = try text(what)
    guard let choice = Choice(rawValue: text) else {
      throw error(
        "`\(text)` is not \(what)", suggestion(for: text, Choice.allCases.map(\.rawValue)))
    }
    return choice
  }
}

/// An error in a file that a person wrote, with its position.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// The column in Unicode scalars, counted from 1.
  package var column: Int
  /// What is wrong, without a full stop.
  package var problem: String
  /// What to write instead, without a full stop.
  package var advice: String

  package init(file: String, line: Int, column: Int, problem: String, advice: String) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
    self.advice = advice
  }

  /// The error in the form that editors understand: file, line, column, problem and advice.
  package var description: String { "\(file):\(line):\(column): \(problem); \(advice)" }
}
