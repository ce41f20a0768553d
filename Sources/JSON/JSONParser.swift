import CSimdjson

/// Parses JSON texts, one after the other, into memory that it owns and uses again.
///
/// It owns simdjson's parser, whose `DOM` validates the whole text (RFC 8259, UTF-8) before the
/// first field is looked at. Views of the text cannot outlive the body that they are given to, the
/// compiler sees to that. Confined to one thread: a loop keeps one for all its connections.
///
/// All memory is allocated at the start, about 15 bytes for each of `maximumBytes`; pages are
/// touched only as lines get that long.
@safe package struct JSONParser: ~Copyable {
  private let parser: OpaquePointer
  private let maximumBytes: Int

  /// Containers that may stand inside one another: far more than any message needs, and few
  /// enough that whoever walks a payload by recursion never runs out of stack.
  package static let maximumDepth = 64

  /// A parser for texts of at most this many bytes.
  package init(maximumBytes: Int) {
    guard let made = unsafe csimdjson_create(maximumBytes, Self.maximumDepth) else {
      preconditionFailure("No memory for a JSON parser of \(maximumBytes) bytes.")
    }
    unsafe parser = made
    self.maximumBytes = maximumBytes
  }

  deinit {
    unsafe csimdjson_destroy(parser)
  }

  /// What the body makes of the object that this text holds; the view ends with the body.
  ///
  /// - Throws: `notJSON` with simdjson's reason, `tooLong`, `wrongType` if it is no object, and
  ///   what the body throws.
  package mutating func parse<Result>(
    _ text: RawSpan, _ body: (JSONObject) throws(DecodingFlaw) -> Result
  ) throws(DecodingFlaw) -> Result {
    try body(root(of: text))
  }

  /// What the body makes of the object that these bytes hold; the view ends with the body.
  package mutating func parse<Result>(
    _ text: Span<UInt8>, _ body: (JSONObject) throws(DecodingFlaw) -> Result
  ) throws(DecodingFlaw) -> Result {
    // Bytes have no padding, so the raw view shows nothing that was not written.
    try body(root(of: unsafe text.bytes))
  }

  @_lifetime(&self)
  private mutating func root(of text: RawSpan) throws(DecodingFlaw) -> JSONObject {
    try JSONValue(tape: tape(of: text), index: JSONTape.root).object()
  }

  @_lifetime(&self)
  private mutating func tape(of text: RawSpan) throws(DecodingFlaw) -> JSONTape {
    guard text.byteCount <= maximumBytes else {
      throw .tooLong(field: "", limit: maximumBytes)
    }
    let document = unsafe text.withUnsafeBytes { bytes in
      unsafe csimdjson_parse(
        parser, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
    if let flaw = unsafe document.flaw {
      throw .notJSON(reason: unsafe String(cString: flaw))
    }
    // The document is the parser's, and the parser parses again only through `self`.
    let words = unsafe Span(_unsafeStart: document.tape, count: document.tape_count)
    let strings = unsafe Span(_unsafeStart: document.strings, count: document.strings_count)
    return unsafe _overrideLifetime(JSONTape(words: words, strings: strings), mutating: &self)
  }
}

@available(*, unavailable) extension JSONParser: Sendable {}
