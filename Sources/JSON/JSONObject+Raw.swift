package import Vocabulary

extension JSONObject {
  /// The whole object as minified text of at most `maximum` bytes; see ``JSONValue/rawJSON(maximum:)``.
  package func rawJSON(maximum: Int) throws(DecodingFlaw) -> JSONText {
    try value.rawJSON(maximum: maximum)
  }
}
