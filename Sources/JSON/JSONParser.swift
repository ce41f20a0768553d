import CSimdjson

/// Parses one JSON text after the other into memory that it reuses.
///
/// It owns simdjson's DOM parser, which validates the whole text (RFC 8259, UTF-8) first. The
/// compiler ensures that views of the text do not outlive the body they are passed to. It is
/// confined to one thread: a loop has one parser for all its connections.
///
/// All memory is allocated at the start, about 15 bytes per byte of `maximumBytes`; the system
/// provides pages only as lines become that long.
@safe package struct JSONParser: ~Copyable {
  private let parser: OpaquePointer
  private let maximumBytes: Int

  /// The deepest nesting of containers: far more than any message needs, and so little that
  /// recursion over a payload cannot overflow the stack.
  package static let maximumDepth = 64

  /// The deepest nesting of containers in what a server wrote.
  ///
  /// Older servers accepted apps' values up to ``maximumDepth``, and wrote them some levels deeper,
  /// into snapshots and reports.
  package static let maximumWrittenDepth = maximumDepth + 16

  /// A parser for texts of at most this many bytes, nested less than `maximumDepth` deep.
  package init(maximumBytes: Int, maximumDepth: Int = JSONParser.maximumDepth) {
    guard let made = unsafe csimdjson_create(maximumBytes, maximumDepth) else {
      preconditionFailure("No memory for a JSON parser of \(maximumBytes) bytes.")
    }
    unsafe parser = made
    self.maximumBytes = maximumBytes
  }

  deinit {
    unsafe csimdjson_destroy(parser)
  }

  /// Parses an object and passes a view of it to the body.
  ///
  /// - Throws: `notJSON` with simdjson's reason, `tooLong`, `wrongType` if the text is not an
  ///   object, and what the body throws.
  package mutating func parse<Result>(
    _ text: Span<UInt8>, _ body: (JSONObject) throws(DecodingFlaw) -> Result
  ) throws(DecodingFlaw) -> Result {
    // Bytes have no padding, so the raw view exposes no uninitialized memory.
    try body(JSONValue(tape: tape(of: unsafe text.bytes), index: JSONTape.root).object())
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
    // The parser owns the document until it parses again, which needs exclusive access to `self`.
    let words = unsafe Span(_unsafeStart: document.tape, count: document.tape_count)
    let strings = unsafe Span(_unsafeStart: document.strings, count: document.strings_count)
    return unsafe _overrideLifetime(JSONTape(words: words, strings: strings), mutating: &self)
  }
}

@available(*, unavailable) extension JSONParser: Sendable {}
