/// Which part of a content a client is sent (RFC 9110, section 14); browsers seek in videos so.
package enum ByteRange: Equatable, Sendable {
  /// 200 with everything, also to what is no single range of bytes: that is always allowed.
  case whole
  /// 206 with these bytes.
  case part(Range<Int>)
  /// 416: the content does not reach that far.
  case unsatisfiable

  /// Judges a request.
  ///
  /// - Parameters:
  ///   - size: how many bytes the content has.
  ///   - tag: the content's.
  package init(askedBy request: HTTPRequest, size: Int, tag: EntityTag) {
    guard request.method == .get, let range = request.fields["range"],
      request.fields["if-range"].map(tag.isContinued) ?? true
    else {
      self = .whole
      return
    }
    self.init(range, size: size)
  }

  /// Reads a `Range`: `bytes=N-M`, `bytes=N-` or `bytes=-N`.
  init(_ field: String, size: Int) {
    let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    self = .whole
    guard parts.count == 2, parts[0].trimmingSpaces.lowercased() == "bytes" else { return }
    let ends = parts[1].trimmingSpaces.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, let last?) where first <= last:
      self = Self.bytes(from: first, to: last, of: size)
    case (let first?, nil) where ends[1].isEmpty:
      self = Self.bytes(from: first, to: .max, of: size)
    case (nil, let count?) where ends[0].isEmpty:
      // Of an empty content, all is its end, and no part can be named.
      let end: ByteRange = size > 0 ? .part(max(0, size - count)..<size) : .whole
      self = count > 0 ? end : .unsatisfiable
    default: break
    }
  }

  private static func bytes(from first: Int, to last: Int, of size: Int) -> ByteRange {
    first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
  }

  /// A number of digits only; one that is too large is as large as any content.
  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(text) ?? .max
  }

  /// The status of the answer.
  package var status: HTTPStatus {
    switch self {
    case .whole: .ok
    case .part: .partialContent
    case .unsatisfiable: .rangeNotSatisfiable
    }
  }

  /// The value of `Content-Range`; `nil` where that does not belong.
  package func contentRange(size: Int) -> String? {
    switch self {
    case .whole: nil
    case .part(let bytes): "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(size)"
    case .unsatisfiable: "bytes */\(size)"
    }
  }
}
