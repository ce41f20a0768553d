extension JSONTape {
  /// The way from the outermost value to the one at a place, such as `queue[2].item`.
  ///
  /// - Parameter name: A field of that value, there or not.
  func path(to target: Int, then name: String? = nil) -> String {
    var path = ""
    var container = Self.root
    while container != target, let step = step(from: container, towards: target) {
      if letter(at: container) == UInt8(ascii: "[") {
        path += "[\(step.position)]"
      } else {
        path += path.isEmpty ? key(before: step.child) : "." + key(before: step.child)
      }
      container = step.child
    }
    guard let name else { return path }
    return path.isEmpty ? name : path + "." + name
  }

  /// The child of a container in which the target stands, and its position among the children.
  private func step(from container: Int, towards target: Int) -> (child: Int, position: Int)? {
    let isObject = letter(at: container) == UInt8(ascii: "{")
    guard isObject || letter(at: container) == UInt8(ascii: "[") else { return nil }
    let contents = contents(of: container)
    var child = contents.lowerBound + (isObject ? 1 : 0)
    var position = 0
    while child < contents.upperBound {
      let end = end(of: child)
      if target < end { return (child, position) }
      child = end + (isObject ? 1 : 0)
      position += 1
    }
    return nil
  }

  /// The name of the field whose value stands at a place, shortened so that an error stays one.
  private func key(before child: Int) -> String {
    let name = string(at: child - 1)
    let maximum = 64
    guard name.count <= maximum else {
      return String(decodingRepaired: name.extracting(first: maximum)) + "…"
    }
    return String(decodingRepaired: name)
  }
}

extension String {
  /// The bytes as text, with U+FFFD for what is no UTF-8.
  fileprivate init(decodingRepaired bytes: Span<UInt8>) {
    self.init(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}
