import EventLoops
import LoopTesting
import Testing

@testable import Server

/// What people are told of a group's state, which is encoded once for many.
@Suite struct StateTests {
  @Test func `a group that begins anew under the same name is told as the new one`() throws {
    try TestLoop.run { test in
      let cluster = try Cluster(test, fronts: 0)
      for name in ["Ann", "Ben"] {
        let caller = try cluster.enter("friday", as: name, at: cluster.server)
        let state = try #require(caller.lines.first { $0.contains(#""type":"group""#) })
        #expect(state.contains(#""seq":2"#) && state.contains("\(name)-1"))
        try caller.say(#"{"type":"leaveGroup","id":2}"#)
        try test.run { caller.heard(#""type":"ok","id":2"#) }
      }
      cluster.stop()
    }
  }
}
