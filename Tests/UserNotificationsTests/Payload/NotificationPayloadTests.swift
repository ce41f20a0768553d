import Naming
import Testing
import UserNotifications
import Vocabulary

@Suite struct NotificationPayloadTests {
  /// A payload with everything.
  static let full: [String: PayloadValue] = [
    "aps": [
      "alert": [
        "title": "Film night", "subtitle": "Friday", "body": "Ann watches Sintel",
        "title-loc-key": "NIGHT", "title-loc-args": ["Friday"], "loc-key": "WATCHES",
        "loc-args": ["Ann", "Sintel"], "launch-image": "cinema.png",
      ],
      "badge": 3, "sound": ["critical": 1, "name": "bell.caf", "volume": 0.5],
      "thread-id": "friday", "category": "GROUP_WATCH_INVITE", "content-available": 1,
      "mutable-content": 1, "target-content-id": "player",
      "interruption-level": "time-sensitive", "relevance-score": 0.75,
      "filter-criteria": "family",
    ],
    "session": "s1", "item": ["title": "Sintel", "url": "https://example.org/sintel.mp4"],
  ]

  @Test func `every field is read`() {
    let payload = NotificationPayload(Self.full)
    #expect(payload.alert?.title?.key == "NIGHT")
    #expect(payload.alert?.subtitle == "Friday")
    #expect(
      payload.alert?.body
        == .init(key: "WATCHES", arguments: ["Ann", "Sintel"], otherwise: "Ann watches Sintel"))
    #expect(payload.alert?.launchImage == "cinema.png")
    #expect(payload.badge == 3)
    #expect(payload.sound == NotificationSound("bell.caf", isCritical: true, volume: 0.5))
    #expect(payload.threadID == "friday")
    #expect(payload.categoryID == "GROUP_WATCH_INVITE")
    #expect(payload.isContentAvailable)
    #expect(payload.isMutable)
    #expect(payload.targetContentID == "player")
    #expect(payload.interruptionLevel == .timeSensitive)
    #expect(payload.relevanceScore == 0.75)
    #expect(payload.otherFields == ["filter-criteria": "family"])
    #expect(payload.custom.keys.sorted() == ["item", "session"])
    #expect(payload.isForUser)
    #expect(!payload.isSilent)
  }

  @Test func `what is read is written as it was`() {
    #expect(NotificationPayload(Self.full).fields == Self.full)
    for fields in [
      ["aps": ["alert": "Hello"]], ["aps": ["content-available": 1], "a": [.null, true]],
      ["aps": ["sound": "default", "badge": 0]], ["aps": [:], "x": 1.5],
      ["aps": ["alert": ["loc-key": "HELLO"]]],
      ["aps": ["alert": ["body": "Hello", "launch-image": "l"]]],
      ["aps": ["alert": ["subtitle": "Hello"]]],
    ] as [[String: PayloadValue]] {
      #expect(NotificationPayload(fields).fields == fields)
    }
  }

  @Test func `writing and reading again changes nothing`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<500 {
      let payload = NotificationPayload(Self.random(using: &random))
      #expect(NotificationPayload(payload.fields) == payload)
    }
  }

  /// Fields of the right names and of any types.
  private static func random(using random: inout SplitMix64) -> [String: PayloadValue] {
    var fields: [String: PayloadValue] = ["x": .random(depth: 2, using: &random)]
    var aps = full["aps"]?.dictionary ?? [:]
    for name in aps.keys.sorted() {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: aps[name] = nil
      case 1: aps[name] = .random(depth: 2, using: &random)
      default: break
      }
    }
    fields["aps"] = .dictionary(aps)
    return fields
  }

  // Proves: K18
  @Test(
    arguments: [
      [:], ["aps": .null], ["aps": 7], ["aps": "alert"], ["aps": []], ["aps": [:]],
      ["aps": ["category": 7]], ["aps": ["category": .null]], ["aps": ["category": ["a"]]],
    ] as [[String: PayloadValue]])
  func `what is missing or of the wrong type is as good as none`(
    fields: [String: PayloadValue]
  ) {
    let payload = NotificationPayload(fields)
    #expect(payload == NotificationPayload())
    #expect(payload.categoryID == nil)
    #expect(!payload.isForUser && !payload.isSilent)
  }

  // Proves: K18
  @Test(
    arguments: [
      ("alert", 1), ("alert", [:]), ("alert", ["title": 5]), ("alert", ""), ("badge", "3"),
      ("badge", -1), ("badge", 1.5), ("badge", .number(1e300)), ("sound", 1),
      ("sound", ["volume": 1]),
      ("content-available", 0), ("content-available", "1"), ("content-available", 2),
      ("interruption-level", "loud"), ("relevance-score", 2), ("relevance-score", "1"),
    ] as [(String, PayloadValue)])
  func `a field that makes no sense spoils no other`(name: String, value: PayloadValue) {
    let payload = NotificationPayload(["aps": [name: value, "thread-id": "t"]])
    var expected = NotificationPayload()
    expected.threadID = "t"
    #expect(payload == expected)
  }

  @Test func `what only the app is to hear is silent`() {
    #expect(NotificationPayload.silent(["a": 1]).isSilent)
    #expect(NotificationPayload.silent([:]).fields == ["aps": ["content-available": 1]])
    for noticed in ["alert": "x", "badge": 0, "sound": "default"] as [String: PayloadValue] {
      let aps: PayloadValue = .dictionary([noticed.key: noticed.value, "content-available": 1])
      #expect(!NotificationPayload(["aps": aps]).isSilent)
    }
    #expect(!NotificationPayload(["a": 1]).isSilent)
  }

  // Proves: §7.14
  @Test func `a payload can take others back`() {
    let payload = NotificationPayload.silent(["revoke": ["n1", 7, "n2"]])
    #expect(payload.revokes == ["n1", "n2"])
    #expect(NotificationPayload.silent(["revoke": "n1"]).revokes == [])
  }

  @Test func `a field of one's own is never taken for the payload's`() {
    let payload = NotificationPayload("Hello", custom: ["aps": ["badge": 7], "a": 1])
    #expect(payload.fields == ["aps": ["alert": "Hello"], "a": 1])
  }

  @Test func `4096 bytes travel, and 4097 do not`() throws {
    func payload(bytes: Int) -> NotificationPayload {
      let empty = NotificationPayload("", custom: ["x": ""]).jsonByteCount
      return NotificationPayload(
        "", custom: ["x": .string(String(repeating: "x", count: bytes - empty))])
    }
    #expect(payload(bytes: 4_096).jsonByteCount == 4_096)
    try payload(bytes: 4_096).check()
    #expect(throws: PayloadFault.tooLarge(bytes: 4_097, limit: 4_096)) {
      try payload(bytes: 4_097).check()
    }
    #expect(throws: PayloadFault.tooLarge(bytes: 101, limit: 100)) {
      try payload(bytes: 101).check(limit: 100)
    }
    // Bytes, not characters.
    #expect(throws: PayloadFault.self) {
      try NotificationPayload(.init(body: .init(String(repeating: "ü", count: 2_048)))).check()
    }
  }
}

extension NotificationPayload {
  fileprivate init(_ text: String, custom: [String: PayloadValue]) {
    self.init(Alert(body: Text(text)), custom: custom)
  }
}
