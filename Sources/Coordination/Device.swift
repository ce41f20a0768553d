import GroupSessions
import Signatures
import Vocabulary
import Wire

/// One device, with or without a connection.
struct Device: Equatable, Sendable {
  fileprivate(set) var identity: Identity
  let token: Secret
  /// The group and session it is in, or is about to be in.
  fileprivate(set) var place = Place()
  /// Its latest requests and their answers.
  fileprivate(set) var answers = AnswerMemory()
  // The smaller fields come last, so that they share a word.
  /// The number of the hello with which the device began, over all devices; a resumption keeps it.
  let life: UInt32
  /// Its connection; `nil` while it is disconnected.
  fileprivate(set) var peer: PeerID?
  let understandsSessions: Bool
  let understandsAudiences: Bool
  /// Whether its hello is stored in the journal, or being stored.
  fileprivate(set) var isKept = false

  var id: DeviceID { identity.device }

  /// What it resumes with; `nil` while it is connected.
  var resumption: Resumption? {
    peer == nil ? Resumption(token: token.text, session: place.session) : nil
  }

  /// The identity and session for the device's requests.
  var sender: Sender { Sender(identity: identity, session: place.session) }

  /// The device as ``Groups`` knows it.
  ///
  /// - Parameters:
  ///   - resumption: what it resumes with; `nil` if it starts over.
  ///   - address: where its connection comes from.
  ///   - groups: the groups that its credential names; `nil` for all.
  func attachment(
    _ resumption: Resumption?, from address: PeerAddress?, within groups: GroupGrants?
  ) -> Attachment {
    Attachment(
      identity: identity, life: life, understandsSessions: understandsSessions,
      understandsAudiences: understandsAudiences, resumption: resumption,
      address: address.flatMap { $0.isLoopback ? nil : $0 }, groups: groups)
  }
}

/// All devices with their latest requests.
struct Devices: Sendable {
  private var table = PagedTable<DeviceID, Device>()
  /// How many devices have said hello without resuming.
  private var lives: UInt32 = 0
  /// The devices whose hellos are being stored.
  private var greeted: Set<DeviceID> = []
  /// The appends that wait until a hello is stored, in order.
  private var waiting: [Append] = []

  subscript(id: DeviceID) -> Device? {
    _read { yield table[id] }
  }

  /// The connection of a device; `nil` if it has none.
  func peer(of id: DeviceID) -> PeerID? { table[id]?.peer }

  var keys: [DeviceID] { Array(table.keys) }
  var isEmpty: Bool { table.isEmpty }
  var count: Int { table.count }

  /// Adds a device that starts over, and replaces its earlier state.
  mutating func add(
    _ identity: Identity, _ token: Secret, _ features: Set<Feature>, on peer: PeerID
  ) {
    lives &+= 1
    greeted.remove(identity.device)
    table[identity.device] = Device(
      identity: identity, token: token, life: lives, peer: peer,
      understandsSessions: features.contains(.sessions),
      understandsAudiences: features.contains(.audience))
  }

  /// Restores devices from a journal, without connections.
  ///
  /// - Parameter limit: how many answers of each device are remembered.
  mutating func restore(_ recovered: [Recovery.RecoveredDevice], limit: Int) -> [Device] {
    table.reserve(recovered.count)
    return recovered.map { recovered in
      lives &+= 1
      let greeting = recovered.greeting
      var device = Device(
        identity: greeting.identity, token: greeting.token, life: lives,
        understandsSessions: greeting.understandsSessions,
        understandsAudiences: greeting.understandsAudiences)
      device.isKept = true
      device.answers = recovered.answers.limited(to: limit)
      table[device.id] = device
      return device
    }
  }

  mutating func remove(_ id: DeviceID) {
    table[id] = nil
    greeted.remove(id)
  }

  /// Notes that a device's person goes by another name; the journal has it with the next joining.
  mutating func rename(_ id: DeviceID, _ name: String) {
    table.change(id) { device in
      if let identity = device?.identity.named(name) { device?.identity = identity }
    }
  }

  mutating func connect(_ id: DeviceID, to peer: PeerID?) { table[id]?.peer = peer }

  mutating func put(_ id: DeviceID, at place: Place) { table.change(id) { $0?.place = place } }

  // MARK: Requests

  enum Beginning {
    case new(Reply)
    /// The request was sent before and is not answered yet.
    case pending
    /// The request was sent before and has this outcome.
    case settled(RequestOutcome)
  }

  /// Begins a request; `nil` if the device does not exist.
  ///
  /// - Parameter limit: how many requests of each device are remembered.
  mutating func begin(_ request: RequestID, of id: DeviceID, isQuestion: Bool, limit: Int)
    -> Beginning?
  {
    switch table[id]?.answers[request] {
    case .pending: return .pending
    case .settled(let outcome): return .settled(outcome)
    case nil: break
    }
    let number = table.change(id) { isQuestion ? 0 : $0?.answers.begin(request, limit: limit) }
    guard let number, let life = table[id]?.life else { return nil }
    return .new(Reply(device: id, life: life, id: request, number: number))
  }

  /// Whether the device still exists in the life that asked.
  func isAsking(_ device: DeviceID, _ life: UInt32) -> Bool { table[device]?.life == life }

  /// Remembers a request's outcome.
  mutating func settle(_ answer: RecordedAnswer) {
    table.change(answer.device) { $0?.answers.settle(answer.request, answer.outcome) }
  }

  /// Removes a request, so that a repetition is carried out.
  mutating func forget(_ request: RequestID, of id: DeviceID) {
    table[id]?.answers.forget(request)
  }

  // MARK: Hellos

  /// Hands an append to the shell, behind the hellos that have to be stored before it, those of the
  /// devices that it answers.
  ///
  /// A device's hello is stored before the first change that the device may resume for. Answers to
  /// devices that are gone are removed from the append.
  mutating func store(_ append: Append, at now: Instant, through outputs: inout [Output]) {
    guard areGreeted(before: append) else { return waiting.append(append) }
    var append = append
    for (index, step) in append.steps.enumerated() {
      guard let answer = step.answer else { continue }
      if !isAsking(answer.device, answer.life) {
        append.dropAnswer(ofStep: index)
      } else if let greeting = takeGreeting(of: answer.device) {
        let record = RecordedEvent(at: now, event: .device(.greeted(greeting)))
        outputs.append(.append(Append(to: .device(answer.device), after: 0, [record])))
      }
    }
    outputs.append(.append(append))
  }

  /// Whether an append answers no device whose hello is being stored.
  ///
  /// Others wait: if the hello failed and the append did not, the journal would have the command
  /// without a device that remembers it, and a repetition after a crash would be carried out again.
  private func areGreeted(before append: Append) -> Bool {
    guard !greeted.isEmpty else { return true }
    return !append.steps.contains { step in
      step.answer.map { greeted.contains($0.device) && isAsking($0.device, $0.life) } ?? false
    }
  }

  private mutating func takeGreeting(of id: DeviceID) -> Greeting? {
    guard table[id]?.isKept == false, let device = table[id] else { return nil }
    table[id]?.isKept = true
    greeted.insert(id)
    return Greeting(
      identity: device.identity, token: device.token,
      understandsSessions: device.understandsSessions,
      understandsAudiences: device.understandsAudiences)
  }

  /// Notes whether a device's hello is stored, unless the device started over meanwhile.
  ///
  /// - Returns: the appends that waited for a hello.
  mutating func finishGreeting(_ greeting: Greeting, isKept: Bool) -> [Append] {
    let id = greeting.identity.device
    if table[id]?.token == greeting.token, greeted.remove(id) != nil { table[id]?.isKept = isKept }
    defer { waiting = [] }
    return waiting
  }
}
