import JSON

/// What the body reads from a line, with a parser of its own.
func read<Result>(
  _ text: String, _ body: (JSONObject) throws(DecodingFlaw) -> Result
) throws(DecodingFlaw) -> Result {
  var parser = JSONParser(maximumBytes: 100_000)
  return try parser.parse(text.utf8.span, body)
}

/// The flaw at which the body fails, or nil if it does not.
func flaw(
  _ text: String, _ body: (JSONObject) throws(DecodingFlaw) -> Void
) -> DecodingFlaw? {
  do throws(DecodingFlaw) {
    try read(text, body)
    return nil
  } catch {
    return error
  }
}
