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

  @Test func `a pool's bytes are their holder's alone, however long they are held`() {
    var pool = SharedBytesPool()
    func line(_ number: Int) -> [UInt8] { Array("line \(number)".utf8) }
    // Makes more than the pool has slots and holds every third; all must be intact at the end.
    var held: [(Int, SharedBytes)] = []
    for number in 0..<2_000 {
      let shared = pool.share(line(number))
      #expect(shared.array == line(number))
      if number.isMultiple(of: 3) { held.append((number, shared)) }
    }
    for (number, shared) in held { #expect(shared.array == line(number)) }
    held = []
    // Covers shorter bytes in a used slot, empty bytes, and bytes too long for a slot.
    for count in [0, 1, 384, 385, 20_000, 3] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      for _ in 0..<300 { #expect(pool.share(bytes).array == bytes) }
    }
  }
}
