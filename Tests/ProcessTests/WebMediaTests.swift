import ClipTesting
import EventLoops
import FolderTesting
import Foundation
import LoopTesting
import ProgramTesting
import Testing
import WebSocketTesting

/// `matinee serve --media`, by the built program.
@Suite struct WebMediaTests {
  /// A browser of ann's, who watches the film in a session, beside a server with a folder of media.
  private final class Evening {
    let folder: ScratchFolder
    let server: Program
    let native: UInt16
    let web: UInt16
    let ann: WebPeer
    private let ben: Caller
    let test: TestLoop
    private var nextRequest = 10

    static let film = "0123456789"

    init(_ options: [String] = [], by wrapper: [String] = [], on test: TestLoop) throws {
      self.test = test
      folder = try ScratchFolder([
        "Film.mp4": Self.film, "Zoë & Max.webm": "z", ".hidden.mp4": "no", "notes.txt": "no",
      ])
      let files = FileManager.default
      try files.createDirectory(
        atPath: folder.path(of: "Season 1/Folge"), withIntermediateDirectories: true)
      try "x".write(
        toFile: folder.path(of: "Season 1/Folge/1.mkv"), atomically: false, encoding: .utf8)
      try files.createSymbolicLink(
        atPath: folder.path(of: "link.mp4"), withDestinationPath: folder.path(of: "Film.mp4"))
      try files.createSymbolicLink(atPath: folder.path(of: "root"), withDestinationPath: "/etc")
      (server, native) = try Program.serve(
        ["--http", "127.0.0.1:0", "--media", folder.path] + options, by: wrapper, on: test)
      let server = server
      try test.run { server.port(of: "serving browsers") != nil }
      web = try #require(server.port(of: "serving browsers"))
      ann = try WebPeer(port: web, on: test)
      ben = try Caller(port: native, on: test)
      _ = try ann.upgrade()
      try ann.say(#"{"type":"hello","user":"ann","features":["sessions"]}"#)
      _ = try ask(#""joinGroup","group":"friday""#)
      // Nobody watches alone.
      try ben.enter("friday", as: "ben")
      let ann = ann
      try test.run { ann.heard(#""user":"ben""#) }
    }

    /// What the server answers to a request; the request without its number.
    func ask(_ request: String) throws -> String {
      nextRequest += 1
      let mark = #""id":\#(nextRequest)"#
      try ann.say(#"{"type":\#(request),\#(mark)}"#)
      let ann = ann
      try test.run { ann.heard(mark) }
      return try #require(ann.messages.last { $0.contains(mark) })
    }

    /// Starts an activity and takes part.
    func watch(_ url: String? = nil) throws {
      let media = url.map { #","media":{"url":"\#($0)"}"# } ?? ""
      let answer = try ask(
        #""activate","activity":{"type":"film","metadata":{"title":"Film"}\#(media)}"#)
      let session = try #require(Self.text(of: "session", in: answer))
      _ = try ask(#""join","session":"\#(session)""#)
    }

    func open(_ url: String) throws -> String {
      try #require(Self.text(of: "address", in: try ask(#""openMedia","url":"\#(url)""#)))
    }

    static func text(of field: String, in line: String) -> String? {
      guard let start = line.firstRange(of: #""\#(field)":""#)?.upperBound else { return nil }
      return String(line[start...].prefix { $0 != "\"" })
    }

    func get(_ path: String, _ fields: String..., method: String = "GET") throws -> WebPeer.Answer {
      try WebPeer(port: web, on: test).get(path, fields, method: method)
    }

    /// Whether the server has a file of this name open (proc(5)).
    func hasOpen(_ name: String) -> Bool {
      let files = FileManager.default
      let folder = "/proc/\(server.id)/fd"
      do {
        return try files.contentsOfDirectory(atPath: folder).contains {
          try files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)").hasSuffix("/\(name)")
        }
      } catch {
        // A descriptor was closed in the meantime.
        return true
      }
    }
  }

  @Test func `a member sees what there is, and nothing that is hidden, a link or no film`() throws {
    try TestLoop.run { test in
      let evening = try Evening(on: test)
      let answer = try evening.ask(#""listMedia""#)
      let list = try evening.get(try #require(Evening.text(of: "address", in: answer)))
      #expect(list.status == 200 && list["cache-control"] == "no-store")
      #expect(list["access-control-allow-origin"] == "*")
      #expect(
        list.text == #"{"media":[{"url":"/media/Film.mp4","size":10},"#
          + #"{"url":"/media/Season%201/Folge/1.mkv","size":1},"#
          + #"{"url":"/media/Zo%C3%AB%20%26%20Max.webm","size":1}],"more":false}"#)
    }
  }

  @Test func `other players fetch media at the server's page, and never at an app's`() throws {
    try TestLoop.run { test in
      let app = ["--origin", "https://app.example"]
      let evening = try Evening(app, on: test)
      #expect(try evening.ask(#""listMedia""#).contains(#""port":\#(evening.web)"#))
      let behindProxy = try Evening(app + ["--page", "https://Watch.Example/"], on: test)
      #expect(
        try behindProxy.ask(#""listMedia""#).contains(#""origin":"https://watch.example""#))
    }
  }

  @Test func `several who ask for the list at once all get it`() throws {
    try TestLoop.run { test in
      let evening = try Evening(on: test)
      let answer = try evening.ask(#""listMedia""#)
      let address = try #require(Evening.text(of: "address", in: answer))
      let peers = try (0..<5).map { _ in try WebPeer(port: evening.web, on: test) }
      for peer in peers { try peer.ask(address, [], method: "GET") }
      for peer in peers { #expect(try peer.wholeAnswer().text.hasPrefix(#"{"media":[{"url""#)) }
    }
  }

  @Test func `a participant's player fetches parts of a file, as long as the session lives`() throws
  {
    try TestLoop.run { test in
      let evening = try Evening(on: test)
      try evening.watch()
      let address = try evening.open("/media/Film.mp4")
      let whole = try evening.get(address)
      #expect(whole.status == 200 && whole.text == Evening.film)
      #expect(whole["content-type"] == "video/mp4" && whole["accept-ranges"] == "bytes")
      // An app's page of another origin may show it; the address is the proof.
      #expect(whole["cross-origin-resource-policy"] == "cross-origin")
      let part = try evening.get(address, "Range: bytes=2-4")
      #expect(part.status == 206 && part.text == "234")
      #expect(part["content-range"] == "bytes 2-4/10")
      let tag = try #require(whole["etag"])
      #expect(try evening.get(address, "Range: bytes=8-", "If-Range: \(tag)").text == "89")
      #expect(try evening.get(address, "Range: bytes=8-", #"If-Range: "x""#).text == Evening.film)
      #expect(try evening.get(address, "If-None-Match: \(tag)").status == 304)
      let beyond = try evening.get(address, "Range: bytes=10-")
      #expect(beyond.status == 416 && beyond["content-range"] == "bytes */10")
      let head = try evening.get(address, method: "HEAD")
      #expect(head["content-length"] == "10" && head.body.isEmpty)
      let second = try evening.open("/media/Season%201/Folge/1.mkv")
      #expect(try evening.get(second).text == "x")
      _ = try evening.ask(#""end""#)
      #expect(try evening.get(address).status == 403)
    }
  }

  /// With an address made for the very path; another path is refused before the disk is looked at.
  @Test(arguments: [
    ("/media/link.mp4", 404), ("/media/root/passwd", 404), ("/media/.hidden.mp4", 404),
    ("/media/Season%201", 404), ("/media/nothing.mp4", 404), ("/media/notes.txt", 200),
    ("/media/../secret", 400), ("/media/%2e%2e/secret", 400), ("/media/Season%201%2FFolge", 400),
    ("/media//Film.mp4", 400), ("/media/Film.mp4/", 404), ("/media/Film.mp4%00", 400),
  ])
  func `nothing outside the folder is reached`(url: String, status: Int) throws {
    try TestLoop.run { test in
      let evening = try Evening(on: test)
      try evening.watch()
      #expect(try evening.get(try evening.open(url)).status == status)
      let address = try evening.open("/media/Film.mp4")
      let other = address.replacing("/Film.mp4", with: url.dropFirst("/media".count))
      #expect(try evening.get(other).status >= 400)
      #expect(try evening.get(url).status >= 400)
      #expect(evening.server.ending == nil)
    }
  }

  @Test func `mpv plays the server's film with those who watch in a browser`() throws {
    try TestLoop.run { test in
      let evening = try Evening(on: test)
      try FileManager.default.copyItem(
        atPath: Clip.shared().withSound, toPath: evening.folder.path(of: "Clip.mp4"))
      try evening.watch("/media/Clip.mp4")
      let cas = try Program(
        [
          "join", "--server", "127.0.0.1:\(evening.native)", "--group", "friday", "--as", "Cas",
          "--headless",
        ], on: test, takesInput: true)
      try cas.say("expect paused within 600s\nplay\nexpect beyond 0:02 within 600s\nquit")
      try test.run { cas.hasEnded }
      #expect(cas.ending == .exited(code: 0), "\(cas.output) \(cas.errorOutput)")
    }
  }

  @Test func `a large film is read as fast as its viewer reads, and no faster`() throws {
    try TestLoop.run { test in
      let evening = try Evening(on: test)
      let bytes = 64 * 1024 * 1024
      let path = evening.folder.path(of: "large.mp4")
      #expect(FileManager.default.createFile(atPath: path, contents: nil))
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: UInt64(bytes))
      try evening.watch()
      let address = try evening.open("/media/large.mp4")
      let before = try residentBytes(of: evening.server)
      let viewers = try (0..<8).map { _ in
        let viewer = try WebPeer(port: evening.web, on: test)
        try viewer.ask(address, [], method: "GET")
        viewer.pauseReading()
        return viewer
      }
      // Others are served in the meantime.
      for _ in 0..<20 { #expect(try evening.get("/healthz").status == 200) }
      #expect(try residentBytes(of: evening.server) - before < 32 * 1024 * 1024)
      let viewer = try #require(viewers.first)
      viewer.resumeReading()
      let answer = try viewer.wholeAnswer()
      #expect(answer.body.count == bytes && answer.body.allSatisfy { $0 == 0 })
    }
  }

  @Test func `a film is closed once it is sent, or nobody fetches it any more`() throws {
    try TestLoop.run { test in
      let evening = try Evening(on: test)
      try evening.watch()
      let address = try evening.open("/media/Film.mp4")
      #expect(try evening.get(address).text == Evening.film)
      #expect(try evening.get(address, method: "HEAD").status == 200)
      try test.run(lookingEvery: .milliseconds(10)) { !evening.hasOpen("Film.mp4") }
    }
  }

  @Test func `a film on a disk that hangs holds up neither other films nor a stop`() throws {
    try TestLoop.run { test in
      let disk = HangingDisk.wrapper(hangingAt: [.read, .close], of: "Hanging.mp4")
      let evening = try Evening(["--drain-deadline", "0.2"], by: disk, on: test)
      try Evening.film.write(
        toFile: evening.folder.path(of: "Hanging.mp4"), atomically: false, encoding: .utf8)
      try evening.watch()
      let hanging = try evening.open("/media/Hanging.mp4")
      // Nothing is read, so the file is closed at once, which hangs.
      #expect(try evening.get(hanging, method: "HEAD").status == 200)
      // One less than there are threads.
      let viewers = try (0..<3).map { _ in
        let viewer = try WebPeer(port: evening.web, on: test)
        try viewer.ask(hanging, [], method: "GET")
        return viewer
      }
      let film = try evening.open("/media/Film.mp4")
      for _ in 0..<3 { #expect(try evening.get(film).text == Evening.film) }
      let isCutOff = viewers.contains { $0.hasEnded }
      #expect(!isCutOff)
      let server = evening.server
      server.kill(.terminate)
      try test.run(within: .seconds(60)) { server.hasEnded }
      #expect(server.ending == .exited(code: 0), "\(server.errorOutput)")
    }
  }

  @Test func `while files cannot be closed, only so many are opened`() throws {
    try TestLoop.run { test in
      let disk = HangingDisk.wrapper(hangingAt: [.close], of: "Hanging.mp4")
      let evening = try Evening(["--web-connections", "4"], by: disk, on: test)
      try Evening.film.write(
        toFile: evening.folder.path(of: "Hanging.mp4"), atomically: false, encoding: .utf8)
      try evening.watch()
      let hanging = try evening.open("/media/Hanging.mp4")
      for _ in 0..<4 { #expect(try evening.get(hanging, method: "HEAD").status == 200) }
      let refusal = try evening.get(hanging, method: "HEAD")
      #expect(refusal.status == 503 && refusal["retry-after"] == "1")
      #expect(try evening.get("/healthz").status == 200)
    }
  }

  @Test(arguments: [
    (["--media", "/"], 64, "give --http"),
    (["--http", "127.0.0.1:0", "--media", "/nowhere/films"], 66, "/nowhere/films"),
  ])
  func `a mistake is told before anything starts`(options: [String], code: Int64, words: String)
    throws
  {
    try TestLoop.run { test in
      let server = try Program.run(["serve"] + options, on: test)
      #expect(server.ending == .exited(code: code))
      #expect(server.errorOutput.contains(words), "\(server.errorOutput)")
    }
  }

  /// How much memory a program has (proc(5)).
  private func residentBytes(of program: Program) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(program.id)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
  }
}
