import EventLoops
import HTTPRequests
import PushTesting
import Testing

/// Requests to a server of the tests' own on loopback.
@Suite(.timeLimit(.minutes(30))) struct HTTPClientTests {
  @Test func `an answer has its status, its fields and its body`() async throws {
    let reply = PushReply.answer(404, fields: ["Retry-After": "7", "x-answer": "a, b"], body: "no")
    try await withServer(reply: { _ in reply }) { server, client in
      let request = server.request { $0.fields = [(name: "x-question", value: "a: b")] }
      let answer = try await client.post(request).get()
      #expect(answer.status == 404)
      #expect(answer.fields["retry-after"] == "7" && answer.fields["x-answer"] == "a, b")
      #expect(answer.body == Array("no".utf8))
      let received = try #require(server.received.first)
      #expect(received.method == "POST" && received.path == "/a/../b?c=%20")
      #expect(received.fields["x-question"] == "a: b")
      #expect(received.body == Array("question".utf8))
      #expect(received.fields["content-length"] == "8" && received.fields["expect"] == nil)
    }
  }

  @Test func `of a long body, the beginning is read`() async throws {
    let body = String(repeating: "x", count: 100_000)
    try await withServer {
      $0.longestBody = 1_000
    } reply: { _ in
      .answer(200, body: body)
    } _: { server, client in
      let answer = try await client.post(server.request()).get()
      #expect(answer.status == 200 && answer.body.count == 1_000)
    }
  }

  @Test func `a stop ends all requests, and there are no more`() async throws {
    try await withServer(reply: { _ in .silence }) { server, client in
      async let first = client.post(server.request())
      async let second = client.post(server.request())
      await server.hasReceived(2)
      await client.stop()
      #expect(await first == .failure(.stopped))
      #expect(await second == .failure(.stopped))
      #expect(await client.post(server.request()) == .failure(.stopped))
      await server.hasClosed(2)
      #expect(server.connections == 2)
    }
  }

  @Test(arguments: [
    "http://127.0.0.1:1/", "ftp://127.0.0.1/", "file:///etc/passwd", "127.0.0.1", "",
  ])
  func `what is not https is refused unless it is allowed`(url: String) async throws {
    let client = try RunningClient(HTTPClientSettings())
    let result = await client.post(OutgoingRequest(url: url))
    if case .failure(.failed) = result {} else { Issue.record("\(result)") }
    await client.close()
  }

  @Test func `a server without HTTP/2 gets nothing where it is needed`() async throws {
    let certificate = try TestCertificate(name: "push.example.net")
    let folder = try PrivateDirectory(prefix: "matinee-http-")
    defer { folder.remove(files: ["ca.pem"]) }
    _ = try PrivateFile.make(folder.path(of: "ca.pem"), Array(certificate.pem.utf8))
    for (speech, isFine) in [
      (LocalPushService.Speech.secure(certificate), true), (.secureHTTP1(certificate), false),
    ] {
      try await withServer(speech) {
        $0.needsHTTP2 = true
        $0.authorities = folder.path(of: "ca.pem")
      } _: { server, client in
        let request = server.request {
          $0.url = $0.url.replacing("http:", with: "https:")
        }
        switch await client.post(request) {
        case .success(let answer): #expect(isFine && answer.status == 200)
        case .failure(let trouble): #expect(!isFine && trouble == .notHTTP2)
        }
        #expect(server.received.map(\.isHTTP2) == (isFine ? [true] : []))
      }
    }
  }
}
