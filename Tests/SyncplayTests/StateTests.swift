import Testing

@testable import Syncplay

/// State, ping and ignoringOnTheFly, §2.10.
@Suite struct StateTests {
  @Test func `play is told to all at once, and to who pressed it`() throws {
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
      alice > {"State":{"playstate":{"position":0,"paused":false},"ping":{"clientLatencyCalculation":12.5,"clientRtt":0},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":0,"paused":false,"doSeek":"*","setBy":"alice"},"ignoringOnTheFly":{"server":1}}}
      alice < {"State":{"ping":{"clientLatencyCalculation":12.5},"playstate":{"paused":false,"setBy":"alice"},"ignoringOnTheFly":{"server":1,"client":1}}}
      wait 2
      bob < {"State":{"playstate":{"position":1,"paused":false}}}
      """#
    ).play(on: &world)
  }

  @Test func `a pause is told with where it was`() throws {
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
      alice > {"State":{"playstate":{"position":0,"paused":false},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"paused":false}}}
      wait 2.2
      bob > {"State":{"playstate":{"position":2.2,"paused":true},"ignoringOnTheFly":{"client":1}}}
      alice < {"State":{"playstate":{"position":2.2,"paused":true,"doSeek":"*","setBy":"bob"},"ignoringOnTheFly":{"server":1}}}
      bob < {"State":{"playstate":{"position":2.2,"paused":true,"setBy":"bob"},"ignoringOnTheFly":{"client":1}}}
      """#
    ).play(on: &world)
  }

  @Test func `a seek is told as one`() throws {
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
      alice > {"State":{"playstate":{"position":600,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":600,"paused":true,"doSeek":true,"setBy":"alice"},"ignoringOnTheFly":{"server":1}}}
      wait 1.5
      bob < {"State":{"playstate":{"position":600,"paused":true,"doSeek":false}}}
      """#
    ).play(on: &world)
  }

  @Test func `what is missing of a place is no change`() throws {
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
      alice > {"State":{"playstate":{}}}
      alice > {"State":{}}
      alice > {"State":{"ping":{"latencyCalculation":1,"clientLatencyCalculation":1,"clientRtt":0}}}
      wait 0.3
      bob ! {"State":{"ignoringOnTheFly":"*"}}
      """#
    ).play(on: &world)
  }

  @Test func `who has not seen a change is not believed`() throws {
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
      alice > {"State":{"playstate":{"position":100,"paused":true,"doSeek":true},"ignoringOnTheFly":{"client":1}}}
      bob < {"State":{"playstate":{"position":100},"ignoringOnTheFly":{"server":1}}}
      bob > {"State":{"playstate":{"position":0,"paused":false}}}
      wait 0.3
      alice ! {"State":{"playstate":{"paused":false}}}
      bob > {"State":{"playstate":{"position":100,"paused":true},"ignoringOnTheFly":{"server":1}}}
      bob > {"State":{"playstate":{"position":100,"paused":false},"ignoringOnTheFly":{"client":2}}}
      alice < {"State":{"playstate":{"position":100,"paused":false,"setBy":"bob"}}}
      """#
    ).play(on: &world)
  }

  @Test func `a client's stamp comes back once, with the time it lay there`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      wait 1.2
      alice is mute
      alice > {"State":{"ping":{"latencyCalculation":0,"clientLatencyCalculation":500,"clientRtt":0}}}
      alice < {"State":{"ping":{"clientLatencyCalculation":"*"}}}
      alice ! {"State":{"ping":{"clientLatencyCalculation":500}}}
      """#
    ).play(on: &world)
  }
}
