import EventLoops
import Testing

@testable import Transports

@Suite struct OutboundQueueTests {
  private static func taken(_ queue: inout OutboundQueue, count: Int = 100, bytes: Int = 100)
    -> String
  {
    var batch: [SharedBytes] = []
    queue.take(count, bytes: bytes, into: &batch)
    return batch.map { String(decoding: $0.array, as: UTF8.self) }.joined(separator: ",")
  }

  @Test func `messages are taken in order, by count and by bytes`() {
    var queue = OutboundQueue()
    for message in ["aa", "bb", "cc", "dd", "ee"] {
      #expect(queue.append(SharedBytes(message), droppable: false, room: 100) == .queued)
    }
    #expect(queue.byteCount == 10)
    #expect(Self.taken(&queue, count: 2) == "aa,bb")
    #expect(queue.byteCount == 6)
    #expect(Self.taken(&queue, bytes: 3) == "cc,dd")
    #expect(Self.taken(&queue) == "ee")
    #expect(queue.isEmpty)
    #expect(queue.byteCount == 0)
    #expect(Self.taken(&queue) == "")
  }

  @Test func `the only message is taken alone`() {
    var queue = OutboundQueue()
    #expect(queue.takeOnly() == nil)
    _ = queue.append(SharedBytes("a"), droppable: true, room: 100)
    #expect(queue.takeOnly()?.array == Array("a".utf8))
    #expect(queue.isEmpty)
    _ = queue.append(SharedBytes("a"), droppable: true, room: 100)
    _ = queue.append(SharedBytes("b"), droppable: true, room: 100)
    #expect(queue.takeOnly() == nil)
    #expect(Self.taken(&queue) == "a,b")
  }

  @Test func `without room a droppable message is dropped itself`() {
    var queue = OutboundQueue()
    #expect(queue.append(SharedBytes("keep"), droppable: false, room: 6) == .queued)
    #expect(queue.append(SharedBytes("new"), droppable: true, room: 6) == .dropped(1))
    #expect(Self.taken(&queue) == "keep")
  }

  @Test func `without room droppable messages make way for others`() {
    var queue = OutboundQueue()
    for (message, droppable) in [("d1", true), ("k1", false), ("d2", true), ("k2", false)] {
      _ = queue.append(SharedBytes(message), droppable: droppable, room: 8)
    }
    #expect(queue.append(SharedBytes("k3"), droppable: false, room: 8) == .dropped(2))
    #expect(queue.byteCount == 6)
    #expect(queue.append(SharedBytes("longer"), droppable: false, room: 8) == .full)
    #expect(Self.taken(&queue) == "k1,k2,k3")
  }

  @Test func `dropping all of them leaves an empty queue`() {
    var queue = OutboundQueue()
    _ = queue.append(SharedBytes("dd"), droppable: true, room: 3)
    #expect(queue.append(SharedBytes("kk"), droppable: false, room: 3) == .dropped(1))
    #expect(queue.append(SharedBytes("long"), droppable: false, room: 3) == .full)
    #expect(Self.taken(&queue) == "kk")
  }
}
