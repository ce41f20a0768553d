import JSON

// A State is written in parts: of them there are as many as of all other lines together a hundred
// times, and two of the parts are the same for all who are told at the same moment.

extension SyncplayServerState {
  /// Writes how it begins: the same for all who are told at the same instant.
  func writeStamp(to writer: inout JSONWriter) {
    writer.fixed(#"{"State":{"ping":{"latencyCalculation":"#)
    stamp.write(to: &writer)
  }

  func writePing(to writer: inout JSONWriter) {
    if let echoed {
      writer.fixed(#","clientLatencyCalculation":"#)
      echoed.write(to: &writer)
    }
    writer.fixed(#","serverRtt":"#)
    roundTrip.write(to: &writer)
  }

  /// Writes where the room is: the same for all in it who are told at the same instant.
  func writePlace(to writer: inout JSONWriter) {
    writer.fixed(#"},"playstate":{"position":"#)
    position.write(to: &writer)
    writer.fixed(isPaused ? #","paused":true,"# : #","paused":false,"#)
    writer.fixed(isSeek ? #""doSeek":true,"setBy":"# : #""doSeek":false,"setBy":"#)
    if let setBy { writer.string(setBy) } else { writer.elementNull() }
    writer.endObject()
  }

  /// Writes which changes it is about, and ends it.
  func writeCounters(to writer: inout JSONWriter) {
    if serverIgnoring != nil || clientIgnoring != nil {
      writer.object("ignoringOnTheFly") { writer in
        writer.field("server", serverIgnoring)
        writer.field("client", clientIgnoring)
      }
    }
    writer.endObject()
    writer.endObject()
  }
}
