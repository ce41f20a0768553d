import Testing

@testable import Syncplay

/// Chat, §2.11.
@Suite struct ChatTests {
  @Test func `a line of chat goes to the room, its speaker included`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      cleo connects
      cleo > {"Hello":{"username":"cleo","room":{"name":"other"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      cleo < {"Hello":{"username":"cleo","room":{"name":"other"}}}
      alice > {"Chat":"hello there"}
      alice < {"Chat":{"username":"alice","message":"hello there"}}
      bob < {"Chat":{"username":"alice","message":"hello there"}}
      cleo ! {"Chat":"*"}
      """#
    ).play(on: &world)
  }

  @Test func `chat is cut at 150 code points`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Chat":"ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"}
      alice < {"Chat":{"message":"ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"}}
      """#
    ).play(on: &world)
  }

  @Test func `a server without chat`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.allowsChat = false
    var world = SyncplayWorld(options)
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      alice > {"Chat":"hello"}
      wait 0.5
      bob ! {"Chat":"*"}
      """#
    ).play(on: &world)
  }

  @Test func `old clients hear no chat`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.4.9","features":{}}}
      bob < {"Hello":{}}
      alice > {"Chat":"hello"}
      alice < {"Chat":"*"}
      bob ! {"Chat":"*"}
      """#
    ).play(on: &world)
  }
}
