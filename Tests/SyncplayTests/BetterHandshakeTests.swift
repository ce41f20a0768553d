import Testing

@testable import Syncplay

/// Where the reference is known to be wrong; its clients are none the worse.
@Suite struct BetterHandshakeTests {
  @Test func `a hello without features`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.6.3"}}
      alice < {"Hello":{"username":"alice","version":"1.6.3"}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{"features":{"chat":true,"sharedPlaylists":true,"readiness":true,"setOthersReadiness":false}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `a second hello makes no ghost`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      alice > {"Hello":{"username":"eve","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
      alice < {"Error":{"message":"*"}}
      alice hears the end
      bob < {"Set":{"user":{"alice":{"event":{"left":true}}}}}
      bob ! {"Set":{"user":{"eve":"*"}}}
      """#
    ).play(on: &world)
  }

  @Test func `a version that is no number`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"dev","features":{}}}
      alice < {"Hello":{"username":"alice"}}
      """#
    ).play(on: &world)
  }

  @Test func `wrong types are told so`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Set":{"ready":{"isReady":"yes"}}}
      alice < {"Error":{"message":"The field 'Set.ready.isReady' must be true or false."}}
      alice hears the end
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      bob > ["Hello"]
      bob < {"Error":{"message":"The line must be an object."}}
      bob hears the end
      cleo connects
      cleo > {"Hello":{"username":"cleo","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      cleo < {"Hello":{"username":"cleo","room":{"name":"lobby"}}}
      cleo > {"State":{"playstate":{"position":"0"}}}
      cleo < {"Error":{"message":"*"}}
      cleo hears the end
      """#
    ).play(on: &world)
  }

  @Test func `features may be set`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Set":{"features":{"chat":false}}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{"features":{"chat":false}}}}}
      """#
    ).play(on: &world)
  }
}
