import Testing
import UserNotifications

@Suite struct NotificationContentTests {
  @Test func `a notification says what its payload does`() {
    let payload = NotificationPayload(NotificationPayloadTests.full)
    let content = NotificationContent(payload)
    // The app has no texts of these names.
    #expect(content.title == "Film night")
    #expect(content.subtitle == "Friday")
    #expect(content.body == "Ann watches Sintel")
    #expect(content.badge == 3)
    #expect(content.sound?.name == "bell.caf")
    #expect(content.threadID == "friday")
    #expect(content.categoryID == "GROUP_WATCH_INVITE")
    #expect(content.launchImageName == "cinema.png")
    #expect(content.targetContentID == "player")
    #expect(content.interruptionLevel == .timeSensitive)
    #expect(content.relevanceScore == 0.75)
    #expect(content.userInfo == NotificationPayloadTests.full)
    #expect(content.hasText)
  }

  @Test func `a payload without a text says nothing, as usual`() {
    let content = NotificationContent(NotificationPayload())
    #expect(!content.hasText)
    #expect(content.interruptionLevel == .active)
    #expect(content.badge == nil)
  }

  @Test(
    arguments: [
      ("%@ schaut %@", "Ann schaut Sintel"), ("%2$@ mit %1$@", "Sintel mit Ann"),
      ("%1$@, %1$@!", "Ann, Ann!"), ("%@ %@ %@.", "Ann Sintel ."), ("100 %% %@", "100 % Ann"),
      ("%3$@%0$@", ""), ("50 % mehr %", "50 % mehr %"), ("%d %1@ %1$d", "%d %1@ %1$d"),
      ("", ""), ("%99999999999999999999$@", "%99999999999999999999$@"),
    ])
  func `texts are filled in the person's language`(format: String, text: String) {
    let named = NotificationPayload.Text(key: "WATCHES", arguments: ["Ann", "Sintel"])
    #expect(named.text(in: ["WATCHES": format]) == text)
  }

  @Test func `a text without a name in that language is the next best`() {
    #expect(NotificationPayload.Text(key: "HELLO", otherwise: "Hello").text(in: [:]) == "Hello")
    #expect(NotificationPayload.Text(key: "HELLO").text(in: [:]) == "HELLO")
    #expect(NotificationPayload.Text("Hello").text(in: ["Hello": "Hallo"]) == "Hello")
  }

  @Test func `a volume is between nothing and all`() {
    #expect(NotificationSound("a", isCritical: true, volume: 7).volume == 1)
    #expect(NotificationSound("a", isCritical: true, volume: -7).volume == 0)
    #expect(NotificationSound("a", isCritical: true, volume: .nan).volume == 1)
    #expect(NotificationSound.default.volume == nil)
  }
}
