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
/// The disk is read on other threads, one piece at a time for each connection.
final class WebMedia {
  private let server: any EdgeServer
  private let folder: ReadableFolder
  /// The list of all files, for as long as members who ask for it at once get the same.
  private var list: (bytes: SharedBytes, end: HostTime)?
  /// Who waits for the list while the folder is searched, which is not done twice at once.
  private var waiting: [HTTPConnection] = []
  private static let listTime = Duration.seconds(5)

  init(_ folder: ReadableFolder, of server: any EdgeServer) {
    self.folder = folder
    self.server = server
  }

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
      connection.say(.unavailable, "The server that decides is not reached; ask again soon.")
    }
  }

  // MARK: Files

  private func open(_ path: String, asked request: HTTPRequest, on connection: HTTPConnection) {
    let folder = folder
    server.loop.work({ folder.open(path) }) { [weak self] file in
      guard let self else { return connection.close() }
      guard let file else { return connection.say(.notFound, "There is no such file.") }
      send(file, at: path, asked: request, on: connection)
    }
  }

  private func send(
    _ file: ReadableFile, at path: String, asked request: HTTPRequest,
    on connection: HTTPConnection
  ) {
    // What tells one content from another without reading it.
    guard let tag = EntityTag(opaque: "\(file.size)-\(file.changed)") else {
      return connection.say(.internalError, "The file has no tag.")
    }
    let kept = [("ETag", tag.text), ("Cache-Control", "private, no-cache")] + SecurityFields.media
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
      connection.answer(
        response, streaming: FileContent(file, 0..<file.size, on: server.loop))
    case .part(let bytes):
      connection.answer(response, streaming: FileContent(file, bytes, on: server.loop))
    }
  }

  // MARK: The list

  private func sendList(on connection: HTTPConnection) {
    if let list, server.loop.now < list.end { return send(list.bytes, on: connection) }
    waiting.append(connection)
    guard waiting.count == 1 else { return }
    let (folder, most) = (folder, server.limits.mediaListed)
    // The text is made there, too: thousands of names take their time.
    server.loop.work({
      let found = folder.entries(atMost: most) { MediaKind($0) != .other }
      return SharedBytes(Self.text(of: found.entries, hasMore: found.hasMore))
    }) { [weak self] bytes in self?.keep(bytes) }
  }

  private func keep(_ bytes: SharedBytes) {
    list = (bytes, server.loop.now + Self.listTime)
    let waited = waiting
    waiting = []
    for connection in waited { send(bytes, on: connection) }
  }

  private func send(_ list: SharedBytes, on connection: HTTPConnection) {
    let fields = [("Content-Type", "application/json"), ("Cache-Control", "no-store")]
    connection.answer(HTTPResponse(.ok, fields + SecurityFields.media), list)
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
  private let loop: EventLoop
  private var rest: Range<Int>

  init(_ file: ReadableFile, _ range: Range<Int>, on loop: EventLoop) {
    self.file = file
    self.loop = loop
    count = range.count
    rest = range
  }

  func next(_ give: @escaping (HTTPPiece) -> Void) {
    let piece = rest.prefix(Self.pieceBytes)
    rest = rest.dropFirst(piece.count)
    let isLast = rest.isEmpty
    let file = file
    loop.work({ Self.read(piece, of: file, isLast: isLast) }, then: give)
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
