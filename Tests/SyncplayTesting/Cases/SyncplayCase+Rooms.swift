extension SyncplayCase {
  /// Users, rooms and lists.
  package static let rooms: [SyncplayCase] = [
    SyncplayCase(
      "everybody hears who comes and goes",
      #"""
      alice enters lobby
      bob enters other
      alice < {"Set":{"user":{"bob":{"room":{"name":"other"},"event":{"joined":true}}}}}
      alice ! {"Set":{"ready":{"username":"bob"}}}
      cleo enters lobby
      alice < {"Set":{"user":{"cleo":{"room":{"name":"lobby"},"event":{"joined":true}}}}}
      alice < {"Set":{"ready":{"username":"cleo","isReady":null}}}
      bob leaves
      alice < {"Set":{"user":{"bob":{"event":{"left":true}}}}}
      """#),
    SyncplayCase(
      "isolated rooms know nothing of each other", on: .isolated,
      #"""
      alice enters lobby
      bob enters other
      cleo enters lobby
      alice < {"Set":{"user":{"cleo":{}}}}
      alice ! {"Set":{"user":{"bob":"*"}}}
      bob ! {"Set":{"user":{"cleo":"*"}}}
      bob > {"List":null}
      bob < {"List":{"other":{"bob":{}}}}
      bob ! {"List":{"lobby":"*"}}
      """#),
    SyncplayCase(
      "a list of all rooms",
      #"""
      alice enters lobby
      bob enters other
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{"position":0,"file":{},"controller":false,"isReady":null}},"other":{"bob":{"file":{}}}}}
      """#),
    SyncplayCase(
      "going to another room",
      #"""
      alice enters lobby
      bob enters lobby
      cleo enters other
      bob > {"Set":{"room":{"name":"other"}}}
      bob < {"State":{"playstate":{"doSeek":true},"ignoringOnTheFly":{"server":1}}}
      bob < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      bob < {"Set":{"ready":{"username":"bob"}}}
      bob < {"Set":{"playlistChange":{"files":[]}}}
      bob < {"Set":{"playlistIndex":{"index":null}}}
      alice < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      cleo < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      cleo < {"Set":{"ready":{"username":"bob"}}}
      """#),
    SyncplayCase(
      "going to another room where rooms are isolated", on: .isolated,
      #"""
      alice enters lobby
      bob enters lobby
      cleo enters other
      bob > {"Set":{"room":{"name":"other"}}}
      alice < {"Set":{"user":{"bob":{"event":{"left":true}}}}}
      cleo < {"Set":{"user":{"bob":{"room":{"name":"other"}}}}}
      """#),
    SyncplayCase(
      "a file is told to all",
      #"""
      alice enters lobby
      bob enters other
      alice > {"Set":{"file":{"name":"film.mkv","duration":120.5,"size":1048576}}}
      alice < {"Set":{"user":{"alice":{"room":{"name":"lobby"},"file":{"name":"film.mkv","duration":120.5,"size":1048576}}}}}
      bob < {"Set":{"user":{"alice":{"file":{"name":"film.mkv"}}}}}
      bob > {"List":null}
      bob < {"List":{"lobby":{"alice":{"file":{"name":"film.mkv","duration":120.5,"size":1048576}}}}}
      """#),
    SyncplayCase(
      "a hashed size and a hidden name",
      #"""
      alice enters lobby
      alice > {"Set":{"file":{"name":"**Hidden filename**","duration":60,"size":"0123456789ab"}}}
      alice < {"Set":{"user":{"alice":{"file":{"name":"**Hidden filename**","size":"0123456789ab"}}}}}
      """#),
    SyncplayCase(
      "unknown keys in a set are ignored",
      #"""
      alice enters lobby
      alice > {"Set":{"mood":{"name":"good"},"ready":{"isReady":true}}}
      alice < {"Set":{"ready":{"username":"alice","isReady":true,"manuallyInitiated":false}}}
      """#),
  ]
}
