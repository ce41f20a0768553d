import PushTesting
import Testing
import Vocabulary

@testable import PushTransports

@Suite struct PushQueueTests {
  private func message(_ name: String) throws -> PushMessage {
    push(to: .apns(try APNsDevice(token: "00", topic: "a"))) { $0.id = PushID(name) }
  }

  private func bounds(_ change: (inout PushBounds) -> Void) -> PushBounds {
    var bounds = PushBounds()
    change(&bounds)
    return bounds
  }

  private func names(_ queue: inout PushQueue) -> [String] {
    var names: [String] = []
    while let next = queue.next() { names.append(next.message.id.text) }
    return names
  }

  @Test func `push services take turns, and each serves in the order that pushes came`() throws {
    var queue = PushQueue(PushBounds())
    for name in ["a1", "a2", "a3", "b1", "c1", "c2"] {
      let isTaken = queue.add(try message(name), for: String(name.prefix(1)))
      #expect(isTaken)
    }
    #expect(names(&queue) == ["a1", "b1", "c1", "a2", "c2", "a3"])
    #expect(queue.waiting == 0)
    #expect(queue.underWay == 6)
  }

  @Test func `a service that does not answer keeps only its own waiting`() throws {
    var queue = PushQueue(bounds { $0.underWayPerService = 2 })
    for name in ["a1", "a2", "a3", "b1"] {
      _ = queue.add(try message(name), for: String(name.prefix(1)))
    }
    #expect(names(&queue) == ["a1", "b1", "a2"])
    queue.ended(for: "b")
    #expect(names(&queue) == [])
    queue.ended(for: "a")
    #expect(names(&queue) == ["a3"])
  }

  @Test func `no more are under way than may be`() throws {
    var queue = PushQueue(bounds { $0.underWay = 2 })
    for name in ["a1", "b1", "c1"] { _ = queue.add(try message(name), for: name) }
    #expect(names(&queue) == ["a1", "b1"])
    queue.ended(for: "a1")
    #expect(names(&queue) == ["c1"])
  }

  @Test func `no more wait than may, in all and for each`() throws {
    var queue = PushQueue(
      bounds {
        $0.waiting = 3
        $0.waitingPerService = 2
      })
    let first = try ["a", "a", "a", "b", "b"].map { queue.add(try message($0), for: $0) }
    #expect(first == [true, true, false, true, false])
    _ = queue.next()
    let isTaken = queue.add(try message("b"), for: "b")
    #expect(isTaken)
  }

  @Test func `what waited is forgotten, and what is under way may end`() throws {
    var queue = PushQueue(PushBounds())
    for name in ["a", "a", "b"] { _ = queue.add(try message(name), for: name) }
    _ = queue.next()
    queue.removeWaiting()
    #expect(queue.waiting == 0)
    #expect(names(&queue) == [])
    queue.ended(for: "a")
    queue.ended(for: "a")
    #expect(queue.underWay == 0)
    let isTaken = queue.add(try message("a"), for: "a")
    #expect(isTaken)
    #expect(names(&queue) == ["a"])
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>)
  func `whatever happens, all come out once, in order, within the bounds`(seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    let bounds = bounds {
      $0.waiting = 12
      $0.waitingPerService = 5
      $0.underWay = 4
      $0.underWayPerService = 2
    }
    var queue = PushQueue(bounds)
    var waiting: [String: [String]] = [:]
    var underWay: [String] = []
    for step in 0..<500 {
      let service = ["a", "b", "c", "d"].randomElement(using: &chance) ?? "a"
      switch Int.random(in: 0..<3, using: &chance) {
      case 0:
        let total = waiting.values.map(\.count).reduce(0, +)
        let isTaken = queue.add(try message("\(step)"), for: service)
        #expect(isTaken == (total < 12 && waiting[service, default: []].count < 5))
        if isTaken { waiting[service, default: []].append("\(step)") }
      case 1:
        let mayBegin = waiting.contains { service, names in
          !names.isEmpty && underWay.count { $0 == service } < 2
        }
        let next = queue.next()
        #expect((next != nil) == (mayBegin && underWay.count < 4))
        if let next {
          #expect(waiting[next.service]?.removeFirst() == next.message.id.text)
          underWay.append(next.service)
        }
      default:
        guard let place = underWay.indices.randomElement(using: &chance) else { continue }
        queue.ended(for: underWay.remove(at: place))
      }
      #expect(queue.waiting == waiting.values.map(\.count).reduce(0, +))
      #expect(queue.underWay == underWay.count)
    }
  }
}
