import InAppMessaging
import Vocabulary

/// The cost of an event that triggers campaigns: in the engine, in the coordinator, and in a
/// coordinator that knows many more people.
struct MessageCost {
  let effort: Effort

  private static let people = 10_000
  private static let fewPeople = 10
  private static let target = Figure.Target.atMost(50.0)
  private static let growthTarget = Figure.Target.atMost(1.25)

  func measure(into section: inout Section) {
    for kind in CampaignMix.Kind.allCases {
      let campaigns = CampaignMix.campaigns(kind)
      var crowd = KnownPeople(Self.people, campaigns: campaigns)
      crowd.connectAll()
      for happening in Happening.allCases {
        section.figures.append(cost(of: happening, to: &crowd, kind))
        section.figures.append(engineCost(of: happening, campaigns))
      }
    }
    measureGrowth(into: &section)
  }

  private func cost(
    of happening: Happening, to crowd: inout KnownPeople, _ kind: CampaignMix.Kind
  ) -> Figure {
    var generator = SplitMix64(seed: 1)
    _ = crowd.times(of: happening, effort.events / 4, using: &generator)
    let times = crowd.times(of: happening, effort.events, using: &generator)
    return Figure(
      name: "\(CampaignMix.waitingCount(kind)) campaigns wait for it; it \(happening.name)",
      value: times.median / 1000, unit: "µs", target: Self.target,
      detail: "99th percentile \(rounded(times.percentile(99) / 1000)) µs")
  }
}

// MARK: The engine alone

extension MessageCost {
  private func engineCost(of happening: Happening, _ campaigns: CampaignSet) -> Figure {
    let now = Instant(microseconds: 1_800_000_000_000_000)
    var user = KnownPerson(number: 1).messaging(at: now)
    let device = KnownPerson(number: 1).device(0)
    let conditions = MessagingConditions(
      campaigns: campaigns, devices: [KnownPeople.presence(of: device, at: now)])
    let times = (0..<effort.events).map { number in
      let occurrence = Occurrence(
        .event(name: CampaignMix.event, properties: happening.properties),
        identity: EventIdentity(.client(device), 1_000_000 + number), on: device)
      return Self.time(of: .log(occurrence), on: &user, at: now, under: conditions)
    }
    return Figure(
      name: "  the engine's part of that", value: times.median / 1000, unit: "µs")
  }

  /// Measures one command; its result is applied to a copy, so that the next event finds the person
  /// unchanged.
  private static func time(
    of command: MessagingCommand, on user: inout UserMessaging, at now: Instant,
    under conditions: MessagingConditions
  ) -> Double {
    let before = user
    let start = ContinuousClock.now
    do throws(MessagingRejection) {
      let decision = try user.decide(command, at: now, under: conditions)
      for event in decision.events { user.evolve(event, at: now) }
    } catch {
      preconditionFailure("\(error)")
    }
    let time = ContinuousClock.now - start
    user = before
    return time.nanoseconds
  }
}

// MARK: Many people

extension MessageCost {
  private func measureGrowth(into section: inout Section) {
    let campaigns = CampaignMix.campaigns(.alike)
    var few = KnownPeople(Self.fewPeople, campaigns: campaigns)
    few.connectAll()
    var many = KnownPeople(effort.people, campaigns: campaigns)
    many.connectAll()
    for happening in Happening.allCases {
      section.figures.append(growth(of: happening, &few, &many))
    }
  }

  private func growth(
    of happening: Happening, _ few: inout KnownPeople, _ many: inout KnownPeople
  ) -> Figure {
    var generator = SplitMix64(seed: 2)
    var pairs: [(few: Double, many: Double)] = []
    for _ in 0..<effort.repetitions {
      let base = few.times(of: happening, effort.events / 4, using: &generator).median
      let grown = many.times(of: happening, effort.events / 4, using: &generator).median
      pairs.append((base / 1000, grown / 1000))
    }
    return Figure(
      name: "\(many.count) people to \(few.count), where it \(happening.name)",
      value: pairs.map { $0.many / $0.few }.median, unit: "×", target: Self.growthTarget,
      detail: """
        \(rounded(pairs.map(\.many).median)) µs to \(rounded(pairs.map(\.few).median)) µs, of people \
        at random
        """)
  }
}

extension KnownPeople {
  /// The times of a number of events, each for a random person.
  fileprivate mutating func times(
    of happening: Happening, _ count: Int, using generator: inout SplitMix64
  ) -> [Double] {
    (0..<count).map { _ in
      time(of: happening, to: Int.random(in: 0..<self.count, using: &generator))
    }
  }
}
