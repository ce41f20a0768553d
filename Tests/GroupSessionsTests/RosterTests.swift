import GroupSessions
import Naming
import Testing
import Vocabulary

@Suite struct RosterTests {
  private struct Guest: Identifiable, Equatable {
    let id: Int
    var age = 0
  }

  @Test func `it holds what a dictionary holds, in the order of the identifiers`() {
    var random = SplitMix64(seed: 7)
    var roster = Roster<Guest>()
    var model: [Int: Guest] = [:]
    for step in 0..<2_000 {
      let id = Int(random.next() % 40)
      switch random.next() % 3 {
      case 0:
        #expect(roster.remove(id) == model.removeValue(forKey: id))
      case 1:
        roster.change(id) { $0.age += 1 }
        model[id]?.age += 1
      default:
        roster.enter(Guest(id: id, age: step))
        model[id] = Guest(id: id, age: step)
      }
      #expect(roster[id] == model[id])
      #expect(roster.count == model.count)
      #expect(roster.isEmpty == model.isEmpty)
      #expect(Array(roster.keys) == model.keys.sorted())
      #expect(Array(roster.values) == model.values.sorted { $0.id < $1.id })
    }
  }

  @Test func `rosters are equal whatever the order their people came in`() {
    let roster = roster(of: [2, 1, 3])
    #expect(roster == self.roster(of: [3, 1, 2]))
    #expect(roster != self.roster(of: [3, 1]))
  }

  @Test func `the first who matches is the one with the smallest identifier`() {
    let roster = roster(of: [2, 1, 3])
    #expect(roster.firstValue { $0.id > 1 }?.id == 2)
    #expect(roster.firstValue { $0.id > 3 } == nil)
  }

  private func roster(of ids: [Int]) -> Roster<Guest> {
    var roster = Roster<Guest>()
    for id in ids { roster.enter(Guest(id: id)) }
    return roster
  }
}
