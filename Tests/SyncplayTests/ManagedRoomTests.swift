import Testing

@testable import Syncplay

@Suite struct ManagedRoomTests {
  @Test(arguments: [
    ("lobby", "AB-123-456", "testsalt12", "EB6501C30B97"),
    ("movie night", "QZ-000-999", "ABCDEFGHIJ", "2951E94BA8A9"),
    ("lobby", "AB-123-456", "X", "637BAFB8F4FD"),
  ])
  func `hashes are the reference's`(base: String, password: String, salt: String, hash: String)
    throws
  {
    let room = ManagedRoom(base: base, password: password, salt: salt)
    #expect(room.name == "+\(base):\(hash)")
    let read = try #require(ManagedRoom(room.name))
    #expect(read.accepts(password, salt: salt))
    #expect(!read.accepts("ZZ-999-999", salt: salt))
    #expect(!read.accepts(password, salt: salt + "1"))
  }

  @Test func `which names are managed rooms'`() {
    #expect(ManagedRoom("+a:b:0123456789AB")?.base == "a:b")
    #expect(ManagedRoom("+:0123456789AB")?.base == "")
    #expect(ManagedRoom("+ä:éééééééééééé") != nil)
    for name in [
      "", "+", "lobby", "+lobby", "+lobby:", "+lobby:0123456789A", "+lobby:0123456789ABC",
      "lobby:0123456789AB", "+lobby:0123456789A-", " +lobby:0123456789AB",
    ] {
      #expect(ManagedRoom(name) == nil, "\(name)")
    }
  }

  @Test func `which texts are operators' passwords`() {
    #expect(ManagedRoom.isPassword("AB-123-456"))
    for text in ["", "AB-123-45", "AB-123-4567", "ab-123-456", "AB-1x3-456", "AB_123-456"] {
      #expect(!ManagedRoom.isPassword(text), "\(text)")
    }
  }

  @Test func `a password is sent as its MD5`() {
    #expect(SyncplayHash.md5("secret") == "5ebe2294ecd0e0f08eab7690d2a6ee69")
  }
}
