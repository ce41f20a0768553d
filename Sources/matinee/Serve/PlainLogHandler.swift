import Logging
import MatineeTerminal

/// Writes log lines in which text of other people can neither begin a line nor steer a terminal.
///
/// Names of users, devices and campaigns get into the log's metadata.
struct PlainLogHandler: LogHandler {
  private var lines: any LogHandler

  /// A handler that passes the plain text to another one.
  init(_ lines: any LogHandler) { self.lines = lines }

  var logLevel: Logger.Level {
    get { lines.logLevel }
    set { lines.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { lines.metadata }
    set { lines.metadata = newValue.mapValues(\.plain) }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { lines[metadataKey: key] }
    set { lines[metadataKey: key] = newValue?.plain }
  }

  func log(event: LogEvent) {
    var event = event
    event.message = "\(event.message.description.onOneLine)"
    event.metadata = event.metadata?.mapValues(\.plain)
    lines.log(event: event)
  }
}

extension Logger.MetadataValue {
  fileprivate var plain: Logger.MetadataValue { "\(description.onOneLine)" }
}
