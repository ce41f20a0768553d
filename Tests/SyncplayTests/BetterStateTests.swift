import Testing

@testable import Syncplay

/// State where the reference is known to be wrong.
@Suite struct BetterStateTests {
  @Test func `a state without ping, as clients send with a playlist's index`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      wait 1.2
      alice > {"State":{"playstate":{"position":0,"paused":false}}}
      bob < {"State":{"playstate":{"paused":false,"setBy":"alice"}}}
      wait 1
      alice > {"State":{"playstate":{"position":0,"paused":true}}}
      bob < {"State":{"playstate":{"paused":true,"setBy":"alice"}}}
      """#
    ).play(on: &world)
  }

  @Test func `an unacknowledged change is said again each second`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      wait 1.2
      bob is mute
      alice > {"State":{"playstate":{"position":600,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":600,"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      bob < {"State":{"playstate":{"position":600,"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      bob < {"State":{"playstate":{"position":600,"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      bob > {"State":{"ping":{},"ignoringOnTheFly":{"server":1}}}
      bob < {"State":{"playstate":{"position":600,"doSeek":false}}}
      """#
    ).play(on: &world)
  }

  @Test func `who says nothing for 12.5 seconds is dropped`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      wait 1.2
      alice is mute
      wait 11
      alice ! {"Error":"*"}
      wait 2
      alice hears the end
      bob < {"Set":{"user":{"alice":{"event":{"left":true}}}}}
      """#
    ).play(on: &world)
  }
}
