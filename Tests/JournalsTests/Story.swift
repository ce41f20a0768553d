import Coordination
import GroupSessions
import Journals
import Vocabulary
import Wire
import WireTesting

/// Random operations on a journal, and the expected content.
struct Story {
  private var random: RandomValues
  private(set) var now = JournalScene.start
  /// The expected content, without events that a snapshot made history.
  private(set) var known = JournalContents()
  /// All events of live streams, from the first one on.
  private(set) var events: [AggregateID: [RecordedEvent]] = [:]
  private var answered: [DeviceID: Int] = [:]
  /// All answers of live devices, each with the event that it was stored with, if any.
  private var answers: [DeviceID: [(answer: RecordedAnswer, event: (of: AggregateID, seq: Int)?)]] =
    [:]
  private var names = 0

  init(seed: UInt64) {
    random = RandomValues(seed: seed)
  }

  /// The expected content of a file whose last known instant is `latest`.
  ///
  /// Nothing stays of a device that is gone, not even the time of its last event.
  func expected(at latest: Instant?) -> JournalContents {
    var contents = known
    contents.latest = latest
    contents.streams.sort { !$0.isOfDevice && $1.isOfDevice }
    guard let latest else { return contents }
    for place in contents.streams.indices {
      let stream = contents.streams[place]
      let earlier = earlier(stream, since: latest - Limits().resumeGrace)
      contents.streams[place] = RecordedStream(
        stream.aggregate, snapshot: stream.snapshot, known: earlier + stream.events,
        earlierCount: earlier.count, answers: stream.answers)
    }
    return contents
  }

  /// Whether the memory equals an earlier one of the device, apart from later answers that were
  /// lost together with their events.
  func isRight(_ memory: AnswerMemory, of device: DeviceID, in contents: JournalContents) -> Bool {
    let all = answers[device] ?? []
    return (0...all.count).contains { count in
      memory == AnswerMemory(all.prefix(count).suffix(JournalScene.answers).map(\.answer))
        && all.dropFirst(count).allSatisfy { $0.event.map { isMissing($0, in: contents) } ?? false }
    }
  }

  private func isMissing(
    _ event: (of: AggregateID, seq: Int), in contents: JournalContents
  ) -> Bool {
    guard known.streams.contains(where: { $0.aggregate == event.of }) else { return false }
    let stream = contents.streams.first { $0.aggregate == event.of }
    return stream.map { event.seq > ($0.snapshot?.seq ?? 0) + $0.events.count } ?? true
  }

  /// The events before a session's snapshot that a peer may have missed within the grace period.
  private func earlier(_ stream: RecordedStream, since start: Instant) -> [RecordedEvent] {
    guard case .session(let session)? = stream.snapshot else { return [] }
    let before = (events[stream.aggregate] ?? []).prefix(session.seq)
    return Array(before.reversed().prefix { $0.at >= start }.reversed())
  }

  /// Carries out a number of random operations.
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
    known.streams.isEmpty ? nil : random.number(0...known.streams.count - 1)
  }

  private mutating func append(
    _ news: [AggregateEvent], to aggregate: AggregateID, answer: RecordedAnswer? = nil,
    on scene: JournalScene
  ) {
    let records = news.map { RecordedEvent(at: now, event: $0) }
    let seq = events[aggregate]?.count ?? 0
    scene.append(Append(to: aggregate, after: seq, records, answer: answer))
    events[aggregate, default: []] += records
    if let place = known.streams.firstIndex(where: { $0.aggregate == aggregate }) {
      known.streams[place].append(records)
    } else if !news.isEmpty {
      known.streams.append(RecordedStream(aggregate, known: records))
    }
    if !records.isEmpty { known.latest = now }
    guard let answer,
      let place = known.streams.firstIndex(where: { $0.aggregate == .device(answer.device) })
    else { return }
    known.streams[place].answers.keep(answer, limit: JournalScene.answers)
    let isBeside = !records.isEmpty && aggregate.kind != .device
    answers[answer.device, default: []].append(
      (answer, isBeside ? (aggregate, seq + 1) : nil))
  }

  private mutating func begin(on scene: JournalScene) {
    names += 1
    let kind: AggregateKind = random.one()
    let first = random.beginning(of: kind)
    append([first], to: AggregateID(kind, "\(kind)-\(names)"), on: scene)
  }

  private mutating func goOn(on scene: JournalScene) {
    guard let place = place() else { return }
    let aggregate = known.streams[place].aggregate
    let news = random.list { $0.event(of: aggregate.kind) }
    append(news, to: aggregate, answer: random.chance() ? late() : nil, on: scene)
  }

  private mutating func answer(on scene: JournalScene) {
    guard let answer = late() else { return }
    append([], to: .device(answer.device), answer: answer, on: scene)
  }

  private mutating func late() -> RecordedAnswer? {
    let devices = known.streams.compactMap {
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
    let aggregate = known.streams[place].aggregate
    let seq = events[aggregate]?.count ?? 0
    let state: AggregateState
    switch aggregate {
    case .group(let id): state = .group(random.group(id, seq: seq))
    case .session(let id): state = .session(random.session(id, seq: seq))
    case .user(let id): state = .user(random.messaging(id, seq: seq))
    case .tray(let id): state = .tray(random.tray(id, seq: seq))
    case .attachment, .device, .name: return
    }
    scene.journal?.snapshot(state)
    known.streams[place] = RecordedStream(aggregate, snapshot: state)
  }

  private mutating func end(on scene: JournalScene) {
    guard let place = place() else { return }
    let aggregate = known.streams[place].aggregate
    switch aggregate {
    case .group: append([.group(.closed)], to: aggregate, on: scene)
    case .session(let id):
      let reason = random.endReason(random.one())
      append([.session(.ended(reason))], to: aggregate, on: scene)
      known.endings.append(SessionEnding(id, reason))
    case .device(let id):
      answered[id] = nil
      answers[id] = nil
    case .attachment, .user, .tray, .name: break
    }
    scene.journal?.forget(aggregate)
    events[aggregate] = nil
    known.streams.remove(at: place)
  }
}

extension RecordedStream {
  fileprivate var isOfDevice: Bool {
    if case .device = aggregate { true } else { false }
  }
}
