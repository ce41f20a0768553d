import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import PushTesting
import PushTransports
import Testing
import Vocabulary

/// The built server pushes to people who are not connected, through the tests' own push service.
///
/// Apple's service and those of browsers were never contacted.
@Suite(.timeLimit(.minutes(30))) struct PushServiceTests {
  /// A server with keys in a folder, and helpers to talk to it.
  private struct Scene {
    let folder: ScratchFolder
    let test: TestLoop
    let options: [String]

    init(_ more: [String], on test: TestLoop) throws {
      self.test = test
      folder = try PushTests.folder()
      options =
        [
          "--admin-key-file", folder.path(of: "admin.key"), "--journal", folder.journal,
          // Keeps the grace period of disconnected devices short.
          "--resume-grace", "0.1", "--log-level", "trace",
        ] + more
    }

    func serve() throws -> (server: Program, port: UInt16) {
      try Program.serve(options, on: test)
    }

    /// Registers a device and disconnects.
    func register(_ name: String, _ endpoint: String, port: UInt16) throws {
      let caller = try Caller(port: port, on: test)
      try caller.greet(as: name)
      try caller.say(#"{"type":"registerForNotifications","id":1,\#(endpoint)}"#)
      try test.run { caller.heard(#""id":1"#) }
      #expect(caller.heard(#""type":"ok","id":1"#), "\(caller.lines)")
      caller.hangUp()
    }

    /// Sends a notification to a person who is not connected.
    func push(_ text: String, to user: String, port: UInt16, _ more: [String] = []) throws {
      let program = try Program.run(
        [
          "push", "--server", "127.0.0.1:\(port)", "--user", user, "--body", text,
          "--admin-key-file", folder.path(of: "admin.key"),
        ] + more, on: test)
      #expect(program.ending == .exited(code: 0), "\(program.errorOutput)")
    }

    func wait(_ condition: @escaping () -> Bool) throws {
      try test.run(lookingEvery: .milliseconds(20), until: condition)
    }
  }

  private func webPush(_ browser: LocalBrowser, _ service: LocalPushService, _ path: String)
    -> String
  {
    """
    "webPush":{"endpoint":"http://127.0.0.1:\(service.port)/\(path)",\
    "keys":{"p256dh":"\(browser.p256dh)","auth":"\(browser.auth)"}}
    """
  }

  private static func webPushOptions(_ folder: ScratchFolder) -> [String] {
    [
      "--web-push-key-file", folder.path(of: "vapid.pem"), "--web-push-subject",
      "mailto:film@example.org", "--web-push-plain",
    ]
  }

  @Test func `who is not connected is pushed to, and only their browser can read it`() async throws
  {
    let service = try await LocalPushService.start { _ in .answer(201) }
    let browser = LocalBrowser()
    let keys = try ScratchFolder()
    try TestLoop.run { test in
      let scene = try Scene(Self.webPushOptions(keys), on: test)
      let (server, port) = try scene.serve()
      try scene.register("ann", webPush(browser, service, "p/secret-of-ann"), port: port)
      try scene.push(
        "At eight?", to: "ann", port: port,
        ["--title", "Film night", "--data", "level=7", "--collapse-id", "film"])
      try scene.wait { service.received.count == 1 }
      let push = try #require(service.received.first)
      #expect(push.method == "POST" && push.path == "/p/secret-of-ann")
      #expect(push.fields["topic"] == "film")
      let text = try browser.open(push.body)
      for part in [
        #""title":"Film night""#, #""body":"At eight?""#, #""level":7"#, #""collapseID":"film""#,
        #""matinee":{"#, #""notification":"n"#,
      ] {
        #expect(text.contains(part), "\(part) in \(text)")
      }
      // Browsers subscribe with the key shown in the log.
      let key = try KeyFile.read(keys.path(of: "vapid.pem"))
      let token = try ReadToken(vapid: try #require(push.fields["authorization"]))
      #expect(token.claims["sub"] == "mailto:film@example.org")
      #expect(
        server.errorOutput.contains("applicationServerKey=\(Base64URL.text(of: key.publicKey))"))

      // When the app connects, the notification arrives over its connection.
      let ann = try Caller(port: port, on: test)
      try ann.greet(as: "ann")
      try test.run { ann.heard("At eight?") }
      server.kill(.terminate)
      try test.run { ann.hasEnded }
      ann.hangUp()
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
      #expect(service.received.count == 1)
      try expectNoSecrets(in: server.errorOutput, scene.folder, keys)
      #expect(!server.errorOutput.contains("secret-of-ann"))
    }
    try await service.stop()
  }

  /// Checks that a log contains no keys.
  private func expectNoSecrets(in log: String, _ folders: ScratchFolder...) throws {
    #expect(!log.contains(PushTests.key))
    for folder in folders {
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
      where !name.hasPrefix("journal.sqlite") || name.hasSuffix("-key") {
        let text = String(
          decoding: try #require(FileManager.default.contents(atPath: folder.path(of: name))),
          as: UTF8.self)
        for line in text.split(separator: "\n") where !line.hasPrefix("-----") {
          #expect(!log.contains(line), "a line of \(name)")
        }
      }
    }
  }

  @Test func `pushes go to their service, whatever proxy the environment names`() async throws {
    let service = try await LocalPushService.start { _ in .answer(201) }
    let browser = LocalBrowser()
    let keys = try ScratchFolder()
    try TestLoop.run { test in
      let scene = try Scene(Self.webPushOptions(keys), on: test)
      let proxies = ["http_proxy", "https_proxy", "all_proxy", "ALL_PROXY"].map {
        "\($0)=http://127.0.0.1:1"
      }
      let (server, port) = try Program.serve(scene.options, by: ["env"] + proxies, on: test)
      try scene.register("ann", webPush(browser, service, "ann"), port: port)
      try scene.push("At eight?", to: "ann", port: port)
      try scene.wait { service.received.count == 1 }
      #expect(!server.hasEnded)
    }
    try await service.stop()
  }

  @Test func `keys stand in no command line`() async throws {
    let keys = try ScratchFolder()
    try TestLoop.run { test in
      let scene = try Scene(Self.webPushOptions(keys), on: test)
      let (server, _) = try scene.serve()
      let bytes = try #require(FileManager.default.contents(atPath: "/proc/\(server.id)/cmdline"))
      let environment = FileManager.default.contents(atPath: "/proc/\(server.id)/environ")
      let line = String(decoding: bytes + (environment ?? Data()), as: UTF8.self)
      #expect(line.contains("--web-push-key-file"))
      try expectNoSecrets(in: line, scene.folder, keys)
    }
  }

  @Test func `a browser that its push service does not know is forgotten`() async throws {
    let service = try await LocalPushService.start { request in
      .answer(request.path == "/gone" ? 410 : 201)
    }
    let (gone, there) = (LocalBrowser(), LocalBrowser())
    let keys = try ScratchFolder()
    try TestLoop.run { test in
      let scene = try Scene(Self.webPushOptions(keys), on: test)
      let (server, port) = try scene.serve()
      try scene.register("ann", webPush(gone, service, "gone"), port: port)
      try scene.register("ben", webPush(there, service, "there"), port: port)
      try scene.push("one", to: "ann", port: port)
      try scene.wait { server.errorOutput.contains("does not know a device any more") }
      try scene.push("two", to: "ann", port: port)
      try scene.push("three", to: "ben", port: port)
      try scene.wait { service.received.contains { $0.path == "/there" } }
      #expect(service.received.count { $0.path == "/gone" } == 1)
      // A device that registers again receives pushes again.
      try scene.register("ann", webPush(gone, service, "there-again"), port: port)
      try scene.push("four", to: "ann", port: port)
      try scene.wait { service.received.contains { $0.path == "/there-again" } }
      #expect(!server.hasEnded)
    }
    try await service.stop()
  }

  // Proves: §7.15
  @Test func `what was due before a crash is pushed after it`() async throws {
    let isOpen = Locked(false)
    let service = try await LocalPushService.start { _ in
      isOpen.withLock { $0 } ? .answer(201) : .answer(503)
    }
    let browser = LocalBrowser()
    let keys = try ScratchFolder()
    try TestLoop.run { test in
      let scene = try Scene(Self.webPushOptions(keys), on: test)
      let (server, port) = try scene.serve()
      try scene.register("ann", webPush(browser, service, "ann"), port: port)
      try scene.push("At eight?", to: "ann", port: port)
      try scene.wait { server.errorOutput.contains("a push has to be tried again") }
      server.kill(.kill)
      try test.run { server.hasEnded }
      isOpen.withLock { $0 = true }
      let before = service.received.count
      let (next, _) = try scene.serve()
      try scene.wait { service.received.count > before }
      #expect(try browser.open(service.received[before].body).contains("At eight?"))
      #expect(!next.hasEnded)
    }
    try await service.stop()
  }

  @Test func `a push service that says nothing keeps no server from stopping`() async throws {
    let service = try await LocalPushService.start { _ in .silence }
    let browser = LocalBrowser()
    let keys = try ScratchFolder()
    try TestLoop.run { test in
      let scene = try Scene(Self.webPushOptions(keys), on: test)
      let (server, port) = try scene.serve()
      try scene.register("ann", webPush(browser, service, "ann"), port: port)
      try scene.push("At eight?", to: "ann", port: port)
      try scene.wait { service.received.count == 1 }
      // Others are served in the meantime.
      try scene.push("Or nine?", to: "ann", port: port)
      server.kill(.terminate)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
    }
    try await service.stop()
  }

  @Test func `a device of Apple's is pushed to by HTTP/2, with a token of the key`() async throws {
    let certificate = try TestCertificate(name: "localhost")
    let service = try await LocalPushService.start(.secure(certificate)) { _ in .answer(200) }
    let keys = try ScratchFolder(["authorities.pem": certificate.pem])
    let key = SigningKey()
    _ = try PrivateFile.make(keys.path(of: "key.p8"), Array(key.pem.utf8))
    try TestLoop.run { test in
      let scene = try Scene(
        [
          "--apns-key-file", keys.path(of: "key.p8"), "--apns-key-id", "ABC123DEFG",
          "--apns-team-id", "TEAM123456", "--apns-server", "https://localhost:\(service.port)",
          "--push-authorities", keys.path(of: "authorities.pem"),
        ], on: test)
      let (server, port) = try scene.serve()
      try scene.register(
        "ann", #""apns":{"token":"00ffaa","topic":"org.example.film"}"#, port: port)
      try scene.push("At eight?", to: "ann", port: port)
      try scene.wait { !service.received.isEmpty }
      let push = try #require(service.received.first)
      #expect(push.isHTTP2 && push.path == "/3/device/00ffaa")
      #expect(push.fields["apns-topic"] == "org.example.film")
      #expect(push.fields["apns-push-type"] == "alert" && push.fields["apns-priority"] == "10")
      #expect(String(decoding: push.body, as: UTF8.self).contains("At eight?"))
      let field = try #require(push.fields["authorization"])
      let token = try ReadToken(
        String(field.dropFirst("bearer ".count)), signedBy: key.publicKey)
      #expect(token.claims["iss"] == "TEAM123456")
      server.kill(.terminate)
      try test.run { server.hasEnded }
      #expect(server.ending == .exited(code: 0))
      try expectNoSecrets(in: server.errorOutput, scene.folder)
      #expect(!server.errorOutput.contains("00ffaa"))
    }
    try await service.stop()
  }

  @Test(arguments: [
    ("push.example.org:8443", "https://push.example.org:8443/x", true),
    ("push.example.org:8443", "https://push.example.org/x", false),
    ("push.example.org:8443", "https://fcm.googleapis.com/x", true),
    ("*", "https://push.example.org/x", true), ("*", "https://push.example.org:8443/x", false),
    ("*", "https://10.0.0.1/x", false),
  ])
  func `hosts of push services can be allowed besides the known ones`(
    host: String, endpoint: String, isAllowed: Bool
  ) throws {
    let keys = try ScratchFolder()
    let browser = LocalBrowser()
    try TestLoop.run { test in
      let scene = try Scene(
        Self.webPushOptions(keys) + ["--web-push-host", host, "--web-push-host", "b.example"],
        on: test)
      let (server, port) = try scene.serve()
      let caller = try Caller(port: port, on: test)
      try caller.greet(as: "ann")
      let named = #""endpoint":"\#(endpoint)","keys":{"p256dh":"\#(browser.p256dh)""#
      try caller.say(
        #"{"type":"registerForNotifications","id":1,"webPush":{\#(named),"auth":"\#(browser.auth)"}}}"#
      )
      try test.run { caller.heard(#""id":1"#) }
      #expect(caller.heard(#""type":"ok","id":1"#) == isAllowed, "\(caller.lines)")
      #expect(!server.hasEnded)
    }
  }

  @Test(arguments: [
    (#""webPush":{"endpoint":"https://10.0.0.1/x","keys":{KEYS}}"#, "privateHost"),
    (#""webPush":{"endpoint":"http://push.example.org/x","keys":{KEYS}}"#, "scheme"),
    (#""webPush":{"endpoint":"https://push.example.org/x","keys":{KEYS}}"#, "--web-push-host"),
    (#""webPush":{"endpoint":"https://fcm.googleapis.com:22/x","keys":{KEYS}}"#, "(port)"),
    (
      #""webPush":{"endpoint":"https://push.example.org/x","keys":{"p256dh":"AA","auth":"AA"}}"#,
      "p256dh"
    ),
    (#""apns":{"token":"00ffaa","topic":"org.example.film"}"#, "no key for APNs"),
  ])
  func `a place that pushes cannot go to is refused when it is named`(
    endpoint: String, words: String
  ) throws {
    let keys = try ScratchFolder()
    let browser = LocalBrowser()
    try TestLoop.run { test in
      let scene = try Scene(Self.webPushOptions(keys), on: test)
      let (server, port) = try scene.serve()
      let caller = try Caller(port: port, on: test)
      try caller.greet(as: "ann")
      let named = endpoint.replacing(
        "KEYS", with: #""p256dh":"\#(browser.p256dh)","auth":"\#(browser.auth)""#)
      try caller.say(#"{"type":"registerForNotifications","id":1,\#(named)}"#)
      try test.run { caller.heard(#""id":1"#) }
      let line = try #require(caller.line(#""id":1"#))
      #expect(line.contains(#""code":"invalidEndpoint""#) && line.contains(words), "\(line)")
      #expect(!server.hasEnded)
    }
  }
}
