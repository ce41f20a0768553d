import EventLoops
import LoopTesting
import Testing

@Suite struct TCPListenerTests {
  @Test func `an address in use is named, with what to do`() throws {
    try TestLoop.run { test in
      let first = try Acceptor().listen(on: test.loop)
      let error = #expect(throws: EndpointError.self) {
        _ = try TCPListener(
          host: "127.0.0.1", port: first.localPort, on: test.loop, delegate: Acceptor())
      }
      #expect(error?.cause == .system(UVError("bind", .addressInUse)))
      #expect(
        error?.description == """
          cannot listen on 127.0.0.1:\(first.localPort): bind: EADDRINUSE: \
          address already in use; stop the program that listens there, or choose another port
          """)
    }
  }

  @Test func `an address of another machine is refused`() throws {
    try TestLoop.run { test in
      // 192.0.2.0/24 is reserved for documentation (RFC 5737), so no interface has the address.
      let error = #expect(throws: EndpointError.self) {
        _ = try Acceptor().listen(on: test.loop, host: "192.0.2.1")
      }
      #expect(error?.cause == .system(UVError("bind", .addressNotAvailable)))
    }
  }

  @Test(arguments: ["300.1.1.1", "no such host", ""])
  func `a bad address is refused`(host: String) throws {
    try TestLoop.run { test in
      let error = #expect(throws: EndpointError.self) {
        _ = try Acceptor().listen(on: test.loop, host: host)
      }
      #expect(error?.cause.description.hasPrefix("getaddrinfo: ") == true)
    }
  }

  @Test func `the address for all takes both families`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      let listener = try acceptor.listen(on: test.loop, host: "::")
      let four = try Acceptor.connect(to: listener, host: "127.0.0.1", on: test)
      let six = try Acceptor.connect(to: listener, host: "::1", on: test)
      try test.run { acceptor.streams.count == 2 }
      #expect(four.peerAddress == "127.0.0.1:\(listener.localPort)")
      #expect(six.peerAddress == "[::1]:\(listener.localPort)")
      #expect(listener.localEndpoint == "[::]:\(listener.localPort)")
      #expect(acceptor.streams.map(\.peerHost).sorted() == ["127.0.0.1", "::1"])
      #expect(four.peerHost == "127.0.0.1")
      four.close()
      #expect(four.peerHost == "closed")
    }
  }

  @Test func `a closed listener accepts nobody, and what it accepted lives on`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      let listener = try acceptor.listen(on: test.loop)
      let port = listener.localPort
      let client = try Acceptor.connect(to: listener, on: test)
      try test.run { !acceptor.streams.isEmpty }
      listener.close()
      listener.close()
      #expect(listener.localPort == 0)
      let atServer = try StreamRecorder(acceptor.streams[0])
      try client.write(SharedBytes("on"))
      try test.run { atServer.text == "on" }

      var error: EndpointError?
      _ = try ConnectAttempt(host: "127.0.0.1", port: port, on: test.loop) { result in
        if case .failure(let failure) = result { error = failure }
      }
      try test.run { error != nil }
      #expect(error?.cause.code == .connectionRefused)
    }
  }
}
