import EventLoops
import FolderTesting
import LoopTesting
import ProgramTesting
import Testing
import WebSocketTesting

/// `matinee serve --http`, by the built program.
@Suite struct WebTests {
  /// A server for browsers, its port for them, and its port for peers.
  private static func serve(
    _ options: [String] = [], on test: TestLoop
  ) throws -> (server: Program, web: UInt16, native: UInt16) {
    let (server, native) = try Program.serve(["--http", "127.0.0.1:0"] + options, on: test)
    try test.run { server.port(of: "serving browsers") != nil }
    return (server, try #require(server.port(of: "serving browsers")), native)
  }

  @Test func `the page and its parts are served, and a browser that has them is told so`() throws {
    try TestLoop.run { test in
      let (server, port, _) = try Self.serve(on: test)
      let peer = try WebPeer(port: port, on: test)
      let page = try peer.get("/")
      #expect(page.status == 200 && page["content-type"] == "text/html; charset=utf-8")
      #expect(page.text.contains("<!doctype html>"))
      #expect(page["content-security-policy"]?.contains("script-src 'self'") == true)
      let frame = try peer.get("/message-frame.html")
      #expect(frame["content-security-policy"]?.hasSuffix("sandbox allow-scripts") == true)
      let tag = try #require(page["etag"])
      #expect(try peer.get("/", "If-None-Match: \(tag)").status == 304)
      #expect(try peer.get("/friday").body == page.body)
      let script = try peer.get("/matinee.js")
      #expect(script["content-type"] == "text/javascript; charset=utf-8")
      let packed = try peer.get("/matinee.js", "Accept-Encoding: gzip")
      #expect(packed["content-encoding"] == "gzip" && packed["vary"] == "Accept-Encoding")
      #expect(packed["etag"] != script["etag"] && packed.body.count < script.body.count / 2)
      let head = try peer.get("/", method: "HEAD")
      #expect(head.body.isEmpty && head["content-length"] == "\(page.body.count)")
      #expect(server.ending == nil)
    }
  }

  @Test func `the page's parts are kept for ever under the name of their version`() throws {
    try TestLoop.run { test in
      let (server, port, _) = try Self.serve(on: test)
      let peer = try WebPeer(port: port, on: test)
      let page = try peer.get("/friday")
      #expect(page["cache-control"] == "no-cache")
      let parts = page.text.matches(of: /"(\/v\/[^\/"]+\/[^"]+)"/).map { String($0.1) }
      #expect(parts.contains { $0.hasSuffix("/page.js") })
      #expect(parts.contains { $0.hasSuffix("/page.css") })
      for path in parts {
        let part = try peer.get(path)
        #expect(part.status == 200 && part["cache-control"]?.hasSuffix("immutable") == true)
        #expect(part.body == (try peer.get("/" + path.split(separator: "/")[2])).body)
      }
      // A page of before an update, or of another server, goes on with what there is.
      let other = try peer.get("/v/another/page.js")
      #expect(other.status == 200 && other["cache-control"] == "no-cache")
      #expect(try peer.get("/v/another/nothing.js").status == 404)
      #expect(try peer.get("/v/another/friday").status == 404, "no group's page lies there")
      #expect(server.ending == nil)
    }
  }

  @Test(arguments: [
    ("/nothing.js", 404), ("/a/b", 404), ("/../etc/passwd", 400), ("/%2e%2e/etc/passwd", 400),
    ("/..%2fetc", 400), ("/%00", 400), ("/a\\b", 400), ("/healthz", 200), ("/readyz", 200),
    ("/ws", 426), ("/.well-known/matinee-push-key", 200), ("/service-worker.js", 200),
    ("/manifest.webmanifest", 200), ("/icon-192.png", 200), ("/apple-touch-icon.png", 200),
    ("/.well-known/other", 404),
  ])
  func `an address has what it has, and nothing else`(path: String, status: Int) throws {
    try TestLoop.run { test in
      let (server, port, _) = try Self.serve(on: test)
      #expect(try WebPeer(port: port, on: test).get(path).status == status)
      #expect(try WebPeer(port: port, on: test).get(path, method: "POST").status >= 400)
      #expect(server.ending == nil)
    }
  }

  @Test(arguments: [nil, "https://watch.example"])
  func `the first start prints the link that opens groups in a browser, and no log has its key`(
    page: String?
  ) throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let more = page.map { ["--page", $0, "--origin", "https://app.example"] } ?? []
      let (server, port, _) = try Self.serve(
        ["--access", "keys", "--journal", "sqlite:\(folder.path(of: "journal.sqlite"))"] + more,
        on: test)
      let link = try server.foundingLink(on: test)
      let key = try #require(link.split(separator: "#").last)
      let page = page ?? "http://127.0.0.1:\(port)"
      try test.run { server.output.contains("\n  \(page)/#\(key)\n") || server.hasEnded }
      #expect(server.output.contains("browser"))
      #expect(server.errorOutput.contains("page=\(page)"), "\(server.errorOutput)")
      #expect(!server.errorOutput.contains(key))
      #expect(server.ending == nil)
    }
  }

  @Test func `a page learns the key for pushes, or that there are none`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let place = "/.well-known/matinee-push-key"
      let (quiet, silent, _) = try Self.serve(on: test)
      #expect(try WebPeer(port: silent, on: test).get(place).text == "\n")
      let (pushing, port, _) = try Self.serve(
        [
          "--web-push-key-file", folder.path(of: "vapid.pem"), "--web-push-subject",
          "mailto:film@example.org",
        ], on: test)
      let answer = try WebPeer(port: port, on: test).get(place)
      // An uncompressed point of P-256 is 65 bytes (SEC 1, 2.3.3), in Base64URL 87 letters and digits.
      #expect(answer.text.wholeMatch(of: /B[A-Za-z0-9_-]{86}\n/) != nil)
      #expect(answer["cache-control"] == "no-store")
      // Pages of other origins subscribe, too.
      #expect(answer["access-control-allow-origin"] == "*")
      #expect(quiet.ending == nil && pushing.ending == nil)
    }
  }

  @Test func `by a WebSocket a browser is a peer like any`() throws {
    try TestLoop.run { test in
      let (server, web, native) = try Self.serve(on: test)
      let ann = try WebPeer(port: web, on: test)
      #expect(try ann.upgrade(origin: "http://localhost").status == 101)
      let ben = try Caller(port: native, on: test)
      try ann.say(#"{"type":"hello","user":"ann","features":["sessions"]}"#)
      try ann.say(#"{"type":"joinGroup","id":1,"group":"friday"}"#)
      try test.run { ann.heard(#""type":"ok","id":1"#) || ann.heard(#""id":1"#) }
      try ben.enter("friday", as: "ben")
      try test.run { ann.heard("ben-1") && ben.heard(#""user":"ann""#) }
      #expect(ann.messages.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
      // A message in two frames, with a ping between them.
      try ann.send(
        .text(#"{"type":"leave"#, isLast: false), .ping("?"), .more(#"Group","id":2}"#))
      try test.run { ben.heard("left") || ben.heard(#""memberLeft""#) }
      try ann.send(.close(1000))
      try test.run { ann.isClosed(with: 1000) && ann.hasEnded }
      #expect(server.ending == nil)
    }
  }

  @Test func `a line that is no JSON is answered, and a frame that is none ends the connection`()
    throws
  {
    try TestLoop.run { test in
      let (server, web, _) = try Self.serve(on: test)
      let peer = try WebPeer(port: web, on: test)
      _ = try peer.upgrade()
      try peer.say("nonsense")
      try test.run { peer.heard("notJSON") }
      let other = try WebPeer(port: web, on: test)
      _ = try other.upgrade()
      try other.send(.frame(.text, [97]) { $0.isMasked = false })
      try test.run { other.isClosed(with: 1002) && other.hasEnded }
      #expect(server.ending == nil)
    }
  }

  @Test func `a page of another origin gets nothing, unless it is named`() throws {
    try TestLoop.run { test in
      let (server, web, _) = try Self.serve(
        [
          "--origin", "https://app.example", "--origin", "https://other.example:443", "--page",
          "https://watch.example",
        ], on: test)
      func status(origin: String?, host: String = "localhost") throws -> Int {
        try WebPeer(port: web, on: test).upgrade(origin: origin, host: host).status
      }
      #expect(try status(origin: "https://evil.example") == 403)
      #expect(try status(origin: "null") == 403)
      #expect(try status(origin: "https://app.example") == 101)
      // Browsers leave out the port that is the scheme's own, and a proxy may add it to the host.
      #expect(try status(origin: "https://other.example") == 101)
      #expect(try status(origin: "https://app.example:80") == 403)
      #expect(try status(origin: "https://watch.example", host: "watch.example:443") == 101)
      // The server's own page behind a proxy, which passes on the host or says its own.
      #expect(try status(origin: "https://watch.example") == 101)
      #expect(try status(origin: "https://watch.example", host: "watch.example") == 101)
      #expect(try status(origin: "http://localhost:1") == 403)
      #expect(try status(origin: nil) == 101)
      // A name that was made to lead to this machine.
      #expect(try status(origin: "http://evil.example", host: "evil.example") == 421)
      #expect(try status(origin: "http://[::1]:80", host: "[::1]:80") == 101)
      #expect(server.ending == nil)
    }
  }

  @Test func `a browser is told when the server stops`() throws {
    try TestLoop.run { test in
      let (server, web, _) = try Self.serve(["--journal", "memory"], on: test)
      let peer = try WebPeer(port: web, on: test)
      _ = try peer.upgrade()
      try peer.say(#"{"type":"hello","user":"ann"}"#)
      try test.run { peer.heard(#""type":"welcome""#) }
      let idle = try WebPeer(port: web, on: test)
      _ = try idle.get("/healthz")
      server.kill(.terminate)
      try test.run { server.hasEnded && idle.hasEnded }
      #expect(peer.heard("serverStopping") || peer.heard("closing"))
      #expect(peer.isClosed(with: 1000))
      #expect(server.ending == .exited(code: 0))
    }
  }

  @Test func `browsers come in over TLS, and name their protocol`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder(["client.py": Self.client])
      let own = try TestCertificate(in: folder, on: test)
      let (server, web, native) = try Self.serve(own.options, on: test)
      func ask(_ port: UInt16) throws -> Program {
        let script = folder.path(of: "client.py")
        return try Program.run([script, "\(port)", own.certificate], of: "python3", on: test)
      }
      let client = try ask(web)
      #expect(client.output == "200 ok http/1.1\n", "\(client.errorOutput)")
      // Nobody leads a browser to the native port.
      #expect(try ask(native).ending != .exited(code: 0))
      #expect(server.ending == nil)
    }
  }

  /// Asks by https, as browsers offer their protocols.
  private static let client = """
    import http.client, ssl, sys
    context = ssl.create_default_context(cafile=sys.argv[2])
    context.set_alpn_protocols(["h2", "http/1.1"])
    connection = http.client.HTTPSConnection("127.0.0.1", int(sys.argv[1]), context=context)
    connection.request("GET", "/healthz")
    answer = connection.getresponse()
    print(answer.status, answer.read().decode().strip(), connection.sock.selected_alpn_protocol())
    """

  @Test func `a thousand browsers watch in twenty sessions, and all are told of the end`() throws {
    try TestLoop.run { test in
      _ = try ProcessSettings.raiseDescriptorLimit()
      let (server, web, _) = try Self.serve(["--journal", "memory"], on: test)
      let groups = try (0..<20).map { group in
        try (0..<50).map { number in
          let peer = try WebPeer(port: web, on: test)
          _ = try peer.upgrade()
          try peer.say(#"{"type":"hello","user":"u\#(group)-\#(number)","features":["sessions"]}"#)
          try peer.say(#"{"type":"joinGroup","id":1,"group":"g\#(group)"}"#)
          return peer
        }
      }
      let peers = groups.flatMap(\.self)
      func all(hear part: String) throws {
        try test.run { peers.allSatisfy { $0.heard(part) } }
      }
      try all(hear: #""id":1"#)
      for host in groups.map(\.[0]) {
        try host.say(
          #"{"type":"activate","id":2,"activity":{"type":"watch","metadata":{"title":"A"},"media":{"url":"a.mp4"}}}"#
        )
      }
      try all(hear: #""type":"offer""#)
      for peer in peers {
        try peer.say(#"{"type":"join","id":3,"session":"\#(try #require(peer.offeredSession))"}"#)
      }
      try all(hear: #""type":"snapshot""#)
      for (group, members) in groups.enumerated() {
        try members[0].say(#"{"type":"send","id":4,"payload":{"from":\#(group)}}"#)
      }
      try all(hear: #""event":"messageSent""#)
      for (group, members) in groups.enumerated() {
        let told = Set(members.map { $0.messages.filter { $0.contains("messageSent") } })
        #expect(told.count == 1, "all are told the same")
        #expect(told.first?.count == 1)
        #expect(told.first?.first?.contains(#""payload":{"from":\#(group)}"#) == true)
      }
      server.kill(.terminate)
      try test.run { peers.allSatisfy { $0.isClosed(with: 1000) } }
    }
  }

  @Test(arguments: [
    (["--origin", "https://app.example"], "give --http"),
    (["--page", "https://watch.example"], "give --http"),
    (["--trusted-proxy", "127.0.0.1"], "give --http"),
    (["--http", "127.0.0.1:0", "--trusted-proxy", "proxy.example"], "--trusted-proxy takes an"),
    (["--http", "nothing"], "--http"),
    (["--http", "127.0.0.1:0", "--page", "watch.example"], "--page takes the page's address"),
    (["--http", "127.0.0.1:0", "--page", "https://a.example:99999"], "--page takes"),
    (["--http", "127.0.0.1:0", "--page", "http://watch.example"], "with https"),
    (["--http", "127.0.0.1:0", "--origin", "https://a.example:99999"], "--origin takes an origin"),
    (["--http", "127.0.0.1:0", "--origin", "app.example"], "--origin takes an origin"),
    (["--http", "127.0.0.1:0", "--origin", "https://app.example/x"], "without a path"),
    (["--http", "0.0.0.0:0"], "browsers need a certificate that others vouch for"),
  ])
  func `a mistake is told before anything starts`(arguments: [String], words: String) throws {
    try TestLoop.run { test in
      let server = try Program.run(["serve"] + arguments, on: test)
      #expect(server.ending == .exited(code: 64))
      #expect(server.errorOutput.contains(words), "\(server.errorOutput)")
    }
  }
}
