import EventLoops
import HTTP
import LoopTesting
import Testing
import Transports
import Vocabulary

@Suite struct HTTPConnectionTests {
  /// A connection under test that answers each path with its own text, and the client's stream.
  private final class Scene: HTTPConnectionDelegate {
    let list: HTTPConnectionList
    let client: StreamRecorder
    var connection: HTTPConnection?
    var paths: [String] = []
    var leftCount = 0
    var answersAtOnce = true
    var content = SharedBytes("content")

    init(_ test: TestLoop, limits: HTTPConnectionLimits = HTTPConnectionLimits()) throws {
      list = HTTPConnectionList(on: test.loop, limits: limits)
      let (client, server) = try Acceptor.pair(on: test)
      self.client = try StreamRecorder(client)
      connection = try HTTPConnection(server, in: list, delegate: self)
    }

    func say(_ text: String) throws {
      try client.stream.write(SharedBytes(text.replacing("\n", with: "\r\n")))
    }

    /// The status lines that the client got.
    var statuses: [String] {
      client.text.matches(of: #/HTTP/1\.1 [^\r]*/#).map { String($0.output) }
    }

    func connection(_ connection: HTTPConnection, didReceive request: HTTPRequest) {
      paths.append(request.target.path)
      if answersAtOnce { answer() }
    }

    func answer() { connection?.answer(HTTPResponse(.ok), content) }

    func connectionDidLeave(_ connection: HTTPConnection) { leftCount += 1 }
  }

  private static func get(_ path: String, _ fields: String = "") -> String {
    "GET \(path) HTTP/1.1\nHost: h\n\(fields)\n"
  }

  @Test func `requests that are sent ahead are answered in order`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      scene.answersAtOnce = false
      try scene.say(Self.get("/a") + Self.get("/b") + Self.get("/c"))
      try test.run { scene.paths == ["/a"] }
      for path in ["/b", "/c"] {
        scene.answer()
        try test.run { scene.paths.last == path }
      }
      scene.answer()
      try test.run { scene.statuses.count == 3 }
      #expect(scene.leftCount == 0 && scene.list.count == 1)
    }
  }

  @Test func `a thousand requests in one write nest no calls`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      try scene.say(String(repeating: Self.get("/x"), count: 1_000))
      try test.run { scene.statuses.count == 1_000 }
    }
  }

  @Test func `only the head answers HEAD, with the length that there would be`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      try scene.say("HEAD /a HTTP/1.1\nHost: h\n\n" + Self.get("/b"))
      try test.run { scene.statuses.count == 2 && scene.client.text.hasSuffix("content") }
      #expect(scene.client.text.split(separator: "Content-Length: 7\r\n").count == 3)
      #expect(
        scene.client.text.split(separator: "content", omittingEmptySubsequences: false).count == 2)
    }
  }

  @Test(arguments: ["GET /a HTTP/1.1\nHost: h\nConnection: close\n\n", "GET /a HTTP/1.0\n\n"])
  func `a client that asks for it is hung up on behind the answer`(request: String) throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      try scene.say(request)
      try test.run { scene.client.hasEnded }
      #expect(scene.client.text.hasSuffix("content"))
      scene.client.stream.close()
      try test.run { scene.leftCount == 1 }
      #expect(scene.list.count == 0)
    }
  }

  @Test func `what is no request is answered, and ends the connection`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      try scene.say(Self.get("/a") + "nonsense\n\n" + Self.get("/b"))
      try test.run { scene.client.hasEnded }
      #expect(scene.paths == ["/a"])
      #expect(scene.statuses == ["HTTP/1.1 200 OK", "HTTP/1.1 400 Bad Request"])
    }
  }

  @Test func `a client that does not read is not read either`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      scene.content = SharedBytes([UInt8](repeating: 120, count: 4 * 1024 * 1024))
      scene.client.stream.pauseReading()
      try scene.say(Self.get("/a") + Self.get("/b"))
      try test.run { scene.paths.count == 1 }
      scene.client.stream.resumeReading()
      scene.client.keepsBytes = false
      try test.run { scene.paths == ["/a", "/b"] && scene.client.receivedCount > 8 * 1024 * 1024 }
    }
  }

  @Test func `who does not read is not waited for when the server stops`() throws {
    try TestLoop.run { test in
      var limits = HTTPConnectionLimits()
      limits.drainTime = .milliseconds(1)
      let scene = try Scene(test, limits: limits)
      scene.content = SharedBytes([UInt8](repeating: 120, count: 4 * 1024 * 1024))
      scene.client.stream.pauseReading()
      try scene.say(Self.get("/a"))
      try test.run { scene.paths.count == 1 }
      scene.list.finish()
      try test.run { scene.leftCount == 1 }
    }
  }

  /// A content whose pieces are given when the test wants it.
  private final class Film: HTTPContent {
    let count = 8
    private(set) var waiting: [(HTTPPiece) -> Void] = []
    private(set) var asked = 0

    func next(_ give: @escaping (HTTPPiece) -> Void) {
      asked += 1
      waiting.append(give)
    }

    func give(_ piece: HTTPPiece) { waiting.removeFirst()(piece) }
  }

  @Test func `the next piece of a film is fetched when the one before it is sent, and once`() throws
  {
    try TestLoop.run { test in
      let scene = try Scene(test)
      scene.answersAtOnce = false
      try scene.say(Self.get("/film"))
      try test.run { scene.paths == ["/film"] }
      let (film, connection) = (Film(), try #require(scene.connection))
      connection.answer(HTTPResponse(.ok), streaming: film)
      // The kernel says once more that it has taken everything.
      connection.byteStreamDidDrain(connection.stream)
      #expect(film.asked == 1)
      film.give(.bytes(SharedBytes("1234")))
      connection.byteStreamDidDrain(connection.stream)
      #expect(film.asked == 2)
      film.give(.last(SharedBytes("5678")))
      try test.run { scene.client.text.hasSuffix("\r\n\r\n12345678") }
      #expect(film.asked == 2)
    }
  }

  @Test func `a film that is being opened when the server stops is not sent`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      scene.answersAtOnce = false
      try scene.say(Self.get("/film"))
      try test.run { scene.paths == ["/film"] }
      scene.list.finish()
      #expect(scene.leftCount == 0, "its answer may be short")
      let film = Film()
      scene.connection?.answer(HTTPResponse(.ok), streaming: film)
      #expect(film.asked == 0 && scene.leftCount == 1)
      try test.run { scene.client.hasEnded || !scene.client.errors.isEmpty }
    }
  }

  /// Whose deadline passes is closed without an answer.
  @Test(arguments: ["", "GET / HT", "GET / HTTP/1.1\nHost: h\n", "GET / HTTP/1.1\nHost: h\n\n"])
  func `who takes too long is hung up on`(text: String) throws {
    try TestLoop.run { test in
      var limits = HTTPConnectionLimits()
      limits.requestTime = .milliseconds(1)
      limits.idleTime = .milliseconds(1)
      let scene = try Scene(test, limits: limits)
      if !text.isEmpty { try scene.say(text) }
      try test.run { scene.client.hasEnded || !scene.client.errors.isEmpty }
      #expect(scene.leftCount == 1 && scene.list.count == 0)
    }
  }

  @Test func `the connection that has waited longest makes room`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test, limits: HTTPConnectionLimits(connections: 1))
      #expect(scene.list.makeRoom())
      try test.run { scene.client.hasEnded || !scene.client.errors.isEmpty }
      let busy = try Scene(test, limits: HTTPConnectionLimits(connections: 1))
      busy.answersAtOnce = false
      try busy.say(Self.get("/a"))
      try test.run { busy.paths == ["/a"] }
      #expect(!busy.list.makeRoom())
    }
  }

  @Test func `behind an upgrade the bytes are the other protocol's`() throws {
    try TestLoop.run { test in
      let scene = try Scene(test)
      scene.answersAtOnce = false
      try scene.say(Self.get("/a") + "other")
      try test.run { scene.paths == ["/a"] }
      let stream = try #require(scene.connection?.stream)
      let rest = scene.connection?.upgrade(HTTPResponse(.switchingProtocols))
      #expect(rest == Array("other".utf8))
      #expect(scene.leftCount == 1 && scene.list.count == 0)
      let other = try StreamRecorder(stream)
      try scene.say("more")
      try test.run { other.text == "more" && scene.statuses.count == 1 }
    }
  }
}
