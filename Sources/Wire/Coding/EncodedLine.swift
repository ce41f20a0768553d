import JSON

/// The message as the bytes of one line, its line feed included: to be encoded once and sent to
/// any number of peers.
package func encode(_ message: ServerMessage) -> [UInt8] {
  line(message)
}

/// The message as the bytes of one line, its line feed included.
package func encode(_ message: ClientMessage) -> [UInt8] {
  line(message)
}

private func line(_ message: some JSONWritable) -> [UInt8] {
  // Most messages are shorter; the array that grows here is the one that is sent.
  var writer = JSONWriter(capacity: 256)
  message.write(to: &writer)
  writer.endLine()
  return writer.bytes
}
