extension JSONValue {
  /// The word as the case of an enumeration that is spelled so.
  ///
  /// Inlinable, since unspecialized it looks up its types each time: a tenth of reading an event.
  ///
  /// - Throws: `outOfRange` with every spelling, if it is none of them.
  @inlinable package func choice<Choice>(
    among choices: Choice.Type = Choice.self
  ) throws(DecodingFlaw) -> Choice
  where Choice: RawRepresentable<String> & CaseIterable {
    guard let choice = Choice(rawValue: try string(maximum: .max)) else {
      let spellings = choices.allCases.map { "'\($0.rawValue)'" }
      throw outOfRange(allowed: "one of \(spellings.joined(separator: ", "))")
    }
    return choice
  }
}
