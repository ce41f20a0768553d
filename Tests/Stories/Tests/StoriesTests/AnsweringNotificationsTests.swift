import MatineeClient
import Testing

@testable import Stories

/// Ann has a phone, Ben a phone and a television; both are in the film club.
@MainActor @Suite(.serialized, .hangLimit) struct AnsweringNotificationsTests {
  private static let key = "0a-key-of-the-apps-backend"

  private struct Club {
    let ann: FilmClub
    let ben: FilmClub
    let benTV: FilmClub
    /// A device of the club's backend, which knows the server's key.
    let backend: GroupWatchClient

    var all: [FilmClub] { [ann, ben, benTV] }

    /// Proposes a film to Ben.
    @MainActor func propose(_ film: String) async throws {
      var payload = NotificationPayload(
        .init(title: "Film club", body: "How about a film tonight?"),
        custom: ["film": .string(film)])
      payload.categoryID = FilmClub.proposal.id
      try await backend.notifications.push(
        to: UserID("Ben"), payload, key: AnsweringNotificationsTests.key)
    }
  }

  private func with(_ body: (Club) async throws -> Void) async throws {
    try await Server.run(administratorKey: Self.key) { server in
      var clients: [GroupWatchClient] = []
      defer { for client in clients { client.close() } }
      for (name, device) in [("Ann", "phone"), ("Ben", "phone"), ("Ben", "tv"), ("Backend", "1")] {
        clients.append(try await .online(name, on: device, at: server))
      }
      let club = Club(
        ann: FilmClub(clients[0]), ben: FilmClub(clients[1]), benTV: FilmClub(clients[2]),
        backend: clients[3])
      for app in club.all { try await app.begin() }
      try await body(club)
    }
  }

  @Test func `a text is sent from the notification, and counts for both of Ben's devices`()
    async throws
  {
    try await with { club in
      try await club.propose("Metropolis")
      let banner = try await appears { club.ben.banners.first }
      try await appears { club.benTV.banners.first }
      #expect(banner.category?.actions.map(\.title) == ["I am in", "Not tonight", "Write"])
      #expect(banner.category?.action("WRITE")?.textInput?.placeholder == "Later?")
      club.ben.press("WRITE", on: banner, text: "only after nine")
      try await becomesTrue { club.ann.votes == ["Ben writes of Metropolis: only after nine"] }
      for app in [club.ben, club.benTV] { try await becomesTrue { app.banners.isEmpty } }

      // The answer on the television comes too late.
      club.benTV.press("NO", on: banner)
      try await club.propose("M")
      let next = try await appears { club.benTV.banners.first }
      club.benTV.press("YES", on: next)
      try await becomesTrue { club.ann.votes.count == 2 }
      #expect(club.ann.votes.last == "Ben is in for M")
    }
  }

  @Test func `a tap, and the same buttons of a reminder, answer no proposal`() async throws {
    try await with { club in
      try await club.propose("M")
      club.ben.tap(try await appears { club.ben.banners.first })
      try await becomesTrue { club.ben.notice == "shows the page of M" }

      try await club.ben.remind()
      let reminder = try await appears {
        club.ben.banners.first { $0.notification.id.text == "tonight" }
      }
      club.ben.press("YES", on: reminder)
      try await becomesTrue { club.ben.banners.isEmpty }
      try await club.propose("Faust")
      club.ben.press("NO", on: try await appears { club.ben.banners.first })
      try await becomesTrue { club.ann.votes == ["Ben is not in for Faust"] }
    }
  }

  @Test func `an invitation is accepted from its notification, once for both devices`()
    async throws
  {
    try await with { club in
      try await club.ann.start(MediaItem(title: "Sintel", url: "https://films.example/sintel.mp4"))
      let invitation = try await appears { club.benTV.banners.first }
      try await appears { club.ben.banners.first }
      #expect(invitation.category?.actions.map(\.title) == ["Join", "Decline", "Reply"])
      #expect(club.ann.banners.isEmpty && club.benTV.playing == nil)

      club.benTV.press(ActionIdentifier.accept, on: invitation)
      try await becomesTrue { club.benTV.playing == "Sintel" }
      try await becomesTrue { club.ann.viewers == ["Ann", "Ben"] }
      for app in [club.ben, club.benTV] { try await becomesTrue { app.banners.isEmpty } }
      #expect(club.ben.playing == nil && club.ann.votes.isEmpty)
    }
  }
}
