@testable import MatineeClient
import Testing
@testable import UserNotifications

/// A lane makes its calls one at a time, and never waits for ever.
@Suite(.hangLimit) struct HandlerLaneTests {
  private let lane = HandlerLane()
  private let lines = DeliveryQueue<String>(limit: 32)

  /// Adds a call that writes down when it begins and, once its gate is open, when it ends.
  private func add(_ number: Int, _ gate: DeliveryQueue<Bool>? = nil) {
    lane.add(CallToken(number: number)) { [lines] in
      lines.send("begin \(number)")
      _ = await gate?.next()
      lines.send("end \(number)")
    }
  }

  /// Adds two calls that wait for their gates, and a third, and waits until the first one begins.
  private func addThree() async -> [DeliveryQueue<Bool>] {
    let gates = [DeliveryQueue<Bool>(limit: 1), DeliveryQueue<Bool>(limit: 1)]
    for (place, gate) in gates.enumerated() { add(place + 1, gate) }
    add(3)
    #expect(await heard(1) == ["begin 1"])
    return gates
  }

  private func giveUp(_ number: Int) { lane.giveUp(CallToken(number: number)) }

  /// Waits for that many lines.
  private func heard(_ count: Int) async -> [String] {
    var heard: [String] = []
    while heard.count < count, case .element(let line)? = await lines.next() { heard.append(line) }
    return heard
  }

  @Test func `two silent calls, given up together, do not hold up the third`() async {
    let gates = [DeliveryQueue<Bool>(limit: 1), DeliveryQueue<Bool>(limit: 1)]
    defer { for gate in gates { gate.finish() } }
    add(1, gates[0])
    add(2, gates[1])
    // The second has not begun, and perhaps not the first either.
    giveUp(1)
    giveUp(2)
    add(3)
    #expect(Set(await heard(4)) == ["begin 1", "begin 2", "begin 3", "end 3"])
  }

  @Test func `a call begins once the one before it is answered, though its method goes on`() async {
    let gates = await addThree()
    defer { for gate in gates { gate.finish() } }
    lane.end(CallToken(number: 1))
    #expect(await heard(1) == ["begin 2"])
    // A second answer of the first is none of the second.
    lane.end(CallToken(number: 1))
    gates[1].send(true)
    #expect(await heard(3) == ["end 2", "begin 3", "end 3"])
  }

  @Test func `a call that is given up before it began does not hold up those behind it`() async {
    let gates = await addThree()
    defer { for gate in gates { gate.finish() } }
    giveUp(2)
    #expect(Set(await heard(3)) == ["begin 2", "begin 3", "end 3"])
  }

  @Test func `the call that begins after one was given up is waited for`() async {
    let gates = await addThree()
    defer { for gate in gates { gate.finish() } }
    giveUp(1)
    #expect(await heard(1) == ["begin 2"])
    // What comes of the first from now on ends no wait for the second.
    giveUp(1)
    gates[0].send(true)
    #expect(await heard(1) == ["end 1"])
    gates[1].send(true)
    #expect(await heard(3) == ["end 2", "begin 3", "end 3"])
  }
}
