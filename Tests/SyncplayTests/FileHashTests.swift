import GroupSessions
import Naming
import Testing
import Vocabulary

@testable import Syncplay

/// Names and sizes that users hide behind hashes; the expected ones are from Syncplay's own
/// `utils.py`.
@Suite struct FileHashTests {
  @Test(arguments: [
    ("film.mp4", "da5973094b77"), ("Some Film_ (2010) [1080p].mkv", "96038689f657"),
    ("100%25 Wolf%20-%20one.mkv", "8b72431413d4"), ("Ärger über Öl.mkv", "a997872835b2"),
    ("50% off.mp4", "8baba0f04631"), ("a%C3.mp4", "9d275957e448"), ("", "e3b0c44298fc"),
    ("**Hidden filename**", "7e35c391a4d5"), ("%zz~:.mkv", "443ebe120f3c"),
  ])
  func `a name's hash is that of Syncplay's clients`(name: String, hash: String) {
    #expect(SyncplayFile.hash(ofName: name) == hash)
  }

  @Test(
    arguments: [
      (0, "5feceb66ffc8"), (1, "6b86b273ff34"), (123_456_789, "15e2b0d3c338"),
      (9_000_000_000, "593a6d58f34e"),
    ] as [(Int64, String)])
  func `a size's hash is that of Syncplay's clients`(bytes: Int64, hash: String) {
    #expect(SyncplayFile.hash(ofSize: bytes) == hash)
  }

  @Test(
    arguments: [
      ("1234", .bytes(1234)), (#""15e2b0d3c338""#, .hashed("15e2b0d3c338")), ("0", nil),
      ("-1", nil), ("1.5", nil), (#""""#, nil), ("{}", nil), ("null", nil),
      (#""0123456789abc""#, nil),
    ] as [(String, FileSize?)])
  func `a file's size is read, and one of another form only relayed`(
    text: String, size: FileSize?
  ) throws {
    var decoder = SyncplayLineDecoder(SyncplayOptions(salt: "x"))
    let line = Array(#"{"Set":{"file":{"name":"a","size":\#(text)}}}"#.utf8)
    guard case .messages(let messages, fault: nil) = decoder.decode(line.span),
      case .set(.file(let file?))? = messages.first
    else {
      Issue.record("there is no file in it")
      return
    }
    #expect(file.size == size && file.text.text.contains(#""size":\#(text)"#))
  }

  @Test(
    arguments: [
      (.bytes(7), #""size":7"#), (.hashed("15e2b0d3c338"), #""size":"15e2b0d3c338""#),
      (nil, #""size":0"#),
    ] as [(FileSize?, String)])
  func `clients are told a guest's size as that of their own`(size: FileSize?, text: String) {
    let film = SyncplayGuest.Film(item: "film.mp4", size: size, length: .seconds(1))
    #expect(film.text(nameCodePoints: 250).text.contains(text))
  }
}
