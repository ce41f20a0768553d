import EventLoops
import Testing

@Suite struct UVErrorTests {
  @Test func `an error says what was tried, its code and its meaning`() {
    let error = UVError("bind", .addressInUse)
    #expect("\(error)" == "bind: EADDRINUSE: address already in use")
  }

  @Test func `errors are the same when both operation and code are`() {
    #expect(UVError("bind", .addressInUse) == UVError("bind", .addressInUse))
    #expect(UVError("bind", .addressInUse) != UVError("listen", .addressInUse))
    #expect(UVError("bind", .addressInUse) != UVError("bind", .invalidArgument))
  }
}
