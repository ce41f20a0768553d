import Naming
import Testing
import UserNotifications
import Vocabulary
import Wire
import WireTesting

/// What servers say of notifications, and what clients make of it.
@Suite struct NotificationLineTests {
  private static let notification = RemoteNotification(
    id: "n-1", date: Instant(microseconds: 7),
    payload: NotificationPayload(
      NotificationPayload.Alert(title: "Ann", body: "Film?"), custom: ["inv": "n-1", "exp": 9]),
    collapseID: "n-1", expires: Instant(microseconds: 9))

  @Test(
    arguments: [
      (
        .notification(notification),
        #"{"type":"notification","notification":"n-1","at":7,"collapseID":"n-1","expires":9,"#
          + #""payload":{"aps":{"alert":{"body":"Film?","title":"Ann"}},"exp":9,"inv":"n-1"}}"#
      ),
      (
        .notification(
          RemoteNotification(
            id: "n-2", date: Instant(microseconds: 8),
            payload: .silent(["oi": "queue", "delta": ["from": 1, "to": 2, "set": [:]]]))),
        #"{"type":"notification","notification":"n-2","at":8,"payload":"#
          + #"{"aps":{"content-available":1},"delta":{"from":1,"set":{},"to":2},"oi":"queue"}}"#
      ),
      (.notifications([]), #"{"type":"notifications","notifications":[]}"#),
      (
        .notifications([
          ListedNotification(
            RemoteNotification(
              id: "n-3", date: Instant(microseconds: 8), payload: NotificationPayload()),
            isNew: true),
          ListedNotification(
            RemoteNotification(
              id: "n-4", date: Instant(microseconds: 8), payload: NotificationPayload()),
            isNew: false, isPutAway: true),
        ]),
        #"{"type":"notifications","notifications":[{"notification":"n-3","at":8,"#
          + #""payload":{"aps":{}},"new":true},{"notification":"n-4","at":8,"payload":{"aps":{}},"#
          + #""putAway":true}]}"#
      ),
      (
        .notificationsRevoked(["n-1", "n-2"]),
        #"{"type":"notificationsRevoked","notifications":["n-1","n-2"]}"#
      ),
      (
        .objectState(
          3, ServerObject.part(.queue, of: "s-1"), version: 17, ["current": "e1", "repeat": "off"]),
        #"{"type":"objectState","id":3,"session":"s-1","part":"queue","version":17,"#
          + #""fields":{"current":"e1","repeat":"off"}}"#
      ),
      (.answer(7, .alreadyAnswered), #"{"type":"ok","id":7,"alreadyAnswered":true}"#),
    ] as [(ServerMessage, String)])
  func `servers say`(message: ServerMessage, line: String) throws {
    #expect(text(of: message) == line)
    #expect(try serverMessage(line) == message)
  }

  // Proves: K15, K25
  @Test(
    arguments: [
      (
        ReceivedMessage.Kind.pushToApp,
        #"{"aps":{"content-available":1},"a":"app","s":"ann","t":"DATA_OBJECT_UPDATED","#
          + #""bi":"s-1","bt":"rw","oi":"queue","om":5,"o":"EVENT","st":"APP_AND_GROUP","sa":"app","#
          + #""sg":"club","w":6}"#
      ),
      (
        .pushToUser,
        #"{"aps":{"alert":"Hi"},"to":"group/club","s":"ann","o":"EXPLICIT","st":"APP_AND_GROUP","#
          + #""sa":"app","sg":"club","mine":1.5}"#
      ),
      (.directPush, #"{"aps":{"alert":{"body":"Hi"}},"mine":{"deep":[1,2]}}"#),
    ])
  func `all kinds of messages come through a line as they were sent`(
    kind: ReceivedMessage.Kind, payload: String
  ) throws {
    let line = #"{"type":"notification","notification":"n","at":7,"payload":\#(payload)}"#
    guard case .notification(let notification) = try serverMessage(line) else {
      Issue.record("no notification")
      return
    }
    let message = ReceivedMessage(notification.payload)
    #expect(message.kind == kind)
    // The older handlers are given the same fields, and read them the same.
    #expect(ReceivedMessage(userInfo: notification.payload.fields) == message)
    switch kind {
    case .pushToApp:
      #expect(message.serverObject == ServerObject.part(.queue, of: "s-1"))
      #expect(message.change == .objectUpdated)
      #expect(message.origin == .event)
      #expect(message.sourceGroup == "club")
      #expect(message.modified == Instant(microseconds: 5_000))
      #expect(message.when == Instant(microseconds: 6_000))
    case .pushToUser:
      #expect(message.topicID == "group/club")
      #expect(message.sender == "ann")
      #expect(message.alertBody == "Hi")
      #expect(message.value(of: "mine") == .number(1.5))
    case .directPush:
      #expect(message.alertBody == "Hi")
      #expect(message.value(of: "mine") == ["deep": [1, 2]])
    }
  }

  @Test func `a difference that travels still fits`() throws {
    let delta = try #require(StateDelta(from: 20, to: 29, changes: ["current": "e2", "x": .null]))
    var payload = NotificationPayload.silent([:])
    delta.write(to: &payload)
    let sent = ServerMessage.notification(
      RemoteNotification(id: "n", date: Instant(microseconds: 1), payload: payload))
    guard case .notification(let heard) = try serverMessage(text(of: sent)) else {
      Issue.record("no notification")
      return
    }
    #expect(StateDelta(heard.payload) == delta)
  }

  @Test(
    arguments: [
      (#""type":"notification","at":7,"payload":{}"#, "notification"),
      (#""type":"notification","notification":"n","payload":{}"#, "at"),
      (#""type":"notification","notification":"n","at":7"#, "payload"),
      (#""type":"notification","notification":"n","at":7,"payload":{},"expires":"7""#, "expires"),
      (#""type":"notifications""#, "notifications"),
      (#""type":"notifications","notifications":[{"at":1}]"#, "notifications[0].notification"),
      (#""type":"notificationsRevoked","notifications":[7]"#, "notifications[0]"),
      (#""type":"objectState","id":1,"part":"state","version":1,"fields":{}"#, "session"),
      (#""type":"objectState","id":1,"session":"s","version":1,"fields":{}"#, "part"),
      (#""type":"objectState","id":1,"session":"s","part":"state","fields":{}"#, "version"),
      (#""type":"objectState","id":1,"session":"s","part":"state","version":1"#, "fields"),
    ])
  func `what a server says wrong is named by its way`(fields: String, field: String) {
    do throws(MalformedLine) {
      let message = try serverMessage("{\(fields)}")
      Issue.record("\(message)")
    } catch {
      #expect(error.error.field == field)
    }
  }

  /// As the protocol promises: of 64 notifications with the longest of everything.
  @Test func `all that can stand for a person is one line of no more than 300 KiB`() throws {
    let policy = TrayPolicy()
    let longest = (0..<policy.notifications).map { number in
      let name = String(repeating: "n", count: 250) + "-\(number)"
      var payload = NotificationPayload(custom: ["x": ""])
      let room = policy.payloadBytes - payload.jsonByteCount
      payload.custom["x"] = .string(String(repeating: "x", count: room))
      return ListedNotification(
        RemoteNotification(
          id: NotificationID(name), date: Instant(microseconds: 1 << 53), payload: payload,
          collapseID: String(repeating: "c", count: policy.collapseBytes),
          expires: Instant(microseconds: 1 << 53)), isNew: true, isPutAway: true)
    }
    let message = ServerMessage.notifications(longest)
    let line = encode(message)
    #expect(line.count <= 300 * 1024)
    #expect(line.count <= Limits().outboundBytes / 12)
    #expect(try serverMessage(text(of: message)) == message)
  }
}
