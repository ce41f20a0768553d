import Testing

@testable import Syncplay

/// Who is ready, §2.6.
@Suite struct ReadinessTests {
  @Test func `readiness is told to the room`() throws {
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
      alice > {"Set":{"ready":{"isReady":true,"manuallyInitiated":true}}}
      bob < {"Set":{"ready":{"username":"alice","isReady":true,"manuallyInitiated":true}}}
      alice < {"Set":{"ready":{"username":"alice","isReady":true,"manuallyInitiated":true}}}
      cleo ! {"Set":{"ready":{"username":"alice"}}}
      cleo > {"List":null}
      cleo < {"List":{"lobby":{"alice":{"isReady":true},"bob":{"isReady":null}}}}
      """#
    ).play(on: &world)
  }

  @Test func `a server without readiness`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.allowsReadiness = false
    var world = SyncplayWorld(options)
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"lobby"}}}
      alice > {"Set":{"ready":{"isReady":true}}}
      bob > {"List":null}
      bob < {"List":{"lobby":{"alice":{"isReady":null}}}}
      """#
    ).play(on: &world)
  }
}
