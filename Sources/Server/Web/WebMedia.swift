import Coordination
import EventLoops
import HTTP
import JSON
import Signatures
import Transports
import Vocabulary
import WebAddresses

/// Sends the server's media to those whose address lets them fetch it.
///
/// The disk is used on threads of their own, because it may hang: files are opened, read and closed
/// there, one piece at a time for each connection.
final class WebMedia {
  private let server: any EdgeServer
  private let folder: ReadableFolder
  private let pool: ThreadPool
  private let closer: FileCloser
  /// The list of all files, for as long as members who ask for it at once get the same.
  private var list: (bytes: SharedBytes, end: HostTime)?
  /// Who waits for the list while the folder is searched, which is not done twice at once.
  private var waiting: [HTTPConnection] = []
  private static let listTime = Duration.seconds(5)
  /// A slow file keeps one of them busy, and viewers of other files use the others.
  private static let threads = 4
  /// The `Retry-After` of a 503, in seconds.
  ///
  /// A server in front sends it when no server decided in time, or when it takes over itself, which
  /// takes less.
  private static let retryPause = 1

  /// Starts the threads.
  ///
  /// - Throws: the system's error if one cannot be started.
  init(_ folder: ReadableFolder, of server: any EdgeServer) throws(UVError) {
    self.folder = folder
    self.server = server
    closer = try FileCloser()
    pool = try ThreadPool(
      on: server.loop, threads: Self.threads, jobsAtMost: server.limits.webConnections)
  }

  /// Refuses the requests that wait for the disk, and releases the loop.
  ///
  /// It does not wait for the disk. A second call does nothing.
  func close() { pool.close() }

  /// Answers a request for an address below `/media/`.
  func answer(_ request: HTTPRequest, on connection: HTTPConnection) {
    server.findMedia(at: request.target.path) { [weak self] found in
      guard let self else { return connection.close() }
      answer(request, with: found, on: connection)
    }
  }

  private func answer(
    _ request: HTTPRequest, with found: FoundMedia, on connection: HTTPConnection
  ) {
    switch found {
    case .file(let path): open(path, asked: request, on: connection)
    case .list: sendList(on: connection)
    case .refused:
      connection.say(.forbidden, "This address lets nobody in any more; ask for another.")
    case .unknown:
      connection.say(
        .unavailable, "The server that decides is not reached; ask again soon.",
        retryAfter: Self.retryPause)
    }
  }

  // MARK: Files

  private func open(_ path: String, asked request: HTTPRequest, on connection: HTTPConnection) {
    let (folder, closer) = (folder, closer)
    // While the disk hangs, clients that come and go would leave ever more files to close.
    guard closer.waiting < server.limits.webConnections else { return refuse(connection) }
    pool.run({ folder.open(path, closedBy: closer) }) { [weak self] opened in
      guard let self else { return connection.close() }
      guard let opened else { return refuse(connection) }
      guard let file = opened else { return connection.say(.notFound, "There is no such file.") }
      send(file, at: path, asked: request, on: connection)
    }
  }

  private func refuse(_ connection: HTTPConnection) {
    connection.say(
      .unavailable, "The media cannot be read at present; ask again soon.",
      retryAfter: Self.retryPause)
  }

  private func send(
    _ file: ReadableFile, at path: String, asked request: HTTPRequest,
    on connection: HTTPConnection
  ) {
    // What tells one content from another without reading it.
    guard let tag = EntityTag(opaque: "\(file.size)-\(file.changed)") else {
      return connection.say(.internalError, "The file has no tag.")
    }
    let kept = [("ETag", tag.text), ("Cache-Control", "private, no-cache")] + SecurityFields.shared
    if tag.isHeld(byClientWith: request.fields["if-none-match"]) {
      return connection.answer(HTTPResponse(.notModified, kept))
    }
    let range = ByteRange(askedBy: request, size: file.size, tag: tag)
    var fields = [("Accept-Ranges", "bytes"), ("Content-Type", MediaKind(path).type)] + kept
    if let part = range.contentRange(size: file.size) { fields.append(("Content-Range", part)) }
    let response = HTTPResponse(range.status, fields)
    switch range {
    case .unsatisfiable: connection.answer(response)
    case .whole:
      connection.answer(response, streaming: content(of: file, 0..<file.size, for: request))
    case .part(let bytes):
      connection.answer(response, streaming: content(of: file, bytes, for: request))
    }
  }

  private func content(
    of file: ReadableFile, _ bytes: Range<Int>, for request: HTTPRequest
  ) -> FileContent {
    let (server, address) = (server, request.target.path)
    return FileContent(file, bytes, readIn: pool) { isRefused in
      server.findMedia(at: address) { isRefused($0 == .refused) }
    }
  }

  // MARK: The list

  private func sendList(on connection: HTTPConnection) {
    if let list, server.loop.now < list.end { return send(list.bytes, on: connection) }
    guard waiting.count < server.limits.webConnections else { return refuse(connection) }
    waiting.append(connection)
    guard waiting.count == 1 else { return }
    let (folder, most) = (folder, server.limits.mediaListed)
    // The text is made there, too: thousands of names take their time.
    pool.run({
      let found = folder.entries(atMost: most) { MediaKind($0) != .other }
      return SharedBytes(Self.text(of: found.entries, hasMore: found.hasMore))
    }) { [weak self] bytes in self?.keep(bytes) }
  }

  /// Answers those who wait for the list; `nil` means that the folder was not searched.
  private func keep(_ bytes: SharedBytes?) {
    let waited = waiting
    waiting = []
    guard let bytes else { return waited.forEach(refuse) }
    list = (bytes, server.loop.now + Self.listTime)
    for connection in waited { send(bytes, on: connection) }
  }

  private func send(_ list: SharedBytes, on connection: HTTPConnection) {
    let fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    connection.answer(HTTPResponse(.ok, fields + SecurityFields.shared), list)
  }

  private static func text(of entries: [ReadableFolder.Entry], hasMore: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("media")
    writer.beginArray()
    for entry in entries {
      let parts = entry.path.split(separator: "/").map { PercentEncoding.part(for: String($0)) }
      writer.beginObject()
      writer.field("url", MediaSigner.root + parts.joined(separator: "/"))
      writer.field("size", entry.size)
      writer.endObject()
    }
    writer.endArray()
    writer.field("more", hasMore)
    writer.endObject()
    return Array(writer.bytes)
  }
}

@available(*, unavailable)
extension WebMedia: Sendable {}

/// A part of a file, read piece by piece.
private final class FileContent: HTTPContent {
  /// A piece is read in a millisecond from a slow disk, and is a hundred packets.
  private static let pieceBytes = 256 * 1024

  let count: Int
  private let file: ReadableFile
  private let pool: ThreadPool
  private var rest: Range<Int>
  /// Asks whether the address lets nobody in any more; a player may take hours for one answer.
  private let check: (@escaping (_ isRefused: Bool) -> Void) -> Void
  /// How many pieces are sent before it is asked again: 8 MiB, which are seconds of a film.
  private static let piecesPerCheck = 32
  private var pieces = 0
  private var isRefused = false

  init(
    _ file: ReadableFile, _ range: Range<Int>, readIn pool: ThreadPool,
    checkedBy check: @escaping (@escaping (_ isRefused: Bool) -> Void) -> Void
  ) {
    self.file = file
    self.pool = pool
    self.check = check
    count = range.count
    rest = range
  }

  func next(_ give: @escaping (HTTPPiece) -> Void) {
    guard !isRefused else { return give(.failed) }
    pieces += 1
    // The film goes on meanwhile: the server that decides may be away for a moment.
    if pieces.isMultiple(of: Self.piecesPerCheck) { check { [weak self] in self?.isRefused = $0 } }
    let piece = rest.prefix(Self.pieceBytes)
    rest = rest.dropFirst(piece.count)
    let isLast = rest.isEmpty
    let file = file
    pool.run({ Self.read(piece, of: file, isLast: isLast) }) { give($0 ?? .failed) }
  }

  private static func read(_ piece: Range<Int>, of file: ReadableFile, isLast: Bool) -> HTTPPiece {
    do throws(UVError) {
      let bytes = try file.read(piece)
      // The file has become shorter.
      guard bytes.count == piece.count else { return .failed }
      return isLast ? .last(bytes) : .bytes(bytes)
    } catch {
      return .failed
    }
  }
}

@available(*, unavailable)
extension FileContent: Sendable {}

/// What a file is, by the end of its name.
enum MediaKind: String {
  case mp4, m4v, mov, webm, mkv, ogv, mp3, m4a, ogg, oga, opus, flac, wav, vtt, other

  init(_ name: String) {
    let end = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    self = name.contains(".") ? MediaKind(rawValue: end) ?? .other : .other
  }

  /// The media type (RFC 9110, 8.3).
  var type: String {
    switch self {
    case .mp4, .m4v: "video/mp4"
    case .mov: "video/quicktime"
    case .webm: "video/webm"
    case .mkv: "video/x-matroska"
    case .ogv: "video/ogg"
    case .mp3: "audio/mpeg"
    case .m4a: "audio/mp4"
    case .ogg, .oga, .opus: "audio/ogg"
    case .flac: "audio/flac"
    case .wav: "audio/wav"
    case .vtt: "text/vtt; charset=utf-8"
    case .other: "application/octet-stream"
    }
  }
}
