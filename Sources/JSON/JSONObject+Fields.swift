package import Vocabulary

/// Each type of field twice: one that must be there, and one that may be absent or null.
extension JSONObject {
  /// The string in a field, of at most `maximum` bytes of UTF-8.
  package func string(_ name: String, maximum: Int) throws(DecodingFlaw) -> String {
    try value(name).string(maximum: maximum)
  }

  /// The string in a field, or nil if it is absent.
  package func optionalString(_ name: String, maximum: Int) throws(DecodingFlaw) -> String? {
    try optionalValue(name)?.string(maximum: maximum)
  }

  /// The whole number in a field; see ``JSONValue/int64(in:)``.
  package func int64(
    _ name: String, in range: ClosedRange<Int64> = .min ... .max
  ) throws(DecodingFlaw) -> Int64 {
    try value(name).int64(in: range)
  }

  /// The whole number in a field, or nil if it is absent.
  package func optionalInt64(
    _ name: String, in range: ClosedRange<Int64> = .min ... .max
  ) throws(DecodingFlaw) -> Int64? {
    try optionalValue(name)?.int64(in: range)
  }

  /// The whole number in a field, as `Int`.
  package func int(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(DecodingFlaw) -> Int {
    Int(try value(name).int64(in: Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  /// The whole number in a field, as `Int`, or nil if it is absent.
  package func optionalInt(
    _ name: String, in range: ClosedRange<Int> = .min ... .max
  ) throws(DecodingFlaw) -> Int? {
    guard let number = optionalValue(name) else { return nil }
    return Int(try number.int64(in: Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  /// The number in a field.
  package func double(
    _ name: String,
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) throws(DecodingFlaw) -> Double {
    try value(name).double(in: range)
  }

  /// The number in a field, or nil if it is absent.
  package func optionalDouble(
    _ name: String,
    in range: ClosedRange<Double> = -.greatestFiniteMagnitude ... .greatestFiniteMagnitude
  ) throws(DecodingFlaw) -> Double? {
    try optionalValue(name)?.double(in: range)
  }

  /// The truth value in a field.
  package func bool(_ name: String) throws(DecodingFlaw) -> Bool {
    try value(name).bool()
  }

  /// The truth value in a field, or nil if it is absent.
  package func optionalBool(_ name: String) throws(DecodingFlaw) -> Bool? {
    try optionalValue(name)?.bool()
  }

  /// The object in a field.
  @_lifetime(copy self)
  package func object(_ name: String) throws(DecodingFlaw) -> JSONObject {
    try value(name).object()
  }

  /// The object in a field, or nil if it is absent.
  @_lifetime(copy self)
  package func optionalObject(_ name: String) throws(DecodingFlaw) -> JSONObject? {
    guard let found = optionalValue(name) else { return nil }
    return try found.object()
  }

  /// The array in a field, of at most `maximum` elements.
  @_lifetime(copy self)
  package func array(_ name: String, maximum: Int) throws(DecodingFlaw) -> JSONArray {
    try value(name).array(maximum: maximum)
  }

  /// The array in a field, or nil if it is absent.
  @_lifetime(copy self)
  package func optionalArray(
    _ name: String, maximum: Int
  ) throws(DecodingFlaw) -> JSONArray? {
    guard let found = optionalValue(name) else { return nil }
    return try found.array(maximum: maximum)
  }

  /// Whatever is in a field, as text of at most `maximum` bytes; see ``JSONValue/rawJSON(maximum:)``.
  package func rawJSON(_ name: String, maximum: Int) throws(DecodingFlaw) -> JSONText {
    try value(name).rawJSON(maximum: maximum)
  }

  /// Whatever is in a field, as text, or nil if it is absent.
  package func optionalRawJSON(
    _ name: String, maximum: Int
  ) throws(DecodingFlaw) -> JSONText? {
    try optionalValue(name)?.rawJSON(maximum: maximum)
  }

  /// The word in a field, as the case of an enumeration that is spelled so.
  ///
  /// - Throws: `outOfRange` with every spelling, if it is none of them.
  @inlinable package func choice<Choice>(
    _ name: String, among choices: Choice.Type = Choice.self
  ) throws(DecodingFlaw) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    try value(name).choice(among: choices)
  }

  /// The case of an enumeration in a field, or nil if it is absent.
  @inlinable package func optionalChoice<Choice>(
    _ name: String, among choices: Choice.Type = Choice.self
  ) throws(DecodingFlaw) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    try optionalValue(name)?.choice(among: choices)
  }
}
