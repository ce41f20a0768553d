import GroupSessions
import Naming
import Testing
import Vocabulary

@testable import Syncplay

@Suite struct RoomNameTests {
  @Test func `names are cut in code points, managed ones not at all`() {
    let options = SyncplayOptions(salt: "x")
    let long = String(repeating: "👩‍🚀", count: 20)
    #expect(RoomName.truncated(long, options: options).unicodeScalars.count == 35)
    let managed = "+" + String(repeating: "a", count: 30) + ":0123456789AB"
    #expect(RoomName.truncated(managed, options: options) == managed)
    let longer = "+" + String(repeating: "a", count: 36) + ":0123456789AB"
    #expect(RoomName.truncated(longer, options: options).unicodeScalars.count == 35)
  }

  @Test func `a room is the group of its name, if an identifier can be as long`() {
    let limits = Limits()
    #expect(RoomName.group(of: "film-club", limits: limits) == "film-club")
    let names = ["", String(repeating: "日", count: 35), String(repeating: "日", count: 34) + "本"]
    let groups = names.map { RoomName.group(of: $0, limits: limits) }
    #expect(Set(groups).count == 3)
    for group in groups { #expect(1...limits.identifierBytes ~= group.text.utf8.count) }
  }

  @Test func `rooms whose names have control characters are groups of their own, without any`() {
    let names = ["a", "a\u{0}b", "a\u{0}c", "\u{0}", "a\nb", "\u{1B}[2J\u{85}"]
    let groups = names.map { RoomName.group(of: $0, limits: Limits()) }
    #expect(Set(groups).count == names.count)
    #expect(groups.allSatisfy { !$0.text.hasControls })
  }

  @Test func `a text is cut to bytes between its code points`() {
    let text = "aé日👩‍🚀"
    let whole = text.unicodeScalars.indices.map { String(text[..<$0]) } + [text]
    for bytes in -1...text.utf8.count + 2 {
      let longest = whole.last { $0.utf8.count <= bytes } ?? ""
      #expect(text.truncated(toBytes: bytes) == longest, "\(bytes)")
    }
  }

  @Test func `which rooms go with their last client`() {
    for name in ["x-temp", "X-TEMP", "+a-temp:0123456789AB"] { #expect(RoomName.isTemporary(name)) }
    for name in ["temp", "x-temporary"] { #expect(!RoomName.isTemporary(name)) }
  }

  @Test func `names are made free as the reference does`() {
    var names = UsernameRegistry()
    let claims = [
      ("Ann", "Ann"), ("ann", "ann_"), ("ann_", "ann__"), ("_", "_"), ("_", "__"),
      (String(repeating: "a", count: 20), String(repeating: "a", count: 16)),
    ]
    for (wanted, name) in claims {
      let claimed = names.claim(wanted, maximum: 16)
      #expect(claimed == name)
    }
    names.release("ANN")
    let claimed = names.claim("ann_", maximum: 16)
    #expect(claimed == "ann")
  }

  @Test func `a crowd of one name has short names`() {
    var names = UsernameRegistry()
    var claimed: [String] = []
    for _ in 0..<1_000 { claimed.append(names.claim("a", maximum: 16)) }
    #expect(Set(claimed).count == 1_000)
    #expect(claimed.allSatisfy { $0.count < 16 })
  }

  @Test func `a message of the day is a template`() {
    func text(_ template: String) -> String {
      MessageOfTheDay(template: template).text(
        version: "1.7.7", address: "::1", username: "ann", room: "lobby")
    }
    #expect(
      text("Hi $username in ${room}, $$5 ($version, $userIp)") == "Hi ann in lobby, $5 (1.7.7, ::1)"
    )
    #expect(text("") == "")
    for template in ["$", "$nobody", "${room", "5 $ more"] {
      #expect(text(template).contains("dollar sign"), "\(template)")
    }
    #expect(text(String(repeating: "x", count: 10_001)).contains("too long"))
  }

  @Test func `versions are numbers`() {
    #expect(SyncplayVersion("1.10.0") > SyncplayVersion("1.5.0"))
    #expect(SyncplayVersion("1.7") < SyncplayVersion("1.7.2"))
    #expect(SyncplayVersion("1.7.3-beta") > SyncplayVersion("1.7.2"))
    #expect(SyncplayVersion("dev") < SyncplayVersion("1.2.0"))
    #expect(SyncplayVersion("99999999999999999999.1") < SyncplayVersion("1"))
  }
}
