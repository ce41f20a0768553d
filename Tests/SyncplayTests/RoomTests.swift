import Testing

@testable import Syncplay

/// People, rooms and lists, §2.5 to 2.7.
@Suite struct RoomTests {
  @Test func `everybody hears who comes and goes`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"other"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"other"}}}
      alice < {"Set":{"user":{"bob":{"room":{"name":"other"},"event":{"joined":true}}}}}
      alice ! {"Set":{"ready":{"username":"bob"}}}
      cleo connects
      cleo > {"Hello":{"username":"cleo","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      cleo < {"Hello":{"username":"cleo","room":{"name":"lobby"}}}
      alice < {"Set":{"user":{"cleo":{"room":{"name":"lobby"},"event":{"joined":true}}}}}
      alice < {"Set":{"ready":{"username":"cleo","isReady":null}}}
      bob leaves
      alice < {"Set":{"user":{"bob":{"event":{"left":true}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `isolated rooms know nothing of each other`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.isolatesRooms = true
    var world = SyncplayWorld(options)
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"other"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"other"}}}
      cleo connects
      cleo > {"Hello":{"username":"cleo","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      cleo < {"Hello":{"username":"cleo","room":{"name":"lobby"}}}
      alice < {"Set":{"user":{"cleo":{}}}}
      alice ! {"Set":{"user":{"bob":"*"}}}
      bob ! {"Set":{"user":{"cleo":"*"}}}
      bob > {"List":null}
      bob < {"List":{"other":{"bob":{}}}}
      bob ! {"List":{"lobby":"*"}}
      """#
    ).play(on: &world)
  }

  @Test func `a list of all rooms`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"other"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"other"}}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{"position":0,"file":{},"controller":false,"isReady":null}},"other":{"bob":{"file":{}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `going to another room`() throws {
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
      bob > {"Set":{"room":{"name":"other"}}}
      bob < {"State":{"playstate":{"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      bob < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      bob < {"Set":{"ready":{"username":"bob"}}}
      bob < {"Set":{"playlistChange":{"files":[]}}}
      bob < {"Set":{"playlistIndex":{"index":null}}}
      alice < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      cleo < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      cleo < {"Set":{"ready":{"username":"bob"}}}
      """#
    ).play(on: &world)
  }

  @Test func `going to another room where rooms are isolated`() throws {
    var options = SyncplayOptions(salt: "testsalt12")
    options.isolatesRooms = true
    var world = SyncplayWorld(options)
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
      bob > {"Set":{"room":{"name":"other"}}}
      alice < {"Set":{"user":{"bob":{"event":{"left":true}}}}}
      cleo < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `a file is told to all`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"other"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      bob < {"Hello":{"username":"bob","room":{"name":"other"}}}
      alice > {"Set":{"file":{"name":"film.mkv","duration":120.5,"size":1048576}}}
      alice < {"Set":{"user":{"alice":{"room":{"name":"lobby"},"file":{"name":"film.mkv","duration":120.5,"size":1048576}}}}}
      bob < {"Set":{"user":{"alice":{"file":{"name":"film.mkv"}}}}}
      bob > {"List":null}
      bob < {"List":{"lobby":{"alice":{"file":{"name":"film.mkv","duration":120.5,"size":1048576}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `a hashed size and a hidden name`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Set":{"file":{"name":"**Hidden filename**","duration":60,"size":"0123456789ab"}}}
      alice < {"Set":{"user":{"alice":{"file":{"name":"**Hidden filename**","size":"0123456789ab"}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `unknown keys in a set are ignored`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Set":{"mood":{"name":"good"},"ready":{"isReady":true}}}
      alice < {"Set":{"ready":{"username":"alice","isReady":true,"manuallyInitiated":false}}}
      """#
    ).play(on: &world)
  }
}
