import CampaignFiles
import InAppMessaging
import MatineeClient
import MatineeTerminal
import Testing
import Vocabulary

@testable import MatineeTerminal

/// The campaigns that come along, from their files to a terminal.
@Suite struct WorkedCaseTests {
  private func screen(_ id: String) throws -> MessageScreen {
    let campaigns = try CampaignSource.shipped.read().map(\.campaign)
    let campaign = try #require(campaigns.first { $0.id.text == id })
    guard case .message(let message)? = campaign.variants.first?.content else {
      throw CampaignFilesError.refused([])
    }
    return MessageScreen(try #require(ShownMessage.shown(message)))
  }

  private func text(_ screen: MessageScreen) -> String {
    screen.lines.map(\.text).joined(separator: "\n")
  }

  // Proves: A3, A4
  @Test func `a slideup thanks for the choice, above what an app has at its edge`() throws {
    var screen = try screen("genre-thanks")
    #expect(screen.message.surface == .edge(.bottom))
    #expect(screen.lines.suffix(2).first?.text == "", "a row above the edge, beside the hint")
    #expect(text(screen).contains("Thank you."))
    #expect(screen.press(.enter) == .tell(.clicked(button: nil)))
    #expect(screen.press(.escape) == .tell(.closed(.escape)))
  }

  // Proves: A3, A11
  @Test func `a picker in a modal keeps the genre that is chosen`() throws {
    var screen = try screen("genre-picker")
    #expect(screen.message.surface == .dialog)
    #expect(text(screen).contains("( ) Drama") && text(screen).contains("( ) Animation"))
    #expect(screen.press(.enter) == nil)
    _ = screen.press(.number(2))
    #expect(
      screen.press(.enter)
        == .tell(
          .clicked(
            button: "1", action: .setAttribute(key: "favorite_genre", value: .string("Comedy")))))
  }

  // Proves: A3, A20, A21
  @Test func `a full list of switches keeps those that stay on`() throws {
    var screen = try screen("preferences")
    #expect(screen.message.surface == .fullScreen)
    #expect(text(screen).contains("[x] Invitations") && text(screen).contains("[x] Offers"))
    _ = screen.press(.number(4))
    #expect(text(screen).contains("[ ] Offers"))
    let kept = PropertyValue.list(["Invitations", "New films", "Friends who are watching"])
    #expect(
      screen.press(.enter)
        == .tell(
          .clicked(button: "1", action: .setAttribute(key: "notification_topics", value: kept))))
  }

  @Test func `what comes along gives no cause for a warning`() throws {
    #expect(try CampaignSource.shipped.read().flatMap(\.warnings) == [])
  }
}
