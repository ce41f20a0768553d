import EventLoops
import Foundation
import PushTransports
import Testing

@Suite struct KeyFileTests {
  @Test func `a key is read from its file`() async throws {
    let key = SigningKey()
    try await withFile(key.pem) { path in
      let read = try [KeyFile.read(path), KeyFile.readOrMake(path)]
      #expect(read.map(\.publicKey) == [key.publicKey, key.publicKey])
    }
  }

  @Test func `a key that is not there is made, for nobody else to read`() throws {
    let directory = try PrivateDirectory(prefix: "matinee-keys-")
    defer { directory.remove(files: ["key"]) }
    let path = directory.path(of: "key")
    let made = try KeyFile.readOrMake(path)
    #expect(try KeyFile.read(path).publicKey == made.publicKey)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(throws: KeyFileError.self) { try KeyFile.readOrMake(directory.path + "/no/key") }
  }

  @Test func `a key that somebody else made meanwhile is the key`() throws {
    let directory = try PrivateDirectory(prefix: "matinee-keys-")
    defer { directory.remove(files: ["key"]) }
    let path = directory.path(of: "key")
    let first = SigningKey()
    let key = try KeyFile.readOrMake(
      path,
      making: {
        _ = FileManager.default.createFile(
          atPath: path, contents: Data(first.pem.utf8), attributes: [.posixPermissions: 0o600])
        return Array("another".utf8)
      }, reading: KeyFile.read)
    #expect(key.publicKey == first.publicKey)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["key"])
  }

  @Test(arguments: [0o604, 0o640, 0o620, 0o666])
  func `a key that others may read or change is none`(mode: Int) async throws {
    try await withFile(SigningKey().pem) { path in
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let error = try error(path)
      #expect(error.problem == "others may read or change the file")
      #expect(error.advice.hasSuffix("chmod 600 \(path)"))
      // The file is not replaced by a new one.
      #expect(throws: KeyFileError.self) { try KeyFile.readOrMake(path) }
    }
  }

  private func error(_ path: String) throws -> KeyFileError {
    try #require(throws: KeyFileError.self) { try KeyFile.read(path) }
  }

  private func problem(with text: String) async throws -> String {
    try await withFile(text) { path in
      let error = try error(path)
      #expect(error.description.hasPrefix(path + ": "))
      #expect(!error.description.contains("c2VjcmV0"))
      return error.problem
    }
  }

  @Test func `what is wrong with a file is said, and never what is in it`() async throws {
    #expect(try error("/nowhere/key").problem == "there is no such file")
    #expect(try error("/").problem == "this is not a file")
    #expect(try error("/dev/zero").problem == "this is not a file")
    #expect(try error("/dev/null/key").problem == "there is no such file")
    #expect(try await problem(with: "") == "the file is empty")
    #expect(
      try await problem(with: String(repeating: "x", count: 16_385))
        == "the file is larger than 16384 bytes")
    #expect(
      try await problem(with: "c2VjcmV0") == "this is neither PEM nor a key in Base64URL")
    #expect(
      try await problem(with: "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n")
        == "this is not a private P-256 key")
  }
}
