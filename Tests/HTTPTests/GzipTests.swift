import CZlib
import HTTP
import Testing

@Suite("Packing by gzip")
struct GzipTests {
  @Test(
    "what is packed is whole again",
    arguments: [
      Array(repeating: UInt8(ascii: "a"), count: 1024),
      Array(String(repeating: "everyone watches the same film; ", count: 10_000).utf8),
    ])
  func packs(content: [UInt8]) throws {
    let packed = try #require(Gzip.packed(content))
    #expect(packed.count < content.count / 10)
    #expect(unpacked(packed, count: content.count) == content)
  }

  @Test("nothing is packed that would be hardly smaller")
  func leavesAlone() {
    var generator = SystemRandomNumberGenerator()
    #expect(Gzip.packed([]) == nil)
    #expect(Gzip.packed(Array(repeating: 0, count: 1023)) == nil)
    #expect(
      Gzip.packed((0..<10_000).map { _ in UInt8.random(in: 0...255, using: &generator) }) == nil)
  }

  private func unpacked(_ packed: [UInt8], count: Int) -> [UInt8]? {
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    let isReady = unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size)
    guard isReady == Z_OK else { return nil }
    defer { unsafe inflateEnd(&stream) }
    var input = packed
    var output = [UInt8](repeating: 0, count: count)
    let status = unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeMutableBufferPointer { output in
        unsafe stream.next_in = input.baseAddress
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        return unsafe inflate(&stream, Z_FINISH)
      }
    }
    return unsafe status == Z_STREAM_END && stream.avail_out == 0 ? output : nil
  }
}
