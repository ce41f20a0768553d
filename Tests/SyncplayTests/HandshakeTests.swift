import Testing

@testable import Syncplay

/// The first lines of a connection, §2.2 to 2.4.
@Suite struct HandshakeTests {
  @Test func `the captured exchange`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"TLS":{"startTLS":"send"}}
      alice < {"TLS":{"startTLS":"false"}}
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{}}}
      alice < {"Set":{"ready":{"username":"alice","isReady":null,"manuallyInitiated":false}}}
      alice < {"Set":{"playlistChange":{"user":null,"files":[]}}}
      alice < {"Set":{"playlistIndex":{"user":null,"index":null}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.7.7","realversion":"*","features":{"isolateRooms":false,"readiness":true,"managedRooms":true,"chat":true,"maxChatMessageLength":150,"maxRoomNameLength":35,"maxFilenameLength":250},"motd":""}}
      alice < {"State":{"ping":{"latencyCalculation":"*","serverRtt":0},"playstate":{"position":0,"paused":true,"doSeek":false,"setBy":null}}}
      """#
    ).play(on: &world)
  }

  @Test func `a line may hold several messages`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"TLS":{"startTLS":"send"},"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.7.7","features":{}},"List":null}
      alice < {"TLS":{"startTLS":"false"}}
      alice < {"Hello":{"username":"alice"}}
      alice < {"List":{"lobby":{"alice":{"position":0,"file":{},"controller":false,"isReady":null,"features":{}}}}}
      """#
    ).play(on: &world)
  }

  @Test func `what is missing of a hello`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"  ","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
      alice < {"Error":{"message":"Not enough Hello arguments"}}
      alice hears the end
      bob connects
      bob > {"Hello":{"username":"bob","version":"1.7.7","features":{}}}
      bob < {"Error":{"message":"Not enough Hello arguments"}}
      bob hears the end
      cleo connects
      cleo > {"Hello":{"username":"cleo","room":{"name":"lobby"},"features":{}}}
      cleo < {"Error":{"message":"Not enough Hello arguments"}}
      cleo hears the end
      """#
    ).play(on: &world)
  }

  @Test func `a password`() throws {
    let options = SyncplayOptions(salt: "testsalt12", password: "secret")
    var world = SyncplayWorld(options)
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
      alice < {"Error":{"message":"Password required"}}
      alice hears the end
      bob connects
      bob > {"Hello":{"username":"bob","password":"5ebe2294ecd0e0f08eab7690d2a6ee60","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
      bob < {"Error":{"message":"Wrong password supplied"}}
      bob hears the end
      cleo connects
      cleo > {"Hello":{"username":"cleo","password":"5ebe2294ecd0e0f08eab7690d2a6ee69","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
      cleo < {"Hello":{"username":"cleo"}}
      """#
    ).play(on: &world)
  }

  @Test func `nothing but hello comes before hello`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Chat":"hello"}
      alice < {"Error":{"message":"You must be known to server before sending this command"}}
      alice hears the end
      bob connects
      bob > {"Set":{"ready":{"isReady":true}}}
      bob < {"Error":{"message":"You must be known to server before sending this command"}}
      bob hears the end
      cleo connects
      cleo > {"State":{"ping":{}}}
      cleo < {"Error":{"message":"You must be known to server before sending this command"}}
      cleo hears the end
      """#
    ).play(on: &world)
  }

  @Test func `nobody is told who is here before their hello`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      bob connects
      bob > {"List":null}
      bob < {"Error":{"message":"You must be known to server before sending this command"}}
      bob ! {"List":{}}
      bob hears the end
      """#
    ).play(on: &world)
  }

  @Test func `names are free in all rooms, whatever their case`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"Alice","room":{"name":"one"},"version":"1.7.7","features":{}}}
      alice < {"Hello":{"username":"Alice"}}
      bob connects
      bob > {"Hello":{"username":"alice","room":{"name":"two"},"version":"1.7.7","features":{}}}
      bob < {"Hello":{"username":"alice_"}}
      cleo connects
      cleo > {"Hello":{"username":" alice_ ","room":{"name":"two"},"version":"1.7.7","features":{}}}
      cleo < {"Hello":{"username":"alice__"}}
      """#
    ).play(on: &world)
  }

  @Test func `room names are cut at 35 code points`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"äbcdefghijklmnopqrstuvwxyz0123456789XYZ"},"version":"1.7.7","features":{}}}
      alice < {"Hello":{"room":{"name":"äbcdefghijklmnopqrstuvwxyz012345678"}}}
      """#
    ).play(on: &world)
  }

  @Test func `an unknown command ends the connection`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Quit":{}}
      alice < {"Error":{"message":"*"}}
      alice hears the end
      """#
    ).play(on: &world)
  }

  @Test func `what is no JSON ends the connection`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Chat":
      alice < {"Error":{"message":"Not a json encoded string {\"Chat\":"}}
      alice hears the end
      """#
    ).play(on: &world)
  }

  @Test func `an empty object and a blank line are ignored`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {}
      alice > 
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{}}}}
      """#
    ).play(on: &world)
  }

  @Test func `who says Error hears it again`() throws {
    var world = SyncplayWorld()
    try SyncplayScript(
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"setOthersReadiness":true,"uiMode":"CLI"}}}
      alice < {"Hello":{"username":"alice","room":{"name":"lobby"}}}
      alice > {"Error":{"message":"startTLS"}}
      alice hears the end
      """#
    ).play(on: &world)
  }
}
