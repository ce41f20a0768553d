import CampaignFiles
import Foundation
import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct ShippedCampaignTests {
  private func campaign(_ id: CampaignID) throws -> Campaign {
    try #require(try CampaignSource("shipped").read().map(\.campaign).first { $0.id == id })
  }

  private func message(_ id: CampaignID) throws -> InAppMessage? {
    guard case .message(let message)? = try campaign(id).variants.first?.content else {
      return nil
    }
    return message
  }

  @Test func `every shipped file is sound, and is in the list`() throws {
    let entries = try CampaignSource("shipped").read()
    #expect(entries.map(\.campaign.id.text) == ShippedCampaign.all.map(\.name))
    #expect(entries.map(\.campaign.state).allSatisfy { $0 == .live })
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/CampaignFiles/Shipped").path()
    let files = try CampaignSource(folder).read()
    #expect(files.map(\.campaign) == entries.map(\.campaign))
  }

  // Proves: S15, S16
  @Test func `the watch player comes for the film that the group begins, again and again`() throws {
    let campaign = try campaign("watch-player")
    #expect(
      campaign.triggers == [
        .event(name: "Video Pressed", filters: []), .event(name: "SharePlay Event", filters: []),
      ])
    #expect(campaign.reEligibility == .after(.zero))
    #expect(campaign.interval == .ignore)
    #expect(campaign.bindsSession && campaign.audience == .all && campaign.caps == [])
    let message = try #require(try message("watch-player"))
    #expect(
      message.extras == [
        "view_type": .string("video"), "video_url": .string("{{event.url}}"),
        "video_title": .string("{{event.title | default: Video Content}}"),
      ])
  }

  @Test func `a promotion is said once`() throws {
    #expect(try campaign("promotion").reEligibility == .never)
    #expect(try message("promotion")?.kind == .modal)
  }

  @Test func `the picker says what there is, and which attribute it sets`() throws {
    let message = try #require(try message("genre-picker"))
    #expect(message.extras["view_type"] == .string("picker"))
    #expect(message.extras["attribute_key"] == .string("favorite_genre"))
    #expect(message.buttons.map(\.id) == ["1"])
  }

  @Test func `the preferences are a full list of switches`() throws {
    let message = try #require(try message("preferences"))
    #expect(message.surface == .fullScreen)
    #expect(message.extras["view_type"] == .string("table_list"))
    #expect(message.extras["attribute_key"] == .string("notification_topics"))
  }

  @Test func `the push primer asks for leave only at a yes`() throws {
    let message = try #require(try message("push-primer"))
    #expect(message.buttons.map(\.clickAction) == [.close, .requestPushPermission])
    #expect(
      try campaign("push-primer").audience
        == .not(.attribute(PropertyFilter("push_enabled", .equal, .bool(true)))))
  }
}
