import Participation
import Stages
import Testing
import Wire

@testable import MatineeClient
@testable import matinee

/// What a person at a terminal is told of refusals.
@Suite struct RefusalTextsTests {
  @Test(arguments: [
    "notJoined", "noOffer", "nothingStaged", "noMedia", "unknownParticipant", "unknownEntry",
    "unknownSuspension", "noMessage", "noInvitation", "noNotification",
  ])
  func `what is impossible now is said in words`(code: String) {
    #expect(!NotNow(code).text.contains(code) && NotNow(code).text.contains(" "))
  }

  private func text(_ code: ErrorCode, reason: String? = nil, retryAfter: Duration? = nil) -> String
  {
    let error = ProtocolError(code, reason: reason, retryAfter: retryAfter)
    return GroupWatchError(Client.Failure.refused(error)).text
  }

  @Test(arguments: [
    ErrorCode.invalidField, .invalidActivity, .credentialRequired, .credentialRefused,
    .keyRequired, .notEligible, .sessionEnded, .forbidden, .conflict, .sessionFull,
    .invitationAnswered, .invitationOver,
  ])
  func `the advice names no fields of the protocol`(code: ErrorCode) {
    let fields = ["reason", "key", "field", "credential", "revision", "retryAfter"]
    for field in fields { #expect(!text(code).contains("`\(field)`"), "\(text(code))") }
  }

  @Test func `reasons and pauses are in the advice`() {
    #expect(
      text(.notEligible, reason: "alone").hasSuffix("; wait for somebody else to join the group"))
    #expect(text(.busy, retryAfter: .seconds(3)).hasSuffix("; try again in 3 s"))
    #expect(text(.credentialRefused, reason: "expired").hasSuffix("; use another token (expired)"))
  }

  @Test func `a suspension is said in words`() {
    #expect(SuspensionReason.coordinatedPlaybackNotPossible.spokenText == "cannot play it")
    #expect(SuspensionReason("tea").spokenText == "tea")
  }
}
