import GroupSessions
import Naming
import Testing
import Vocabulary

@testable import Syncplay

/// Sizes of files, plain and hidden behind a hash.
@Suite struct FileSizeTests {
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
