import GroupSessions
import Vocabulary
import Wire

/// One device, with or without a connection.
struct Device: Equatable, Sendable {
  let identity: Identity
  let token: ResumeToken
  /// Where it is, or is about to be.
  fileprivate(set) var place = Place()
  /// Its late requests and what was answered.
  fileprivate(set) var answers = AnswerMemory()
  // The smaller fields stand last, where they fill a word together.
  /// Counts hellos that were no resumption, over all devices.
  let life: UInt32
  /// Its connection; `nil` while it is lost.
  fileprivate(set) var peer: PeerID?
  let understandsSessions: Bool
  /// Whether its hello is kept, or about to be.
  fileprivate(set) var isKept = false

  var id: DeviceID { identity.device }

  /// What it goes on with, while nobody is connected as it.
  var resumption: Resumption? {
    peer == nil ? Resumption(token: token.text, session: place.session) : nil
  }

  /// Who asks, from where.
  var sender: Sender { Sender(identity: identity, session: place.session) }

  /// The device as groups know it.
  ///
  /// - Parameter resumption: what it goes on with; `nil` of one that starts anew.
  func attachment(_ resumption: Resumption?) -> Attachment {
    Attachment(
      identity: identity, life: life, understandsSessions: understandsSessions,
      resumption: resumption)
  }
}

/// The devices by their names, what each asked lately, and whether that is still its own.
struct Devices: Sendable {
  private var table = PagedTable<DeviceID, Device>()
  /// How many devices said hello so far, other than to resume.
  private var lives: UInt32 = 0

  subscript(id: DeviceID) -> Device? {
    _read { yield table[id] }
  }

  /// The connection of a device; `nil` if it has none.
  func peer(of id: DeviceID) -> PeerID? { table[id]?.peer }

  var keys: [DeviceID] { Array(table.keys) }
  var isEmpty: Bool { table.isEmpty }
  var count: Int { table.count }

  /// A device that starts anew, in place of what it was.
  mutating func add(
    _ identity: Identity, _ token: ResumeToken, understandsSessions: Bool, on peer: PeerID
  ) {
    lives &+= 1
    table[identity.device] = Device(
      identity: identity, token: token, life: lives, peer: peer,
      understandsSessions: understandsSessions)
  }

  /// Takes in devices as they were kept, without connections.
  ///
  /// - Parameter limit: how many answers of each are remembered.
  mutating func restore(_ recovered: [Recovery.RecoveredDevice], limit: Int) -> [Device] {
    table.reserve(recovered.count)
    return recovered.map { recovered in
      lives &+= 1
      let greeting = recovered.greeting
      var device = Device(
        identity: greeting.identity, token: greeting.token, life: lives,
        understandsSessions: greeting.understandsSessions)
      device.isKept = true
      device.answers = recovered.answers.limited(to: limit)
      table[device.id] = device
      return device
    }
  }

  mutating func remove(_ id: DeviceID) { table[id] = nil }

  mutating func connect(_ id: DeviceID, to peer: PeerID?) { table[id]?.peer = peer }

  mutating func put(_ id: DeviceID, at place: Place) { table.change(id) { $0?.place = place } }

  // MARK: Requests

  enum Beginning {
    case new(Reply)
    /// It was asked before, and is not answered yet.
    case pending
    /// It was asked before, and came to this.
    case settled(RequestOutcome)
  }

  /// Notes a request; `nil` of a device that is not there.
  ///
  /// - Parameter limit: how many are remembered.
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

  /// Whether whoever asked is still there to be answered, and has not started anew.
  func isAsking(_ device: DeviceID, _ life: UInt32) -> Bool { table[device]?.life == life }

  /// Remembers what a request came to.
  mutating func settle(_ answer: RecordedAnswer) {
    table.change(answer.device) { $0?.answers.settle(answer.request, answer.outcome) }
  }

  /// A request came to nothing: repeated, it is carried out.
  mutating func forget(_ request: RequestID, of id: DeviceID) {
    table[id]?.answers.forget(request)
  }

  // MARK: Hellos

  /// The hellos that are to be kept with an append, of those whom it answers.
  ///
  /// A hello is kept before the first thing that its device may resume for. Answers to devices that
  /// are gone are dropped from the append.
  mutating func greetings(before append: inout Append, at now: Instant) -> [Append] {
    var greetings: [Append] = []
    for (place, step) in append.steps.enumerated() {
      guard let answer = step.answer else { continue }
      if !isAsking(answer.device, answer.life) {
        append.dropAnswer(ofStep: place)
      } else if let greeting = takeGreeting(of: answer.device) {
        let record = RecordedEvent(at: now, event: .device(.greeted(greeting)))
        greetings.append(Append(to: .device(answer.device), after: 0, [record]))
      }
    }
    return greetings
  }

  private mutating func takeGreeting(of id: DeviceID) -> Greeting? {
    guard table[id]?.isKept == false, let device = table[id] else { return nil }
    table[id]?.isKept = true
    return Greeting(
      identity: device.identity, token: device.token,
      understandsSessions: device.understandsSessions)
  }

  /// A device's hello could not be kept.
  mutating func giveGreetingBack(of id: DeviceID) { table[id]?.isKept = false }
}

/// A secret of 128 bits that lets a device go on where its connection broke.
package struct ResumeToken: Equatable, Sendable {
  package let high: UInt64
  package let low: UInt64

  /// A token of two random numbers.
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The token that a text spells; `nil` if it spells none.
  package init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 2 * Self.digits, let high = mintedNumber(digits.prefix(Self.digits)),
      let low = mintedNumber(digits.suffix(Self.digits))
    else { return nil }
    self.init(high: high, low: low)
  }

  /// 13 digits of five bits hold 64.
  private static var digits: Int { 13 }

  /// The token as it is told.
  package var text: String {
    mintedText(high, digits: Self.digits) + mintedText(low, digits: Self.digits)
  }

  /// Compares in a time that does not depend on where the texts differ.
  func matches(_ text: String) -> Bool {
    let mine = Array(self.text.utf8)
    let theirs = Array(text.utf8)
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
