import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import SyncplayTesting
import Testing
import Vocabulary

/// The server's options for Syncplay's clients.
@Suite struct SyncplayOptionTests {
  private static let listening = ["--syncplay", "127.0.0.1:0"]

  @Test(arguments: [
    (["--syncplay", "8999"], "--syncplay takes host:port or [v6]:port, such as 127.0.0.1:8999"),
    (["--isolate-rooms"], "--isolate-rooms is for clients of Syncplay; give --syncplay"),
    (["--salt", "ABCDEFGHIJ"], "--salt is for clients of Syncplay; give --syncplay"),
    (["--motd-file", "none"], "--motd-file is for clients of Syncplay"),
    (["--stats-db-file", "none"], "--stats-db-file is for clients of Syncplay"),
    (["--max-username-length", "20"], "give --syncplay 127.0.0.1:8999, too"),
    (
      listening + ["--syncplay-password", "a", "--syncplay-password-file", "b"],
      "there is one password"
    ),
    (listening + ["--syncplay-password", ""], "leave it out to let everybody in"),
    (listening + ["--salt", ""], "leave it out to have one made"),
    (
      listening + ["--max-chat-message-length", "0"],
      "--max-chat-message-length takes a number from 1 to 2000, not 0"
    ),
    (
      listening + ["--max-username-length", "151"],
      "--max-username-length takes a number from 1 to 150, not 151"
    ),
  ])
  func `a mistake is told before anything is touched`(options: [String], words: String) throws {
    try TestLoop.run { test in
      let program = try Program.run(["serve", "--journal", "memory"] + options, on: test)
      #expect(program.ending == .exited(code: 64))
      let told = program.errorOutput.replacing("\n", with: " ")
      #expect(told.contains(words), "\(program.errorOutput)")
    }
  }

  @Test(
    arguments: [
      ("--motd-file", nil, 66, "there is no such file"),
      ("--permanent-rooms-file", nil, 66, "there is no such file"),
      ("--stats-db-file", "no database", 73, "leave --stats-db-file out"),
      ("--syncplay-password-file", nil, 66, "there is no such file"),
      ("--syncplay-password-file", "", 66, "the file is empty"),
      ("--syncplay-password-file", "two\nlines\n", 66, "the file has 2 lines"),
      ("--motd-file", "It costs $5.", 65, "write $$ for a dollar"),
      ("--motd-file", String(repeating: "x", count: 10_001), 65, "shorten it"),
      (
        "--permanent-rooms-file", "lobby\n\n" + String(repeating: "x", count: 36), 65,
        "line 3: the name of a room has at most 35 letters"
      ),
    ] as [(String, String?, Int64, String)])
  func `a file that will not do is told with what to do`(
    option: String, text: String?, code: Int64, words: String
  ) throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let path = folder.path(of: "file")
      if let text { _ = try PrivateFile.make(path, Array(text.utf8)) }
      let (server, port) = try Program.serve(Self.listening + [option, path], on: test)
      try test.run { server.hasEnded }
      #expect(port == 0 && server.ending == .exited(code: code))
      #expect(server.errorOutput.contains(words), "\(server.errorOutput)")
    }
  }

  @Test func `a port for Syncplay that is taken is a clear error`() throws {
    try TestLoop.run { test in
      let (server, port) = try Program.serve(on: test)
      let (second, _) = try Program.serve(["--syncplay", "127.0.0.1:\(port)"], on: test)
      try test.run { second.hasEnded }
      #expect(second.ending == .exited(code: 69))
      #expect(second.errorOutput.contains("stop the program that listens there"))
      #expect(server.ending == nil)
    }
  }

  @Test func `what the options say is what clients are told`() throws {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let files = ["motd": "Hello $username", "rooms": "cinema\n", "password": "secret\n"]
      for (name, text) in files {
        _ = try PrivateFile.make(folder.path(of: name), Array(text.utf8))
      }
      let (server, _) = try Program.serve(
        Self.listening + [
          "--motd-file", folder.path(of: "motd"), "--keep-rooms", "--permanent-rooms-file",
          folder.path(of: "rooms"), "--syncplay-password-file", folder.path(of: "password"),
          "--isolate-rooms", "--disable-chat", "--disable-ready", "--max-username-length", "20",
          "--max-chat-message-length", "99",
        ], on: test)
      var stage = TCPStage(port: try #require(server.syncplayPort), on: test)
      defer { stage.close() }
      try SyncplayScript(
        #"""
        bob connects
        bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
        bob < {"Error":{"message":"Password required"}}
        ann connects
        ann > {"Hello":{"username":"ann","password":"5ebe2294ecd0e0f08eab7690d2a6ee69","room":{"name":"lobby"},"version":"1.7.7","features":{"persistentRooms":true}}}
        ann < {"Hello":{"motd":"Hello ann","features":{"isolateRooms":true,"chat":false,"readiness":false,"persistentRooms":true,"maxUsernameLength":20,"maxChatMessageLength":99}}}
        """#
      ).play(on: &stage)
      #expect(!server.errorOutput.contains("secret"))
    }
  }

  @Test func `versions of clients are counted in a file`() throws {
    try TestLoop.run { test in
      // The first count comes five seconds after the server's start, and the next one an hour
      // later. A busy machine may be too late for the first one.
      var counted = ""
      for _ in 0..<10 where counted.isEmpty { counted = try Self.countedVersions(on: test) }
      #expect(counted == "1.7.3 True\n")
    }
  }

  /// The versions that a new server has counted while somebody was there.
  private static func countedVersions(on test: TestLoop) throws -> String {
    let folder = try ScratchFolder()
    let path = folder.path(of: "stats.db")
    let (server, _) = try Program.serve(listening + ["--stats-db-file", path], on: test)
    var stage = TCPStage(port: try #require(server.syncplayPort), on: test)
    defer { stage.close() }
    try SyncplayScript(
      #"""
      ann connects
      ann > {"Hello":{"username":"ann","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.3","features":{}}}
      ann < {"Hello":{}}
      """#
    ).play(on: &stage)
    let made = try #require(changed(path))
    let end = test.loop.now + .seconds(15)
    try test.run(lookingEvery: .milliseconds(50)) {
      changed(path).map { $0 > made } == true || test.loop.now > end
    }
    server.kill(.terminate)
    try test.run { server.hasEnded }
    #expect(server.ending == .exited(code: 0), "\(server.errorOutput)")
    let question = """
      import sqlite3, sys
      for time, version in sqlite3.connect(sys.argv[1]).execute("SELECT * FROM clients_snapshots"):
        print(version, 1700000000 < time)
      """
    let told = try Program.run(["-c", question, path], of: "python3", on: test)
    #expect(told.ending == .exited(code: 0), "\(told.errorOutput)")
    return told.output
  }

  /// When a file was last written; `nil` if that is unknown.
  private static func changed(_ path: String) -> Date? {
    do {
      return try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    } catch {
      return nil
    }
  }

  @Test func `password and salt may stand in the environment, and options go before them`() throws {
    try TestLoop.run { test in
      let variables = ["SYNCPLAY_PASSWORD=secret", "SYNCPLAY_SALT=testsalt12"]
      let hello = #"{"username":"ann","room":{"name":"lobby"},"version":"1.7.7","features":{}"#
      let password = #""password":"5ebe2294ecd0e0f08eab7690d2a6ee69""#
      let (first, _) = try Program.serve(Self.listening, by: ["env"] + variables, on: test)
      var stage = TCPStage(port: try #require(first.syncplayPort), on: test)
      defer { stage.close() }
      try SyncplayScript(
        #"""
        bob connects
        bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
        bob < {"Error":{"message":"Password required"}}
        ann connects
        ann > {"Hello":\#(hello),\#(password)}}
        ann < {"Hello":{"username":"ann"}}
        ann > {"Set":{"controllerAuth":{"room":"lobby","password":"AB-123-456"}}}
        ann < {"Set":{"newControlledRoom":{"password":"AB-123-456","roomName":"+lobby:EB6501C30B97"}}}
        """#
      ).play(on: &stage)
      let (second, _) = try Program.serve(
        Self.listening + ["--syncplay-password", "other"], by: ["env"] + variables, on: test)
      var other = TCPStage(port: try #require(second.syncplayPort), on: test)
      defer { other.close() }
      try SyncplayScript(
        #"""
        ann connects
        ann > {"Hello":\#(hello),\#(password)}}
        ann < {"Error":{"message":"Wrong password supplied"}}
        """#
      ).play(on: &other)
    }
  }

  @Test func `managed rooms stay managed after a restart, by a salt that nobody else may read`()
    throws
  {
    try TestLoop.run { test in
      let folder = try ScratchFolder()
      let path = folder.path(of: "journal.sqlite.syncplay-salt")
      let options = Self.listening + ["--journal", folder.journal]
      let (first, _) = try Program.serve(options, on: test)
      let salt = try #require(FileManager.default.contents(atPath: path))
      #expect(salt.count == 11)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
      var stage = TCPStage(port: try #require(first.syncplayPort), on: test)
      try SyncplayScript(
        #"""
        ann enters lobby
        ann > {"Set":{"controllerAuth":{"room":"lobby","password":"AB-123-456"}}}
        ann < {"Set":{"newControlledRoom":{"password":"AB-123-456","roomName":"*"}}}
        """#
      ).play(on: &stage)
      stage.close()
      first.kill(.terminate)
      try test.run { first.hasEnded }
      let (second, _) = try Program.serve(options, on: test)
      #expect(FileManager.default.contents(atPath: path) == salt)
      let text = String(decoding: salt.dropLast(), as: UTF8.self)
      #expect(!(first.errorOutput + second.errorOutput).contains(text))
      second.kill(.terminate)
      try test.run { second.hasEnded }
      // Without Syncplay there is no salt.
      let other = try ScratchFolder()
      let (third, _) = try Program.serve(["--journal", other.journal], on: test)
      #expect(third.syncplayPort == nil)
      let unwanted = other.path(of: "journal.sqlite.syncplay-salt")
      #expect(!FileManager.default.fileExists(atPath: unwanted))
    }
  }
}
