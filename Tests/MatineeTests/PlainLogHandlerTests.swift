import Logging
import Testing
import Vocabulary

@testable import matinee

/// What the server's log shows of names that people chose.
@Suite struct PlainLogHandlerTests {
  /// Keeps the events that reach it.
  private final class Recorder: LogHandler, @unchecked Sendable {
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]
    var events: [LogEvent] = []

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { events.append(event) }
  }

  @Test func `a name in the log neither begins a line nor steers a terminal`() {
    let recorder = Recorder()
    var log = Logger(label: "test") { _ in PlainLogHandler(recorder) }
    log[metadataKey: "peer"] = "a\u{1B}[2J"
    log.warning("one\ntwo", metadata: ["user": "Eve\u{9B}31m\n\u{202E}x", "list": ["a\n"]])
    #expect(recorder.metadata["peer"] == "a[2J")
    let event = recorder.events.first
    #expect(event?.message.description == "one two")
    #expect(event?.metadata?["user"] == "Eve31m x")
    #expect(event?.metadata?["list"]?.description.contains("\n") == false)
  }
}
