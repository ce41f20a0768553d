import Coordination
import Naming
import PushTransports
import Testing
import Vocabulary

@testable import Server
@testable import UserNotifications

@Suite struct PushMessageOrderTests {
  private func message(
    to endpoint: PushEndpoint = browser(), number: Int = 1, user: String = "ann",
    change: (inout RemoteNotification) -> Void = { _ in }
  ) throws -> PushMessage {
    let order = order(to: endpoint, number: number, change: change)
    return try PushMessage(order, PushAttempt(order, of: UserID(user)))
  }

  private func text(_ message: PushMessage) -> String {
    String(decoding: message.payload, as: UTF8.self)
  }

  @Test func `a push says what is shown, and which notification it is`() throws {
    let message = try message {
      $0.collapseID = "film"
      $0.expires = Instant(microseconds: 2_000_000)
      $0.payload.custom["level"] = .integer(7)
    }
    #expect(
      text(message) == """
        {"aps":{"alert":"Film?"},"level":7,"matinee":{"at":1000000,"collapseID":"film",\
        "expires":2000000,"notification":"n-1"}}
        """)
    #expect(message.collapseID == "film")
    #expect(message.expires == Instant(microseconds: 2_000_000))
    #expect(!message.isSilent && message.urgency == .high && message.attempt == 1)
  }

  @Test(arguments: [
    browser(), PushEndpoint.apns(token: "00ffaa", topic: "org.example", isSandbox: true),
  ])
  func `where there is no room for its name, the payload goes alone, to the last byte`(
    endpoint: PushEndpoint
  ) throws {
    let limit = try PushAddress(endpoint).longestPayload
    let own = try message(to: endpoint).payload.count
    for more in [limit - own, limit - own + 1] {
      let message = try message(to: endpoint) {
        $0.payload.alert = .init(body: .init("Film?" + String(repeating: "x", count: more)))
      }
      #expect(message.payload.count <= limit)
      #expect(text(message).contains("matinee") == (more == limit - own))
    }
  }

  @Test(arguments: [1, 50, 103])
  func `what is too much for a browser loses its longest fields, and nothing on other devices`(
    more: Int
  ) throws {
    let apple = PushEndpoint.apns(token: "00ffaa", topic: "org.example", isSandbox: true)
    let size = try PushAddress(browser()).longestPayload + more
    func push(to endpoint: PushEndpoint) throws -> PushMessage {
      try message(to: endpoint) {
        $0.payload.custom = ["token": .string("t"), "plot": .string("")]
        let room = size - $0.payload.jsonByteCount
        $0.payload.custom["plot"] = .string(String(repeating: "x", count: room))
      }
    }
    #expect(try push(to: apple).payload.count >= size)
    #expect(
      text(try push(to: browser())) == """
        {"aps":{"alert":"Film?"},"matinee":{"at":1000000,"notification":"n-1"},"token":"t"}
        """)
  }

  @Test func `a text that is too long for a browser loses its end`() throws {
    let message = try message {
      $0.payload.alert = .init(
        title: "Film?", body: .init(String(repeating: "x", count: 4_050)))
      $0.payload.custom["token"] = .string("t")
    }
    #expect(message.payload.count <= (try PushAddress(browser()).longestPayload))
    #expect(text(message).hasPrefix(#"{"aps":{"alert":{"body":"xxx"#))
    #expect(text(message).contains(#"x…","title":"Film?"}},"matinee""#))
  }

  @Test func `what shows nothing is silent, and waits until it suits`() throws {
    let message = try message { $0.payload = .silent(["a": .bool(true)]) }
    #expect(message.isSilent && message.urgency == .normal)
    #expect(text(message).hasPrefix(#"{"a":true,"aps":{"content-available":1}"#))
  }

  @Test(
    arguments: zip(
      [InterruptionLevel.passive, .active, .timeSensitive, .critical],
      [PushUrgency.low, .high, .high, .high]))
  func `how much it disturbs is how urgent it is`(level: InterruptionLevel, urgency: PushUrgency)
    throws
  {
    #expect(try message { $0.payload.interruptionLevel = level }.urgency == urgency)
  }

  @Test func `a push has one name over its attempts, and another for anything else`() throws {
    let endpoint = browser()
    let first = try message(to: endpoint).id
    #expect(try message(to: endpoint, number: 2).id == first)
    let others = [
      try message(to: endpoint, user: "ben").id, try message(to: browser(at: "https://b.org/")).id,
      try message(to: endpoint) { $0.id = NotificationID("n-2") }.id,
    ]
    #expect(Set(others + [first]).count == 4)
  }

  @Test(arguments: [
    (PushEndpoint.apns(token: "xyz", topic: "org.example", isSandbox: false), "hexadecimal"),
    (.apns(token: "00", topic: "a b", isSandbox: false), "bundle id"),
    (.webPush(endpoint: "https://a.org", publicKey: "AA", secret: "AA"), "p256dh"),
  ])
  func `what is no address is told with what would be right`(
    endpoint: PushEndpoint, words: String
  ) {
    do throws(PushEndpointFlaw) {
      _ = try PushAddress(endpoint)
      Issue.record("it is an address")
    } catch {
      #expect(error.description.contains(words))
    }
  }
}
