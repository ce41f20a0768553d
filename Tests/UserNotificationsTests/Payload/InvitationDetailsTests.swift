import Naming
import Testing
import UserNotifications
import Vocabulary

@Suite struct InvitationDetailsTests {
  // Proves: K15
  @Test func `what an invitation carries is read as it was written`() {
    let full = InvitationDetails(
      id: "s1-ann-7", session: "s1", group: "friday", title: "Sintel",
      url: "https://films.example/sintel.mp4", from: "ben",
      expires: Instant(microseconds: 1_795_292_100_000_000), token: "abc",
      fallbackURL: "https://films.example/")
    for details in [full, InvitationDetails(id: "i", session: "s")] {
      #expect(InvitationDetails(details.fields) == details)
    }
    #expect(full.fields["group"] == "friday")
    #expect(full.fields["exp"] == 1_795_292_100_000)
    #expect(full.fields["item"] == ["title": "Sintel", "url": "https://films.example/sintel.mp4"])
  }

  // Proves: K18
  @Test func `without a name or a session it is no invitation, and the rest may be missing`() {
    #expect(InvitationDetails(["session": "s1"]) == nil)
    #expect(InvitationDetails(["inv": "i", "session": 7]) == nil)
    let details = InvitationDetails(["inv": "i", "session": "s", "item": "Sintel", "exp": "soon"])
    #expect(details == InvitationDetails(id: "i", session: "s"))
  }
}
