import Participation
import Testing
import Vocabulary
import Wire

@testable import MatineeClient

@Suite struct GroupWatchErrorTests {
  private typealias Failure = Client.Failure

  @Test func `a code that nobody here knows keeps its name and its text`() {
    let error = GroupWatchError(
      Failure.refusedUnknown(UnknownError(code: "fromTomorrow", message: "not on Sundays")))
    #expect(error.code == .unknown("fromTomorrow") && !error.code.isKnown)
    #expect(error.code != .invalidField && error.code.description == "fromTomorrow")
    #expect(error.message == "not on Sundays" && !error.advice.isEmpty)
  }

  @Test(arguments: ErrorCode.allCases)
  func `a server's error keeps all it says`(code: ErrorCode) {
    let error = GroupWatchError(
      Failure.refused(
        ProtocolError(
          code, field: "activity", limit: 3, reason: "alone", session: SessionID("s-1"),
          revision: 7, retryAfter: .seconds(2))))
    #expect(error.code.description == code.rawValue && error.code.isKnown)
    #expect(error.message == code.meaning && error.advice == code.advice)
    #expect(error.field == "activity" && error.limit == 3 && error.reason == "alone")
    #expect(error.session == SessionID("s-1") && error.revision == 7)
    #expect(error.retryAfter == .seconds(2))
  }

  @Test func `it prints the field, the reason and the limit that it is about`() {
    let error = GroupWatchError(
      Failure.refused(ProtocolError(.invalidField, field: "data.a", limit: 3, reason: "reserved")))
    #expect(error.description.contains("(field data.a, reason reserved, limit 3); "))
    let plain = GroupWatchError(Failure.refused(ProtocolError(.banned)))
    #expect(plain.description == "banned: \(plain.message); \(plain.advice)")
  }

  @Test(arguments: ErrorCode.allCases)
  func `a code is the same by its name`(code: ErrorCode) {
    #expect(GroupWatchError.Code.unknown(code.rawValue) == GroupWatchError.Code(code))
  }

  @Test func `what the server answers has a name for apps`() {
    let codes: [(GroupWatchError.Code, ErrorCode)] = [
      (.keyRequired, .keyRequired), (.keyRefused, .keyRefused), (.held, .held),
      (.removed, .removed), (.namesFull, .namesFull), (.tooManyGuesses, .tooManyGuesses),
      (.pairingRefused, .pairingRefused), (.journalUnavailable, .journalUnavailable),
      (.shuttingDown, .shuttingDown), (.deviceInUse, .deviceInUse),
      (.pairingPending, .pairingPending), (.noPerson, .noPerson), (.unproved, .unproved),
      (.notYourDevice, .notYourDevice), (.usersFull, .usersFull), (.traysFull, .traysFull),
      (.tooManyTimelines, .tooManyTimelines), (.unknownSuspension, .unknownSuspension),
      (.staleReport, .staleReport), (.superseded, .superseded),
    ]
    for (code, known) in codes { #expect(code.description == known.rawValue && code.isKnown) }
  }

  @Test func `a payload that is too large is one thing, whoever measured it`() {
    let error = GroupWatchError(
      Failure.refused(ProtocolError(.invalidField, field: "payload", limit: 65_536)))
    #expect(error.code == .payloadTooLarge && error.limit == 65_536)
  }

  @Test func `why a join failed is not lost`() {
    let reason = InvalidationReason(
      Client.InvalidationReason.joinFailed(
        .refused(ProtocolError(.sessionFull, limit: 32))))
    guard case .joinFailed(let error) = reason else {
      Issue.record("\(reason)")
      return
    }
    #expect(error.code == .sessionFull && error.limit == 32)
  }
}
