import GroupSessions
import Vocabulary
import Wire

/// One device, with or without a connection.
struct Device: Equatable, Sendable {
  let identity: Identity
  let token: ResumeToken
  /// The group it is in or about to join.
  var group: GroupID?
  /// The session it is in or about to join.
  var session: SessionID?
  /// Who it is there; the session does not know it yet while it is joining.
  var participant: ParticipantID?
  /// The session it was offered and has neither joined nor declined.
  var offered: SessionID?
  /// The session it left and why: it is not offered that one again by itself.
  var departure: Departure?
  /// Its late requests and what was answered.
  var answers = AnswerMemory()
  // The smaller fields stand last, where they fill a word together.
  /// Counts hellos that were no resumption, over all devices.
  let life: UInt32
  /// Its connection; `nil` while it is lost.
  var peer: PeerID?
  let understandsSessions: Bool
  /// What it was last told of its eligibility.
  var eligibility = Eligibility.ineligible(.notInGroup)

  var id: DeviceID { identity.device }

  var member: Member { Member(identity: identity, understandsSessions: understandsSessions) }
}

/// A session that a device is no longer in; apart from the device, since most have none.
enum Departure: Equatable, Sendable {
  indirect case from(SessionID, LeaveReason)

  var session: SessionID {
    switch self {
    case .from(let session, _): session
    }
  }
}

/// A secret of 128 bits that lets a device go on where its connection broke.
struct ResumeToken: Equatable, Sendable {
  let high: UInt64
  let low: UInt64

  var text: String { mintedText(high, digits: 13) + mintedText(low, digits: 13) }

  /// Compares in a time that does not depend on where the texts differ.
  func matches(_ text: String) -> Bool {
    let mine = Array(self.text.utf8)
    let theirs = Array(text.utf8)
    guard mine.count == theirs.count else { return false }
    return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// The digits of a number in base 32, without letters that look like digits (Crockford's).
func mintedText(_ number: UInt64, digits: Int) -> String {
  let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
  var rest = number
  var text: [UInt8] = []
  for _ in 0..<digits {
    text.append(alphabet[Int(rest % 32)])
    rest /= 32
  }
  return String(decoding: text, as: UTF8.self)
}

/// The late requests of one device: a repeated request is answered as before, never done again.
struct AnswerMemory: Equatable, Sendable {
  enum Outcome: Equatable, Sendable {
    /// Not answered yet: the repetition waits for the same answer.
    case pending
    case answered(Answer)
    indirect case refused(ProtocolError)
  }

  private var outcomes: [(id: RequestID, outcome: Outcome)] = []
  /// The place of the oldest, once the memory is full.
  private var oldest = 0

  subscript(id: RequestID) -> Outcome? {
    place(of: id).map { outcomes[$0].outcome }
  }

  mutating func begin(_ id: RequestID, limit: Int) {
    if outcomes.count < limit {
      outcomes.makeRoom()
      outcomes.append((id, .pending))
    } else if limit > 0 {
      outcomes[oldest] = (id, .pending)
      oldest = (oldest + 1) % limit
    }
  }

  /// Notes what a request came to, unless newer ones took its place.
  mutating func finish(_ id: RequestID, _ outcome: Outcome) {
    guard let place = place(of: id) else { return }
    outcomes[place].outcome = outcome
  }

  /// Looks where they lie: a loop over the array copies each outcome.
  private func place(of id: RequestID) -> Int? {
    let span = outcomes.span
    return span.indices.first { span[$0].id == id }
  }

  static func == (left: AnswerMemory, right: AnswerMemory) -> Bool {
    left.oldest == right.oldest
      && left.outcomes.elementsEqual(right.outcomes) { $0.id == $1.id && $0.outcome == $1.outcome }
  }
}
