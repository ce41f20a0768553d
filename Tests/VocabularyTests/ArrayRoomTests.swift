import Testing
import Vocabulary

@Suite struct ArrayRoomTests {
  @Test func `an array that makes room holds what it held, and stays nearly full`() {
    var array: [Int] = []
    for number in 0..<10_000 {
      array.makeRoom()
      #expect(array.capacity > number)
      array.append(number)
      // The allocator rounds up, which shows in small arrays only.
      #expect(array.capacity <= array.count + array.count / 8 + 4)
    }
    #expect(array == Array(0..<10_000))
  }
}
