extension JSONValue {
  /// Appends the value as minified text.
  ///
  /// - Throws: `notJSON` at a string that is no Unicode; see ``text(_:)``.
  func write(to writer: inout JSONWriter) throws(DecodingFlaw) {
    switch tape.letter(at: index) {
    case UInt8(ascii: "{"):
      writer.beginObject()
      try JSONObject(value: self).forEachField(nameMaximum: .max) {
        (name, value) throws(DecodingFlaw) in
        writer.name(name)
        try value.write(to: &writer)
      }
      writer.endObject()
    case UInt8(ascii: "["):
      writer.beginArray()
      try JSONArray(value: self).forEach { (element) throws(DecodingFlaw) in
        try element.write(to: &writer)
      }
      writer.endArray()
    case UInt8(ascii: "\""): writer.element(try text(tape.string(at: index)))
    case UInt8(ascii: "l"): writer.element(Int64(bitPattern: tape.words[index + 1]))
    case UInt8(ascii: "u"): writer.element(tape.words[index + 1])
    case UInt8(ascii: "d"): writer.element(Double(bitPattern: tape.words[index + 1]))
    case UInt8(ascii: "t"): writer.element(true)
    case UInt8(ascii: "f"): writer.element(false)
    default: writer.elementNull()
    }
  }
}
