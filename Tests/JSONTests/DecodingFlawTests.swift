import JSON
import Testing

@Suite struct DecodingFlawTests {
  @Test(
    arguments: [
      (.notJSON(reason: "Why."), "The line is not valid JSON: Why."),
      (.missing(field: "a.b"), "The field 'a.b' is missing."),
      (.wrongType(field: "a", expected: .integer), "The field 'a' must be an integer."),
      (.wrongType(field: "", expected: .object), "The line must be an object."),
      (
        .outOfRange(field: "a", allowed: "between 0 and 1"),
        "The field 'a' must be between 0 and 1."
      ),
      (.tooLong(field: "", limit: 9), "The line is longer than the allowed 9."),
    ] as [(DecodingFlaw, String)])
  func `a flaw says what is wrong, where, and what would be right`(
    flaw: DecodingFlaw, sentence: String
  ) {
    #expect(flaw.description == sentence)
  }
}
