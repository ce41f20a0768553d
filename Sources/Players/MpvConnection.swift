import EventLoops
import JSON
import Wire

/// Receives the messages of an ``MpvConnection``, on its loop's thread, until it is closed.
protocol MpvConnectionDelegate: AnyObject {
  func connection(_ connection: MpvConnection, didReceive message: MpvMessage)

  /// mpv closed the connection or broke the protocol; the connection is closed now.
  func connectionDidEnd(_ connection: MpvConnection)
}

/// mpv's JSON IPC over a connected stream (mpv 0.35 manual, "JSON IPC").
///
/// Confined to its loop's thread. It keeps its delegate until it is closed.
final class MpvConnection: ByteStreamDelegate {
  private let stream: ByteStream
  private var delegate: (any MpvConnectionDelegate)?
  private var splitter = LineSplitter(maximumLineBytes: MpvConnection.lineBytesMaximum)
  private var parser = JSONParser(maximumBytes: MpvConnection.lineBytesMaximum)
  private var writer = JSONWriter()

  /// The lines used here have about 200 bytes; a longer one is discarded.
  private static let lineBytesMaximum = 64 * 1024

  /// Starts reading.
  ///
  /// - Throws: the system's error if the stream is already broken.
  init(_ stream: ByteStream, delegate: any MpvConnectionDelegate) throws(UVError) {
    self.stream = stream
    self.delegate = delegate
    do throws(UVError) {
      try stream.start(self)
    } catch {
      close()
      throw error
    }
  }

  /// Sends a command; a broken connection reports its end instead of an error here.
  func send(_ command: MpvCommand, id: Int64) {
    command.write(id: id, to: &writer)
    defer { writer.removeAll() }
    do throws(StreamError) {
      try stream.write(SharedBytes(writer.bytes))
    } catch {
      // The other side is gone, so its end will be read next.
    }
  }

  /// Closes the connection; a second call does nothing.
  func close() {
    delegate = nil
    stream.close()
  }

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    // Moved out, because the delegate's code may call back here.
    var splitter = LineSplitter(maximumLineBytes: Self.lineBytesMaximum)
    swap(&splitter, &self.splitter)
    splitter.split(bytes) { line in
      if delegate != nil { take(line) }
    } onOverlongLine: {
      // No message used here is that long.
    }
    self.splitter = splitter
  }

  func byteStreamDidEnd(_ stream: ByteStream) { end() }

  func byteStream(_ stream: ByteStream, didFail error: StreamError) { end() }

  private func take(_ line: Span<UInt8>) {
    let message: MpvMessage
    do throws(DecodingFlaw) {
      message = try parser.parse(line) { (object) throws(DecodingFlaw) in try MpvMessage(object) }
    } catch .notJSON {
      // mpv passes on file names and tags unchanged, and some are not UTF-8.
      return
    } catch {
      return end()
    }
    delegate?.connection(self, didReceive: message)
  }

  private func end() {
    let delegate = delegate
    close()
    delegate?.connectionDidEnd(self)
  }
}

@available(*, unavailable)
extension MpvConnection: Sendable {}
