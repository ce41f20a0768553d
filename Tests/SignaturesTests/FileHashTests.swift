import Signatures
import Testing

/// Names and sizes that people hide behind hashes; the expected ones are from Syncplay's own
/// `utils.py`.
@Suite struct FileHashTests {
  @Test(arguments: [
    ("film.mp4", "da5973094b77"), ("Some Film_ (2010) [1080p].mkv", "96038689f657"),
    ("100%25 Wolf%20-%20one.mkv", "8b72431413d4"), ("Ärger über Öl.mkv", "a997872835b2"),
    ("50% off.mp4", "8baba0f04631"), ("a%C3.mp4", "9d275957e448"), ("", "e3b0c44298fc"),
    ("**Hidden filename**", "7e35c391a4d5"), ("%zz~:.mkv", "443ebe120f3c"),
  ])
  func `a name's hash is that of Syncplay's clients`(name: String, hash: String) {
    #expect(FileHash.of(name: name) == hash)
  }

  @Test(
    arguments: [
      (0, "5feceb66ffc8"), (1, "6b86b273ff34"), (123_456_789, "15e2b0d3c338"),
      (9_000_000_000, "593a6d58f34e"),
    ] as [(Int64, String)])
  func `a size's hash is that of Syncplay's clients`(bytes: Int64, hash: String) {
    #expect(FileHash.of(size: bytes) == hash)
  }
}
