@testable import MatineeClient
import Testing

@Suite struct BroadcastTests {
  @Test func `everyone who listens hears everything, in order`() async {
    let numbers = Broadcast<Int>(buffering: 8)
    let readers = [numbers.listen(), numbers.listen()]
    for number in 1...8 { numbers.send(number) }
    numbers.finish()
    for reader in readers {
      for number in 1...8 { #expect(await reader.next() == .element(number)) }
      #expect(await reader.next() == nil)
    }
  }

  @Test(arguments: 1...12)
  func `what a slow reader missed is counted, and told before what follows`(sent: Int) async {
    let numbers = Broadcast<Int>(buffering: 4)
    let reader = numbers.listen()
    for number in 1...sent { numbers.send(number) }
    numbers.finish()
    var told: [DeliveryQueue<Int>.Delivery] = []
    while let delivery = await reader.next() { told.append(delivery) }
    let missed = max(0, sent - 4)
    let gap: [DeliveryQueue<Int>.Delivery] = missed > 0 ? [.missed(missed)] : []
    #expect(told == gap + ((missed + 1)...sent).map { .element($0) })
  }

  @Test(arguments: 1...20)
  func `nothing goes missing unsaid between threads`(turn: Int) async {
    let numbers = Broadcast<Int>(buffering: 4)
    let reader = numbers.listen()
    async let total: Int = {
      var count = 0
      var last = 0
      while let delivery = await reader.next() {
        switch delivery {
        case .missed(let missed): count += missed
        case .element(let number):
          count += 1
          if number <= last { return -1 }
          last = number
        }
      }
      return count
    }()
    for number in 1...1000 { numbers.send(number) }
    numbers.finish()
    #expect(await total == 1000)
  }

  @Test func `a reader that is cancelled gets the end`() async {
    let numbers = Broadcast<Int>(buffering: 4)
    let stream = numbers.stream { -$0 }
    let reader = Task {
      for await _ in stream {}
      return true
    }
    reader.cancel()
    #expect(await reader.value)
    numbers.send(1)
  }

  @Test func `a stream tells gaps as elements`() async {
    let numbers = Broadcast<Int>(buffering: 2)
    var stream = numbers.stream { -$0 }.makeAsyncIterator()
    for number in 1...5 { numbers.send(number) }
    #expect(await stream.next() == -3)
    #expect(await stream.next() == 4)
    #expect(await stream.next() == 5)
  }

  @Test func `who listens after the end gets the end`() async {
    let numbers = Broadcast<Int>(buffering: 2)
    numbers.finish()
    #expect(await numbers.listen().next() == nil)
  }
}
