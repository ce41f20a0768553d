import Coordination
import GroupSessions
import Journals
import Vocabulary
import Wire
import WireTesting

/// What is done to a journal at random, and what it must hold then.
struct Story {
  private var random: RandomValues
  private(set) var now = JournalScene.start
  /// What a server must go on from.
  private(set) var expected = JournalContents()
  /// All events of what is live, from the first one on.
  private(set) var events: [AggregateID: [RecordedEvent]] = [:]
  private var answered: [DeviceID: Int] = [:]
  private var names = 0

  init(seed: UInt64) {
    random = RandomValues(seed: seed)
  }

  /// Does a number of things.
  mutating func go(_ steps: Int, on scene: JournalScene) throws {
    for _ in 0..<steps {
      now = now + .milliseconds(random.number(0...2000))
      switch random.number(0...19) {
      case 0...2: begin(on: scene)
      case 3...14: goOn(on: scene)
      case 15...16: answer(on: scene)
      case 17...18: snapshot(on: scene)
      default: end(on: scene)
      }
    }
    try scene.settle()
  }

  private mutating func place() -> Int? {
    expected.streams.isEmpty ? nil : random.number(0...expected.streams.count - 1)
  }

  private mutating func append(
    _ news: [AggregateEvent], to aggregate: AggregateID, answer: RecordedAnswer? = nil,
    on scene: JournalScene
  ) {
    let records = news.map { RecordedEvent(at: now, event: $0) }
    scene.append(
      Append(to: aggregate, after: events[aggregate]?.count ?? 0, records, answer: answer))
    events[aggregate, default: []] += records
    if let place = expected.streams.firstIndex(where: { $0.aggregate == aggregate }) {
      expected.streams[place].events += records
    } else if !news.isEmpty {
      expected.streams.append(RecordedStream(aggregate, events: records))
    }
    if !records.isEmpty { expected.latest = now }
    guard let answer,
      let place = expected.streams.firstIndex(where: { $0.aggregate == .device(answer.device) })
    else { return }
    expected.streams[place].answers.append(answer)
    let late = expected.streams[place].answers.suffix(JournalScene.answers)
    expected.streams[place].answers = Array(late)
  }

  private mutating func begin(on scene: JournalScene) {
    names += 1
    let kind: AggregateKind = random.one()
    let first = random.beginning(of: kind)
    append([first], to: AggregateID(kind, "\(kind)-\(names)"), on: scene)
  }

  private mutating func goOn(on scene: JournalScene) {
    guard let place = place() else { return }
    let aggregate = expected.streams[place].aggregate
    let news = random.list { $0.event(of: aggregate.kind) }
    append(news, to: aggregate, answer: random.chance() ? late() : nil, on: scene)
  }

  private mutating func answer(on scene: JournalScene) {
    guard let answer = late() else { return }
    append([], to: .device(answer.device), answer: answer, on: scene)
  }

  private mutating func late() -> RecordedAnswer? {
    let devices = expected.streams.compactMap {
      if case .device(let id) = $0.aggregate { id } else { nil }
    }
    guard !devices.isEmpty else { return nil }
    let device = devices[random.number(0...devices.count - 1)]
    answered[device, default: 0] += 1
    return RecordedAnswer(
      device: device, request: Int64(random.number(0...1_000_000)), random.outcome(),
      number: answered[device] ?? 1)
  }

  private mutating func snapshot(on scene: JournalScene) {
    guard let place = place() else { return }
    let aggregate = expected.streams[place].aggregate
    let seq = events[aggregate]?.count ?? 0
    let state: AggregateState
    switch aggregate {
    case .group(let id): state = .group(random.group(id, seq: seq))
    case .session(let id): state = .session(random.session(id, seq: seq))
    case .device: return
    }
    scene.journal?.snapshot(state)
    expected.streams[place].snapshot = state
    expected.streams[place].events = []
  }

  private mutating func end(on scene: JournalScene) {
    guard let place = place() else { return }
    let aggregate = expected.streams[place].aggregate
    switch aggregate {
    case .group: append([.group(.closed)], to: aggregate, on: scene)
    case .session(let id):
      let reason = random.endReason(random.one())
      append([.session(.ended(reason))], to: aggregate, on: scene)
      expected.endings.append(SessionEnding(id, reason))
    case .device(let id): answered[id] = nil
    }
    scene.journal?.forget(aggregate)
    events[aggregate] = nil
    expected.streams.remove(at: place)
  }
}
