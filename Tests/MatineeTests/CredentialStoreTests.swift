import EventLoops
import FolderTesting
import Foundation
import PushTransports
import Testing
import Vocabulary

@testable import matinee

@Suite struct CredentialStoreTests {
  private let scratch: ScratchFolder
  private let store: CredentialStore
  private let server = "example.org:7878"

  init() throws {
    scratch = try ScratchFolder()
    store = try CredentialStore(environment: ["XDG_STATE_HOME": scratch.path(of: "state")])
  }

  /// The names of the stored files.
  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: store.path)
  }

  /// The path of the only stored file.
  private func file() throws -> String {
    let files = try files()
    try #require(files.count == 1)
    return "\(store.path)/\(files[0])"
  }

  private func mode(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/matinee/credentials"),
    (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/matinee/credentials"),
    (["XDG_STATE_HOME": "", "HOME": "/h"], "/h/.local/state/matinee/credentials"),
    (["HOME": "/h"], "/h/.local/state/matinee/credentials"),
  ])
  func `the credentials are in the user's state`(
    environment: [String: String], path: String
  ) throws {
    #expect(try CredentialStore(environment: environment).path == path)
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "h"], ["XDG_STATE_HOME": "s"]])
  func `without a place there is no store`(environment: [String: String]) throws {
    let error = #expect(throws: KeyFileError.self) {
      try CredentialStore(environment: environment)
    }
    #expect(error?.advice.contains("XDG_STATE_HOME") == true)
  }

  @Test func `asking leaves no trace`() throws {
    #expect(try store.credential(for: server, of: "ann") == nil)
    try store.forget(for: server, of: "ann")
    #expect(!FileManager.default.fileExists(atPath: scratch.path(of: "state")))
  }

  @Test func `a credential is made once, kept, replaced and forgotten`() throws {
    let first = try store.establish(for: server, of: "ann")
    #expect(Secret(first) != nil)
    #expect(try store.establish(for: server, of: "ann") == first)
    #expect(try store.credential(for: server, of: "ann") == first)
    #expect(try mode(of: try file()) == 0o600)
    #expect(try mode(of: store.path) == 0o700)
    #expect(try mode(of: scratch.path(of: "state")) == 0o700)
    let second = Secret(high: 1, low: 2).text
    try store.replace(second, for: server, of: "ann")
    #expect(try store.establish(for: server, of: "ann") == second)
    try store.forget(for: server, of: "ann")
    #expect(try store.credential(for: server, of: "ann") == nil)
    #expect(try files() == [])
    #expect(try ![first, second].contains(store.establish(for: server, of: "ann")))
  }

  @Test func `a credential may be stored before any is made`() throws {
    try store.replace(Secret(high: 1, low: 2).text, for: server, of: "ann")
    #expect(try store.establish(for: server, of: "ann") == Secret(high: 1, low: 2).text)
  }

  @Test func `each server and each person has an own one, whatever they are called`() throws {
    let texts = [
      "", ".", "..", "/", "../../x", "a", "A", "a b", " ", "\0", "a\0", "\n", "é", "e\u{301}",
      "a:1", "1 a", String(repeating: "🍿", count: 5_000),
    ]
    var seen: Set<String> = []
    for server in texts {
      for user in texts { seen.insert(try store.establish(for: server, of: user)) }
    }
    #expect(seen.count == texts.count * texts.count)
    #expect(try files().count == seen.count)
    #expect(try files().allSatisfy { $0.utf8.count == 43 })
    for server in texts {
      for user in texts {
        #expect(try store.credential(for: server, of: user).map(seen.contains) == true)
      }
    }
  }

  @Test(arguments: [
    "", "0", "0123456789abcdefghjkmnpqrI", "\(Secret(high: 1, low: 2).text)0",
    "\(Secret(high: 1, low: 2).text)\n",
  ])
  func `what is no credential is neither stored nor used`(text: String) throws {
    let kept = try store.establish(for: server, of: "ann")
    #expect(throws: KeyFileError.self) { try store.replace(text, for: server, of: "ann") }
    #expect(try store.credential(for: server, of: "ann") == kept)
    let path = try file()
    try write(text, to: path)
    let asked = #expect(throws: KeyFileError.self) {
      try store.credential(for: server, of: "ann")
    }
    let established = #expect(throws: KeyFileError.self) {
      try store.establish(for: server, of: "ann")
    }
    for error in [asked, established] {
      #expect(error?.path == path)
      #expect(error?.problem == "this is no credential of 26 letters and digits")
      #expect(text.count < 2 || error?.description.contains(text) == false)
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(text.utf8))
    try store.forget(for: server, of: "ann")
    _ = try store.establish(for: server, of: "ann")
  }

  @Test func `a file that others may read, and a link, are refused with advice`() throws {
    _ = try store.establish(for: server, of: "ann")
    let path = try file()
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    let open = #expect(throws: KeyFileError.self) {
      try store.establish(for: server, of: "ann")
    }
    #expect(open?.path == path)
    #expect(open?.advice == "restrict it: chmod 600 \(path)")
    let elsewhere = scratch.path(of: "elsewhere")
    try write(Secret(high: 1, low: 2).text, to: elsewhere)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    let link = #expect(throws: KeyFileError.self) {
      try store.credential(for: server, of: "ann")
    }
    #expect(link?.path == path)
    #expect(link?.problem.contains("symbolic link") == true)
    try store.replace(Secret(high: 3, low: 4).text, for: server, of: "ann")
    #expect(try store.credential(for: server, of: "ann") == Secret(high: 3, low: 4).text)
    #expect(try String(contentsOfFile: elsewhere, encoding: .utf8) == Secret(high: 1, low: 2).text)
  }

  @Test func `a directory that others may read is refused with advice`() throws {
    _ = try store.establish(for: server, of: "ann")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.path)
    let open = #expect(throws: KeyFileError.self) { try store.credential(for: server, of: "ann") }
    #expect(open?.path == store.path)
    #expect(open?.advice == "restrict it: chmod 700 \(store.path)")
    #expect(throws: KeyFileError.self) { try store.forget(for: server, of: "ann") }
  }

  @Test func `a place where nothing can be made is an error`() throws {
    let store = try CredentialStore(environment: ["HOME": "/proc/self/stat"])
    let asked = #expect(throws: KeyFileError.self) { try store.credential(for: server, of: "ann") }
    let made = #expect(throws: KeyFileError.self) { try store.establish(for: server, of: "ann") }
    #expect(asked?.path == store.path && made?.path == store.path)
  }

  /// Calls `body` on this many threads, which all start together.
  private func together(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let (ready, gate, done) = (DispatchGroup(), DispatchGroup(), DispatchGroup())
    gate.enter()
    for _ in 0..<count {
      ready.enter()
      done.enter()
      Thread.detachNewThread {
        ready.leave()
        gate.wait()
        body()
        done.leave()
      }
    }
    ready.wait()
    gate.leave()
    done.wait()
  }

  @Test func `all that ask at once get the same credential, and it stays`() throws {
    for round in 0..<50 {
      let given = Locked<[String]>([])
      let (server, state) = (server, scratch.path(of: "round-\(round)"))
      together(8) {
        do {
          // A store of its own, as another process has.
          let store = try CredentialStore(environment: ["XDG_STATE_HOME": state])
          let credential = try store.establish(for: server, of: "ann")
          given.withLock { $0.append(credential) }
        } catch {
          Issue.record(error)
        }
      }
      let all = given.withLock { $0 }
      #expect(all.count == 8 && Set(all).count == 1)
      let store = try CredentialStore(environment: ["XDG_STATE_HOME": state])
      #expect(try store.credential(for: server, of: "ann") == all.first)
      #expect(try FileManager.default.contentsOfDirectory(atPath: store.path).count == 1)
    }
  }
}
