import EventLoops
import Testing

@Suite struct SharedBytesTests {
  @Test func `all ways to make them hold the same bytes`() {
    let bytes = Array("Grüße".utf8)
    let written = SharedBytes(capacity: 100) { output in
      for byte in bytes { output.append(byte) }
    }
    for shared in [SharedBytes(bytes), SharedBytes(bytes.span), SharedBytes("Grüße"), written] {
      #expect(shared.array == bytes)
      #expect(shared.count == bytes.count)
    }
    #expect(SharedBytes("").array.isEmpty)
  }
}
