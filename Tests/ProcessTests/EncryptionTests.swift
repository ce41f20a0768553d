import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Syncplay
import SyncplayTesting
import TLS
import Testing

/// Connections to a server that encrypts, by the built program.
@Suite struct EncryptionTests {
  private static func withoutFingerprint(_ link: String) throws -> String {
    String(link[..<(try #require(link.lastIndex(of: ".")))])
  }

  /// A server with a certificate of its own, at which people come in by links with its fingerprint.
  @Test func `an evening is encrypted by a link alone, and later without it`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(["--tls-certificate", "own"], on: test)
      #expect(evening.foundingLink.split(separator: ".").last?.count == 43)
      let ann = try evening.found(as: "Ann")
      let link = try evening.link(of: "Ann")
      let print = try #require(link.split(separator: ".").last)
      #expect(evening.foundingLink.hasSuffix(print) && link.contains("/friday#"))
      let ben = try evening.join("Ben", [link])
      try test.run { ann.output.contains("in group friday: Ann, Ben") }
      // The server's certificate is kept, so the same clients come back to it.
      try evening.restart()
      try test.run { ben.output.components(separatedBy: "connected\n").count > 2 }
      try ben.say("quit")
      try test.run { ben.hasEnded }
      let back = try evening.joinAgain("Ben")
      try test.run { back.output.contains("in group friday: Ann, Ben") }
      for person in [ann, back] { try person.say("quit") }
      try test.run { ann.hasEnded && back.hasEnded }
    }
  }

  @Test func `the owner's link carries the fingerprint of the certificate that the server made`()
    throws
  {
    try TestLoop.run { test in
      let evening = try KeyedServer(["--tls-certificate", "own"], on: test)
      let arguments = [
        "invite", "--access-key-file", evening.accessKeyFile, "--server", evening.address,
        "--own-certificate-file",
      ]
      let certificate = evening.folder.path(of: "new/journal.sqlite.tls")
      let invite = try evening.run(arguments + [certificate], on: "owner")
      #expect(invite.ending == .exited(code: 0), "\(invite.errorOutput)")
      #expect(invite.output == evening.foundingLink + "\n")
      let none = try evening.run(arguments + [certificate + "x"], on: "owner")
      #expect(none.ending == .exited(code: 66) && none.output.isEmpty)
      #expect(none.errorOutput.contains("journal.sqlite.tlsx: there is no such file"))
    }
  }

  @Test func `a server with another key hears nothing, and nothing of it is remembered`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(["--tls-certificate", "own"], on: test)
      let link = try Self.withoutFingerprint(evening.foundingLink)
      let other = "\(link).\(String(repeating: "A", count: 43))"
      let ann = try evening.join("Ann", [other, "--group", "friday"])
      try test.run { ann.output.contains("this is not the server that was meant") }
      ann.kill(.interrupt)
      try test.run { ann.hasEnded }
      #expect(!evening.log.contains("Ann"))
      let right = try evening.found(as: "Ann")
      #expect(right.ending == nil)
    }
  }

  @Test func `a link does not change who a known server is, unless the person says so`() throws {
    try TestLoop.run { test in
      let evening = try KeyedServer(["--tls-certificate", "own"], on: test)
      let ann = try evening.found(as: "Ann")
      try ann.say("quit")
      try test.run { ann.hasEnded }
      let start = try Self.withoutFingerprint(try evening.link(of: "Ann"))
      let forged = "\(start).\(String(repeating: "A", count: 43))"
      let plain = start.replacingOccurrences(of: "matinee://", with: "matinee+plain://")
      for text in [forged, plain] {
        let join = try evening.run(["join", "--as", "Ann", text], on: "Ann")
        #expect(join.ending == .exited(code: 66))
        #expect(join.errorOutput.contains("is known by another key"), "\(join.errorOutput)")
      }
      let believed = try evening.join("Ann", [plain, "--new-server-key"])
      try test.run { believed.output.contains("in group friday: Ann") }
    }
  }

  @Test func `what a client sends first is a handshake without a name in it`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      var heard: StreamRecorder?
      acceptor.onStream = { heard = try StreamRecorder($0) }
      let listener = try acceptor.listen(on: test.loop)
      let folder = try ScratchFolder()
      let key = String(repeating: "0", count: 26)
      let print = String(repeating: "A", count: 43)
      var environment = ProcessInfo.processInfo.environment
      environment["XDG_STATE_HOME"] = folder.path(of: "state")
      let join = try Program(
        [
          "join", "--as", "Ann", "--player", "simulated",
          "matinee://127.0.0.1:\(listener.localPort)/friday#\(key).\(print)",
        ], environment: environment, on: test, takesInput: true)
      try test.run { heard?.received.isEmpty == false }
      #expect(heard?.received.first == 22)
      for secret in ["Ann", "friday", key] { #expect(heard?.text.contains(secret) == false) }
      join.kill(.interrupt)
      try test.run { join.hasEnded }
    }
  }

  // MARK: Certificates of others

  @Test func `a link leads nobody away from a server that authorities vouched for`() throws {
    try TestLoop.run { test in
      let files = try ScratchFolder()
      let own = try TestCertificate("own", in: files, on: test)
      let evening = try KeyedServer(
        own.options, on: test)
      let trusted = ["--tls-ca", own.certificate]
      let ann = try evening.join("Ann", [evening.foundingLink, "--group", "friday"] + trusted)
      try test.run { ann.output.contains("invite others with: ") || ann.hasEnded }
      try ann.say("quit")
      try test.run { ann.hasEnded }
      let link = "matinee://\(evening.address)/friday#\(String(repeating: "0", count: 26))"
      let forgeries: [[String]] = [
        ["\(link).\(String(repeating: "A", count: 43))"],
        [link.replacingOccurrences(of: "matinee://", with: "matinee+plain://")],
        ["--server", evening.address, "--group", "friday", "--plaintext"],
      ]
      for arguments in forgeries {
        let join = try evening.run(["join", "--as", "Ann"] + arguments, on: "Ann")
        #expect(join.ending == .exited(code: 66), "\(join.output)")
        #expect(join.errorOutput.contains("is known by another key"), "\(join.errorOutput)")
      }
      let back = try evening.join(
        "Ann", ["--server", evening.address, "--group", "friday"] + trusted)
      try test.run { back.output.contains("in group friday: Ann") || back.hasEnded }
      #expect(back.ending == nil, "\(back.errorOutput)")
    }
  }

  @Test func `a certificate is read again at SIGHUP, and a pair that does not fit is refused`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let (first, second) = (
        try TestCertificate("first", in: folder, on: test),
        try TestCertificate("second", in: folder, on: test)
      )
      let files = (folder.path(of: "tls.pem"), folder.path(of: "tls.key"))
      func install(_ certificate: String, _ key: String) throws {
        for (from, to) in [(certificate, files.0), (key, files.1)] {
          _ = try Program.run(["-p", from, to], of: "cp", on: test)
        }
      }
      try install(first.certificate, first.key)
      let (server, port) = try Program.serve(
        ["--tls-certificate", files.0, "--tls-key", files.1], on: test)
      func status(trusting authority: String) throws -> Program {
        try Program.run(
          ["status", "--server", "localhost:\(port)", "--tls-ca", authority], on: test)
      }
      #expect(try status(trusting: first.certificate).ending == .exited(code: 0))
      let stranger = try status(trusting: second.certificate)
      #expect(stranger.ending == .exited(code: 69))
      #expect(stranger.errorOutput.contains("certificate is not trusted"))
      try install(first.certificate, second.key)
      server.kill(.hangUp)
      try test.run { server.errorOutput.contains("this key does not fit the certificate") }
      #expect(try status(trusting: first.certificate).ending == .exited(code: 0))
      try install(second.certificate, second.key)
      server.kill(.hangUp)
      try test.run { server.errorOutput.contains("certificate read again") }
      #expect(try status(trusting: second.certificate).ending == .exited(code: 0))
    }
  }

  @Test(arguments: [
    (["--tls-certificate", "x.pem"], "--tls-certificate and --tls-key"),
    (["--tls-certificate", "own", "--plaintext"], "needs no --tls-key"),
    (["--listen", "0.0.0.0:0", "--syncplay", "0.0.0.0:0"], "a certificate that others vouch for"),
  ])
  func `a mistake about certificates is told before anything starts`(
    arguments: [String], words: String
  ) throws {
    try TestLoop.run { test in
      let server = try Program.run(["serve"] + arguments, on: test)
      #expect(server.ending == .exited(code: 64))
      #expect(server.errorOutput.contains(words), "\(server.errorOutput)")
    }
  }

  /// What OpenSSL's own client is told.
  private static func connect(
    _ arguments: [String], to port: UInt16, on test: TestLoop
  ) throws -> String {
    let client = try Program(
      ["s_client", "-connect", "127.0.0.1:\(port)"] + arguments, of: "openssl", on: test,
      takesInput: true)
    client.input?.finishWriting()
    try test.run { client.hasEnded }
    return client.output + client.errorOutput
  }

  @Test func `old versions and other protocols are refused`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(["--tls-certificate", "own"], on: test)
      #expect(try Self.connect(["-tls1_3"], to: port, on: test).contains("TLSv1.3"))
      let matinee = try Self.connect(["-tls1_2", "-alpn", "h2,matinee/1"], to: port, on: test)
      #expect(matinee.contains("ALPN protocol: matinee/1"))
      let old = try Self.connect(["-tls1_1", "-cipher", "ALL@SECLEVEL=0"], to: port, on: test)
      #expect(old.contains("alert protocol version"))
      let other = try Self.connect(["-alpn", "h2,http/1.1"], to: port, on: test)
      #expect(other.contains("no application protocol"))
      #expect(server.ending == nil)
    }
  }

  // MARK: Syncplay

  @Test
  func `a client of Syncplay's encrypts if it asks, with a certificate that others vouch for`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let own = try TestCertificate("own", in: folder, on: test)
      let (server, _) = try Program.serve(
        [
          "--tls-certificate", own.certificate, "--tls-key", own.key, "--syncplay", "127.0.0.1:0",
        ], on: test)
      try test.run { server.syncplayPort != nil }
      let port = try #require(server.syncplayPort)
      let script = folder.path(of: "client.py")
      try Self.syncplayClient.write(toFile: script, atomically: true, encoding: .utf8)
      let client = try Program.run(
        [script, "\(port)", own.certificate], of: "python3", on: test)
      #expect(client.ending == .exited(code: 0), "\(client.errorOutput)")
      #expect(client.output.contains("TLSv1"))
      #expect(client.output.contains(#""username":"Ann","room""#))
      #expect(!client.output.contains("Mallory"), "what came before the handshake counts")
    }
  }

  /// Asks for encryption as Syncplay's clients do, with a line behind it that somebody on the way
  /// might have put there.
  static let syncplayClient = """
    import socket, ssl, sys
    def hello(name):
        return ('{"Hello":{"username":"%s","room":{"name":"r"},"version":"1.7.3","realversion":"1.7.3"}}\\r\\n' % name).encode()
    plain = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    plain.sendall(b'{"TLS":{"startTLS":"send"}}\\r\\n' + hello("Mallory"))
    answer = plain.recv(4096)
    assert answer == b'{"TLS":{"startTLS":"true"}}\\r\\n', answer
    context = ssl.create_default_context(cafile=sys.argv[2])
    with context.wrap_socket(plain, server_hostname="localhost") as secured:
        print(secured.version())
        secured.sendall(hello("Ann"))
        text = b""
        while b'"Hello"' not in text:
            text += secured.recv(65536)
        print(text.decode())
    """
}
