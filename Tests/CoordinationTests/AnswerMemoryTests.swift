import Naming
import Testing
import Vocabulary
import Wire

@testable import Coordination

@Suite struct AnswerMemoryTests {
  private func answer(_ number: Int) -> RecordedAnswer {
    RecordedAnswer(
      device: "tv", request: Int64(100 + number), .answered(.done(seq: number)), number: number)
  }

  @Test func `kept one by one or read at once, it is the same memory`() {
    for limit in 1...5 {
      var memory = AnswerMemory()
      for number in 1...12 {
        memory.keep(answer(number), limit: limit)
        let late = (max(1, number - limit + 1)...number).map(answer)
        #expect(memory == AnswerMemory(late))
        for known in late { #expect(memory[known.request] == .settled(known.outcome)) }
        #expect(memory[Int64(100 + number - limit)] == nil)
        var next = memory
        #expect(next.begin(1_000, limit: limit) == number + 1)
        for other in 0...limit {
          var limited = memory.limited(to: other)
          #expect(limited == AnswerMemory(late.suffix(other)) || other == 0)
          #expect(limited.begin(1_000, limit: other) == number + 1)
        }
      }
    }
  }

  @Test func `requests are known again in whatever order their numbers came`() {
    var memory = AnswerMemory()
    for id: RequestID in [5, 9, 2, -3, 9_000, 7] {
      #expect(memory[id] == nil)
      memory.begin(id, limit: 4)
      #expect(memory[id] == .pending)
    }
    for id: RequestID in [2, -3, 9_000, 7] { #expect(memory[id] == .pending) }
    for id: RequestID in [5, 9, 8, 9_001, .max] { #expect(memory[id] == nil) }
    memory.forget(9_000)
    #expect(memory[9_000] == nil)
    #expect(memory.limited(to: 1)[7] == .pending)
  }

  @Test func `another answer, another number or another order is another memory`() {
    let memory = AnswerMemory([answer(1), answer(2)])
    #expect(memory != AnswerMemory([answer(1), answer(3)]))
    #expect(memory != AnswerMemory([answer(2)]))
    #expect(memory != AnswerMemory([answer(2), answer(1)]))
  }
}
