import ClipTesting
import EventLoops
import LoopTesting
import Participation
import Players
import Testing
import Vocabulary

/// An HTTP server that holds back the rest of a file until it is released.
private final class SlowServer: TCPListenerDelegate, ByteStreamDelegate {
  private let file: [UInt8]
  private let first: Int
  private var streams: [ByteStream] = []
  private var waiting: [ByteStream] = []
  private var isReleased = false

  init(_ file: [UInt8], first: Int) {
    self.file = file
    self.first = first
  }

  func release() throws {
    isReleased = true
    for stream in waiting where !stream.isClosed {
      try stream.write(SharedBytes(Array(file[first...])))
    }
  }

  func listener(_ listener: TCPListener, didAccept stream: ByteStream) {
    streams.append(stream)
    do { try stream.start(self) } catch { stream.close() }
  }

  func listener(_ listener: TCPListener, didFail error: UVError) {}

  func byteStream(_ stream: ByteStream, didRead bytes: Span<UInt8>) {
    // Each request arrives in one chunk here, and every response starts at the beginning of the
    // file.
    let header = "HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\nConnection: close\r\n\r\n"
    do throws(StreamError) {
      try stream.write(SharedBytes(header))
      try stream.write(SharedBytes(isReleased ? file : Array(file[..<first])))
      waiting.append(stream)
    } catch {
      stream.close()
    }
  }

  func byteStreamDidEnd(_ stream: ByteStream) { stream.close() }

  func byteStreamDidDrain(_ stream: ByteStream) {}

  func byteStream(_ stream: ByteStream, didFail error: StreamError) {}
}

@Suite struct MpvStallTests {
  @Test func `a source that dries up stalls the player until there is more`() throws {
    try TestLoop.run { test in
      let file = try bytes(of: Clip.shared().withSound, on: test)
      // The first third, about six of the 20 seconds.
      let server = SlowServer(file, first: file.count / 3)
      let listener = try TCPListener(
        host: "127.0.0.1", port: 0, sendBufferBytes: 4 << 20, on: test.loop, delegate: server)
      defer { listener.close() }
      let recorder = PlayerRecorder(test)
      let player = try MpvPlayer(on: test.loop, delegate: recorder)
      defer { player.close() }
      player.load("http://127.0.0.1:\(listener.localPort)/clip.mp4", startingAt: nil)
      try recorder.waitForLoaded()
      player.perform(.play(rate: 4))
      // A busy machine may stall before, and again.
      try test.run {
        let position = recorder.positions.last?.position ?? .zero
        return recorder.words.last == .stalled && position > .seconds(3)
      }
      try server.release()
      try recorder.wait { $0 == .recovered }
      try recorder.wait(positions: 2)
      #expect(recorder.words.dropFirst().first == .unpaused)
      let changes = Array(recorder.words.dropFirst(2))
      let inTurn: [PlayerEvent] = changes.indices.map {
        $0.isMultiple(of: 2) ? .stalled : .recovered
      }
      #expect(changes == inTurn)
    }
  }

  private func bytes(of path: String, on test: TestLoop) throws -> [UInt8] {
    let recorder = OutputRecorder()
    let child = try ChildProcess(
      executable: "cat", arguments: [path], output: .piped, on: test.loop, delegate: recorder)
    defer { child.close() }
    try test.run { recorder.hasEnded }
    return recorder.bytes
  }
}

/// Records what a program writes.
private final class OutputRecorder: ChildProcessDelegate {
  var bytes: [UInt8] = []
  var hasEnded = false

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    for index in bytes.indices { self.bytes.append(bytes[index]) }
  }

  func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) { hasEnded = true }

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {}
}
