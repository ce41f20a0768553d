import EventLoops
import Transports
import WebSocket
import Wire

/// A message in the encodings that its receivers read, each made once.
struct EncodedMessage {
  /// A line of JSON.
  let line: SharedBytes
  /// The same text in a WebSocket's frame.
  private(set) lazy var frame = {
    let text = line.array
    return SharedBytes(WebSocketFrame.text(text.span.extracting(droppingLast: 1)))
  }()

  /// Encodes a message.
  init(_ message: ServerMessage) {
    var encoder = ServerLineEncoder()
    self.init(message, with: &encoder)
  }

  /// Takes a message that another server has encoded as a line of JSON, with its ending.
  init(line: SharedBytes) { self.line = line }

  /// Encodes a message with an encoder that is used for many.
  init(_ message: ServerMessage, with encoder: inout ServerLineEncoder) {
    encoder.encode(message)
    line = SharedBytes(encoder.line)
  }

  /// The line with both characters at its end.
  private lazy var returnedLine = SharedBytes(line.array.dropLast() + "\r\n".utf8)

  /// The bytes for a receiver.
  mutating func bytes(for connection: LineConnection) -> SharedBytes {
    if connection.carriesFrames { return frame }
    return switch connection.lineEnding {
    case .lineFeed: line
    case .carriageReturnLineFeed: returnedLine
    }
  }
}
