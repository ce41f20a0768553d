import Foundation
import MatineeClient
import Testing

/// The built `matinee serve`, as the people of a story use it.
enum Server {
  /// The server ended before it listened; its log is in `log`.
  struct DidNotStart: Error { let log: String }

  /// Runs with a server of its own in a temporary folder, and stops it.
  ///
  /// - Parameters:
  ///   - campaigns: the files of campaigns by their names; the player's campaign if there are none.
  ///   - administratorKey: the key of the app's backend, if the story has one.
  ///   - body: what the people do.
  @MainActor static func run(
    campaigns: [String: String] = [:], administratorKey: String? = nil,
    _ body: (Endpoint) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "matinee-story-\(UUID().uuidString)")
    let files = folder.appending(path: "campaigns")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    defer { remove(folder) }
    for (name, text) in campaigns {
      try text.write(to: files.appending(path: name), atomically: false, encoding: .utf8)
    }
    var arguments = ["serve", "--listen", "127.0.0.1:0", "--journal", "memory"]
    arguments += ["--message-interval", "0"]
    if !campaigns.isEmpty { arguments += ["--campaigns", files.path()] }
    if let administratorKey {
      let file = folder.appending(path: "admin.key").path()
      let isThere = FileManager.default.createFile(
        atPath: file, contents: Data(administratorKey.utf8), attributes: [.posixPermissions: 0o600])
      try #require(isThere)
      arguments += ["--admin-key-file", file]
    }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let (end, ending) = AsyncStream.makeStream(of: Void.self)
    process.terminationHandler = { _ in ending.finish() }
    let log = log(of: process)
    try process.run()
    let result: Result<Void, any Error>
    do {
      try await body(Endpoint(host: "127.0.0.1", port: try await port(in: log)))
      result = .success(())
    } catch { result = .failure(error) }
    if process.isRunning { process.terminate() }
    for await _ in end {}
    try result.get()
  }

  /// The program that `MATINEE` names, or that of the parent package's build.
  private static var program: URL {
    if let path = ProcessInfo.processInfo.environment["MATINEE"] { return URL(filePath: path) }
    var root = URL(filePath: #filePath)
    for _ in 1...5 { root.deleteLastPathComponent() }
    return root.appending(path: ".build/debug/matinee")
  }

  /// What the process writes on its standard error, until it ends.
  private static func log(of process: Process) -> AsyncStream<String> {
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    let (log, writer) = AsyncStream.makeStream(of: String.self)
    // The handle's own handler, by libdispatch, crashes when the process ends.
    Thread.detachNewThread {
      while true {
        let data = pipe.fileHandleForReading.availableData
        guard !data.isEmpty else { return writer.finish() }
        writer.yield(String(decoding: data, as: UTF8.self))
      }
    }
    return log
  }

  /// The port in the line `address=127.0.0.1:PORT … listening`.
  private static func port(in log: AsyncStream<String>) async throws -> UInt16 {
    var text = ""
    for await part in log {
      text += part
      guard let end = text.range(of: "] listening")?.lowerBound else { continue }
      let address = text[..<end].split(separator: "address=").last?.prefix { $0 != " " }
      if let port = address?.split(separator: ":").last.flatMap({ UInt16($0) }) { return port }
    }
    throw DidNotStart(log: text)
  }

  private static func remove(_ folder: URL) {
    do {
      try FileManager.default.removeItem(at: folder)
    } catch {
      // A leftover folder does no harm.
    }
  }
}
