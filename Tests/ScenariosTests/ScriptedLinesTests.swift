import Scenarios
import Testing
import Vocabulary

@Suite struct ScriptedLinesTests {
  private typealias Step = ScriptedLines.Step

  private func moment(_ seconds: Double) -> HostTime {
    HostTime(microseconds: Int64(seconds * 1_000_000))
  }

  private var nothing: Observation { Observation() }

  private var joined: Observation {
    var seen = Observation()
    seen.session = .joined
    return seen
  }

  /// What comes of lines that are asked for at these moments.
  private func steps(
    _ texts: [String], _ looks: [(seen: Observation, seconds: Double)]
  ) -> [Step?] {
    var lines = ScriptedLines(of: "ann")
    for text in texts { _ = lines.add(text) }
    return looks.map { lines.next(seen: $0.seen, at: moment($0.seconds)) }
  }

  @Test func `lines are handed on in their order, empty ones too`() {
    let steps = steps(["play", "", "say hello"], (0..<4).map { (nothing, Double($0)) })
    #expect(steps == [.obey("play"), .obey(""), .obey("say hello"), nil])
  }

  @Test func `ten thousand lines that wait for nothing are gone through at once`() {
    let waits = Array(repeating: "wait 0s", count: ScriptedLines.limit - 1)
    #expect(steps(waits + ["play"], [(nothing, 1), (nothing, 1)]) == [.obey("play"), nil])
  }

  @Test func `what is expected holds up what stands behind it`() {
    let steps = steps(
      ["expect joined", "play"],
      [(nothing, 1), (nothing, 10.9), (joined, 10.95), (joined, 10.95), (joined, 11)])
    #expect(steps == [nil, nil, .met("joined"), .obey("play"), nil])
  }

  @Test func `what is so already is not waited for`() {
    #expect(steps(["expect  joined within 0"], [(joined, 1)]) == [.met("joined")])
  }

  @Test(arguments: [
    ("expect joined", 10.0), ("expect joined within 2", 2.0), ("expect joined within 40 ms", 0.04),
    ("expect not playing within 1.5 s", 1.5),
  ])
  func `what does not come in time fails, with what is seen instead`(text: String, limit: Double) {
    var seen = Observation()
    seen.phase = .playing
    let steps = steps(
      [text, "play"], [(seen, 5), (seen, 5 + limit - 0.001), (seen, 5 + limit), (seen, 60)])
    guard steps.prefix(2) == [nil, nil], case .failed(_, let instead)? = steps[2] else {
      Issue.record("\(steps)")
      return
    }
    #expect(instead.hasPrefix("ann: "))
    // What becomes of the rest is for whoever reads it.
    #expect(steps[3] == .obey("play"))
  }

  @Test func `a rest lasts as long as it says`() {
    let steps = steps(["wait 1.5", "pause"], [(joined, 1), (joined, 2.499), (joined, 2.5)])
    #expect(steps == [nil, nil, .obey("pause")])
  }

  @Test(arguments: [
    "expect", "expect dancing", "expect playing within soon", "expect playing within 2 s now",
    "expect together within 40 ms", "expect together within 40 ms within 2",
    "expect not together within 1 within 2", "expect player untouched",
    "expect not player untouched within 2", "wait", "wait long", "wait 1 2",
  ])
  func `what cannot be read is told, and holds up nothing`(text: String) {
    let steps = steps([text, "play"], [(joined, 0), (joined, 0)])
    guard case .misread(let problem)? = steps[0] else {
      Issue.record("\(steps)")
      return
    }
    #expect(!problem.isEmpty && !problem.contains("``"))
    #expect(steps[1] == .obey("play"))
  }

  @Test func `it asks to look again while something is waited for, and only then`() {
    var lines = ScriptedLines(of: "ann")
    let looks = ["expect joined within 1", "wait 5", "play"].map { text in
      _ = lines.add(text)
      _ = lines.next(seen: nothing, at: moment(1))
      let look = lines.nextLook(at: moment(1))
      _ = lines.next(seen: nothing, at: moment(100))
      return look
    }
    #expect(looks == [moment(1) + ScriptedLines.lookInterval, moment(6), nil])
    let isEmpty = lines.isEmpty
    #expect(isEmpty)
  }

  @Test func `only so many lines wait`() {
    var lines = ScriptedLines(of: "ann")
    let taken = (0...ScriptedLines.limit).map { _ in lines.add("wait 10") }
    #expect(taken.prefix(ScriptedLines.limit).allSatisfy { $0 } && taken.last == false)
    _ = lines.next(seen: joined, at: moment(0))
    let hasRoom = lines.add("play")
    #expect(hasRoom)
  }
}
