import JSON
import Naming
import Vocabulary
import Wire

/// The line without its ending.
func text(of message: ClientMessage) -> String {
  String(decoding: encode(message).dropLast(), as: UTF8.self)
}

/// The line without its ending.
func text(of message: ServerMessage) -> String {
  String(decoding: encode(message).dropLast(), as: UTF8.self)
}

/// What a server with these limits reads.
func clientMessage(
  _ line: String, limits: Limits = Limits()
) throws(MalformedLine) -> ClientMessage {
  var decoder = ClientLineDecoder(limits: limits)
  return try decoder.decode(Array(line.utf8).span)
}

/// What a client reads.
func serverMessage(_ line: String) throws(MalformedLine) -> ServerMessage {
  var decoder = ServerLineDecoder(maximumBytes: 1 << 20)
  return try decoder.decode(Array(line.utf8).span)
}

/// Why a server with these limits refuses a line; `nil` if it takes it.
func refusal(of line: String, limits: Limits = Limits()) -> MalformedLine? {
  do throws(MalformedLine) {
    _ = try clientMessage(line, limits: limits)
    return nil
  } catch {
    return error
  }
}

/// What the body reads of a value that was written.
func read<Value>(
  _ value: some JSONWritable, _ body: (JSONObject) throws(DecodingFlaw) -> Value
) throws(DecodingFlaw) -> Value {
  var writer = JSONWriter()
  value.write(to: &writer)
  var parser = JSONParser(maximumBytes: 1 << 20)
  return try parser.parse(writer.bytes.span, body)
}
