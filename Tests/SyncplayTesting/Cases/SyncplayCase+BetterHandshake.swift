extension SyncplayCase {
  /// Handshakes where the reference is known to be wrong and its clients accept the correction.
  package static let betterHandshake: [SyncplayCase] = [
    SyncplayCase(
      "a client that comes back and speaks of its player and of itself first is let in",
      #"""
      alice connects
      alice > {"State":{"playstate":{"position":5,"paused":false},"ping":{}}}
      alice > {"Set":{"ready":{"isReady":true,"manuallyInitiated":true}}}
      alice > {"Set":{"playlistIndex":{"index":1}}}
      alice ! {"Error":"*"}
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
      alice < {"Set":{"playlistIndex":{"user":null,"index":null}}}
      alice < {"Hello":{"username":"alice"}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{"isReady":null}}}}
      """#),
    SyncplayCase(
      "a hello without features",
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.2.255","realversion":"1.6.3"}}
      alice < {"Hello":{"username":"alice","version":"1.6.3"}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{"features":{"chat":true,"sharedPlaylists":true,"readiness":true,"setOthersReadiness":false}}}}}
      """#),
    SyncplayCase(
      "a second hello makes no ghost",
      #"""
      alice enters lobby
      bob enters lobby
      alice > {"Hello":{"username":"eve","room":{"name":"lobby"},"version":"1.7.7","features":{}}}
      alice < {"Error":{"message":"*"}}
      alice hears the end
      bob < {"Set":{"user":{"alice":{"event":{"left":true}}}}}
      bob ! {"Set":{"user":{"eve":"*"}}}
      """#),
    SyncplayCase(
      "a version that is no number",
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"lobby"},"version":"dev","features":{}}}
      alice < {"Hello":{"username":"alice"}}
      """#),
    SyncplayCase(
      "wrong types are told so",
      #"""
      alice enters lobby
      alice > {"Set":{"ready":{"isReady":"yes"}}}
      alice < {"Error":{"message":"The field 'Set.ready.isReady' must be true or false."}}
      alice hears the end
      bob enters lobby
      bob > ["Hello"]
      bob < {"Error":{"message":"The line must be an object."}}
      bob hears the end
      cleo enters lobby
      cleo > {"State":{"playstate":{"position":"0"}}}
      cleo < {"Error":{"message":"*"}}
      cleo hears the end
      """#),
    SyncplayCase(
      "features may be set",
      #"""
      alice enters lobby
      alice > {"Set":{"features":{"chat":false}}}
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{"features":{"chat":false}}}}}
      """#),
  ]
}
