import Testing
import Vocabulary

@Suite struct RateTests {
  @Test(arguments: [0.25, 0.5, 1, 1.05, 1.25, 4])
  func `a rate keeps three decimals`(factor: Double) throws {
    #expect(try #require(Rate(factor)).factor == factor)
  }

  @Test(arguments: [0, 0.249, 4.001, -1, .nan, .infinity])
  func `rates outside the protocol's range do not exist`(factor: Double) {
    #expect(Rate(factor) == nil)
  }

  @Test func `media and time are each other's inverse`() throws {
    let rate = try #require(Rate(1.25))
    #expect(rate.media(in: .seconds(4)) == .seconds(5))
    #expect(rate.time(for: .seconds(5)) == .seconds(4))
  }

  @Test func `numbers from a peer never trap`() {
    #expect(Rate.fastest.media(in: .microseconds(Int64.max)).microseconds == .max)
    #expect((Instant(microseconds: .max) + .seconds(1)).microseconds == .max)
    #expect((Instant(microseconds: .min) - .seconds(1)).microseconds == .min)
    #expect(MediaTime.seconds(.nan) == .zero)
    #expect(MediaTime.seconds(1e300).microseconds == .max)
    #expect((MediaTime(microseconds: .max) - MediaTime(microseconds: .min)).microseconds == .max)
  }
}
