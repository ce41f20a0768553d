import LoopTesting
import Testing
import Vocabulary

@testable import EventLoops

/// Connections to the first of several addresses that answers.
@Suite struct AddressRaceTests {
  private static let none = UVError("getaddrinfo", .unknownName)

  private static func address(_ port: UInt16, on test: TestLoop) throws -> SocketAddress {
    try #require(SocketAddress.resolve(host: "127.0.0.1", port: port, on: test.loop).first)
  }

  /// The port of a program whose system answers no further attempts to connect, like a machine that is
  /// down, because as many wait there as it takes.
  private static func silentPort(on test: TestLoop) throws -> (Silence, UInt16) {
    let silence = try Silence(on: test)
    try test.run { silence.port != nil || silence.hasEnded }
    return (silence, try #require(silence.port))
  }

  @Test func `an address that does not answer holds up the next one for a moment only`() throws {
    try TestLoop.run { test in
      let (silence, silentPort) = try Self.silentPort(on: test)
      let acceptor = Acceptor()
      let listener = try acceptor.listen(on: test.loop)
      let addresses = try [silentPort, listener.localPort].map { try Self.address($0, on: test) }
      var connected: ByteStream?
      let start = test.loop.now
      let race = AddressRace(to: addresses, on: test.loop, orElse: Self.none) { result in
        if case .success(let stream) = result { connected = stream }
      }
      try test.run { connected != nil }
      #expect(test.loop.now - start >= .milliseconds(250))
      #expect(connected?.peerAddress == "127.0.0.1:\(listener.localPort)")
      withExtendedLifetime((race, silence)) {}
    }
  }

  @Test func `an address that has been silent goes last, and is taken if there is no other`() throws
  {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      let listeners = try (0..<2).map { _ in try acceptor.listen(on: test.loop) }
      let addresses = try listeners.map { try Self.address($0.localPort, on: test) }
      for (candidates, chosen) in [(addresses, 1), ([addresses[0]], 0)] {
        var connected: ByteStream?
        let race = AddressRace(
          to: candidates, avoiding: addresses[0].text, on: test.loop, orElse: Self.none
        ) { result in
          if case .success(let stream) = result { connected = stream }
        }
        try test.run { connected != nil }
        #expect(connected?.peerAddress == addresses[chosen].text)
        connected?.close()
        withExtendedLifetime(race) {}
      }
      for listener in listeners { listener.close() }
    }
  }

  @Test func `a refusal starts the next one at once, and the last error is told`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      let (first, second) = (try acceptor.listen(on: test.loop), try acceptor.listen(on: test.loop))
      let addresses = try [first, second].map { try Self.address($0.localPort, on: test) }
      first.close()
      for isThere in [true, false] {
        if !isThere { second.close() }
        var results: [Result<ByteStream, UVError>] = []
        _ = AddressRace(to: addresses, on: test.loop, orElse: Self.none) { results.append($0) }
        try test.run { !results.isEmpty }
        switch results.first {
        case .success(let stream):
          #expect(isThere && stream.peerAddress.hasSuffix(":\(second.localPort)"))
        case .failure(let error):
          #expect(!isThere && error == UVError("connect", .connectionRefused))
        case nil: break
        }
      }
    }
  }

  @Test func `without addresses the reason is told, and after cancelling nothing`() throws {
    try TestLoop.run { test in
      var failures: [UVError] = []
      func note(_ result: Result<ByteStream, UVError>) {
        if case .failure(let error) = result { failures.append(error) }
      }
      _ = AddressRace(to: [], on: test.loop, orElse: Self.none, completion: note)
      #expect(failures == [Self.none])
      let (silence, silentPort) = try Self.silentPort(on: test)
      let race = AddressRace(
        to: [try Self.address(silentPort, on: test)], on: test.loop, orElse: Self.none,
        completion: note)
      race.cancel()
      race.cancel()
      try test.run(for: .milliseconds(50))
      #expect(failures == [Self.none])
      withExtendedLifetime(silence) {}
    }
  }
}

/// A program that listens and accepts nobody.
private final class Silence: ChildProcessDelegate {
  private(set) var port: UInt16?
  private(set) var hasEnded = false
  private var text = ""
  private var process: ChildProcess?

  /// Linux answers no further attempt once one more connection waits than `listen` was told.
  private static let script = """
    import socket, sys
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(0)
    waiting = [socket.socket() for _ in range(4)]
    for client in waiting:
        client.setblocking(False)
        client.connect_ex(server.getsockname())
    waiting[0].setblocking(True)
    print(server.getsockname()[1], flush=True)
    sys.stdin.read()
    """

  init(on test: TestLoop) throws {
    process = try ChildProcess(
      executable: "python3", arguments: ["-c", Self.script], input: .piped, output: .piped,
      on: test.loop, delegate: self)
  }

  deinit { process?.close() }

  func childProcess(
    _ process: ChildProcess, didWrite bytes: Span<UInt8>, to output: ChildProcessOutput
  ) {
    for index in bytes.indices { text.append(Character(UnicodeScalar(bytes[index]))) }
    if text.hasSuffix("\n") { port = UInt16(text.dropLast()) }
  }

  func childProcess(_ process: ChildProcess, didEnd output: ChildProcessOutput) {}

  func childProcess(_ process: ChildProcess, didExit ending: ChildProcess.Ending) {
    hasEnded = true
  }
}

@available(*, unavailable)
extension Silence: Sendable {}
