import EventLoops
import Glibc
import LoopTesting
import Testing

@Suite struct DescriptorPollTests {
  /// Two connected sockets, which are closed when this object is released.
  private final class SocketPair {
    let near: Int32
    let far: Int32

    init() throws {
      var pair: [Int32] = [-1, -1]
      let status = unsafe socketpair(
        AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
      try #require(status == 0)
      (near, far) = (pair[0], pair[1])
    }

    func write(_ byte: UInt8 = 7) {
      var byte = byte
      #expect(unsafe Glibc.write(far, &byte, 1) == 1)
    }

    func read() -> UInt8? {
      var byte: UInt8 = 0
      return unsafe Glibc.read(near, &byte, 1) == 1 ? byte : nil
    }

    deinit {
      Glibc.close(near)
      Glibc.close(far)
    }
  }

  /// Lets the loop turn a few times.
  private static func turn(_ test: TestLoop) throws {
    var turns = 0
    try test.run(lookingEvery: .milliseconds(1)) {
      turns += 1
      return turns > 5
    }
  }

  @Test func `a descriptor is reported as long as it is ready for what is watched`() throws {
    try TestLoop.run { test in
      let pair = try SocketPair()
      var heard: [DescriptorPoll.Events] = []
      let poll = try DescriptorPoll(pair.near, on: test.loop) { heard.append($0) }
      poll.watch(.readable)
      pair.write()
      try test.run { heard.count >= 2 }
      #expect(Set(heard.map(\.rawValue)) == [DescriptorPoll.Events.readable.rawValue])
      #expect(pair.read() == 7)
      poll.watch([.readable, .writable])
      heard = []
      try test.run { !heard.isEmpty }
      #expect(heard.first == .writable)
      pair.write()
      try test.run { heard.contains([.readable, .writable]) }
      poll.close()
    }
  }

  @Test func `nothing is reported while nothing is watched, nor after the end`() throws {
    try TestLoop.run { test in
      let pair = try SocketPair()
      var count = 0
      let poll = try DescriptorPoll(pair.near, on: test.loop) { _ in count += 1 }
      pair.write()
      poll.watch(.readable)
      poll.watch([])
      try Self.turn(test)
      #expect(count == 0)
      poll.watch(.readable)
      try test.run { count == 1 }
      poll.close()
      poll.close()
      poll.watch(.readable)
      try Self.turn(test)
      #expect(count == 1)
    }
  }

  @Test func `a watcher may close itself, and another may follow on the same descriptor`() throws {
    try TestLoop.run { test in
      let pair = try SocketPair()
      pair.write()
      var first: DescriptorPoll?
      var heard: [String] = []
      first = try DescriptorPoll(pair.near, on: test.loop) { _ in
        heard.append("first")
        first?.close()
        first = nil
      }
      first?.watch(.readable)
      try test.run { first == nil }
      let second = try DescriptorPoll(pair.near, on: test.loop) { _ in heard.append("second") }
      second.watch(.readable)
      try test.run { heard.count >= 2 }
      #expect(heard.prefix(2) == ["first", "second"])
      second.close()
    }
  }

  @Test func `a connection that is refused is reported`() throws {
    try TestLoop.run { test in
      let acceptor = Acceptor()
      let listener = try acceptor.listen(on: test.loop)
      let port = listener.localPort
      listener.close()
      let descriptor = socket(
        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      defer { Glibc.close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      _ = unsafe withUnsafePointer(to: address) { address in
        unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      var heard: DescriptorPoll.Events?
      let poll = try DescriptorPoll(descriptor, on: test.loop) { heard = heard ?? $0 }
      poll.watch(.writable)
      try test.run { heard != nil }
      #expect(heard == .failed)
      poll.close()
    }
  }

  @Test func `what cannot be watched is refused with the system's reason`() throws {
    try TestLoop.run { test in
      let error = #expect(throws: UVError.self) {
        _ = try DescriptorPoll(-1, on: test.loop) { _ in }
      }
      #expect(error?.operation.description == "poll_init")
    }
  }
}
