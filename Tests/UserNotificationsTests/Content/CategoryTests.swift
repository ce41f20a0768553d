import Testing
import UserNotifications

@Suite struct CategoryTests {
  // Proves: K10, K12
  @Test func `identifiers are what other systems write, to the letter`() {
    #expect(
      ActionIdentifier.defaultAction == "com.apple.UNNotificationDefaultActionIdentifier")
    #expect(
      ActionIdentifier.dismissAction == "com.apple.UNNotificationDismissActionIdentifier")
    #expect(ActionIdentifier.accept == "ACCEPT_IDENTIFIER")
    #expect(ActionIdentifier.decline == "DECLINE_IDENTIFIER")
    #expect(NotificationCategory.groupWatchInviteID == "GROUP_WATCH_INVITE")
    #expect(NotificationCategory.messageCategoryID == "MESSAGE_CATEGORY")
  }

  @Test func `options are the bits that UserNotifications gives them`() {
    #expect(NotificationAction.Options.authenticationRequired.rawValue == 1)
    #expect(NotificationAction.Options.destructive.rawValue == 2)
    #expect(NotificationAction.Options.foreground.rawValue == 4)
    #expect(NotificationCategory.Options.customDismissAction.rawValue == 1)
    #expect(NotificationCategory.Options.allowInCarPlay.rawValue == 2)
    #expect(NotificationCategory.Options.hiddenPreviewsShowTitle.rawValue == 4)
    #expect(NotificationCategory.Options.hiddenPreviewsShowSubtitle.rawValue == 8)
    #expect(NotificationCategory.Options.allowAnnouncement.rawValue == 16)
    #expect(PresentationOptions.badge.rawValue == 1)
    #expect(PresentationOptions.sound.rawValue == 2)
    #expect(PresentationOptions.list.rawValue == 8)
    #expect(PresentationOptions.banner.rawValue == 16)
  }

  @Test func `the older alert is a banner and a place in the list`() {
    let alert = PresentationOptions(rawValue: 4)
    #expect(alert.modern == [.list, .banner])
    #expect(alert.union(.sound).modern == [.list, .banner, .sound])
    #expect(PresentationOptions.all.modern == .all)
    #expect(PresentationOptions().modern == [])
  }

  @Test func `at most four actions are drawn, two where there is little room`() {
    let actions = (1...5).map { NotificationAction(id: "\($0)", title: "Action \($0)") }
    let category = NotificationCategory(id: "c", actions: actions)
    #expect(category.actions(isCompact: false).map(\.id) == ["1", "2", "3", "4"])
    #expect(category.actions(isCompact: true).map(\.id) == ["1", "2"])
    #expect(category.action("5")?.title == "Action 5")
    #expect(category.action("6") == nil)
  }

  // Proves: K10, K24
  @Test func `an invitation is accepted in the app, declined without it, or answered in words`() {
    let category = NotificationCategory.groupWatchInvite()
    #expect(category.actions.map(\.options) == [.foreground, .destructive, []])
    #expect(category.actions.map { $0.textInput == nil } == [true, true, false])
    #expect(category.options == .customDismissAction)
    let alias = NotificationCategory.groupWatchInvite(id: NotificationCategory.messageCategoryID)
    #expect(alias.id == "MESSAGE_CATEGORY")
    #expect(alias.actions == category.actions)
  }
}
