extension SyncplayCase {
  /// The first lines of a connection.
  package static let handshake: [SyncplayCase] = [
    SyncplayCase(
      "the captured exchange",
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
      """#),
    SyncplayCase(
      "a line may hold several messages",
      #"""
      alice connects
      alice > {"TLS":{"startTLS":"send"},"Hello":{"username":"alice","room":{"name":"lobby"},"version":"1.7.7","features":{}},"List":null}
      alice < {"TLS":{"startTLS":"false"}}
      alice < {"Hello":{"username":"alice"}}
      alice < {"List":{"lobby":{"alice":{"position":0,"file":{},"controller":false,"isReady":null,"features":{}}}}}
      """#),
    SyncplayCase(
      "what is missing of a hello",
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
      """#),
    SyncplayCase(
      "a password", on: .password,
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
      """#),
    SyncplayCase(
      "nobody chats before their hello",
      #"""
      alice connects
      alice > {"Chat":"hello"}
      alice < {"Error":{"message":"You must be known to server before sending this command"}}
      alice hears the end
      """#),
    SyncplayCase(
      "nobody is told who is here before their hello",
      #"""
      alice enters lobby
      bob connects
      bob > {"List":null}
      bob < {"Error":{"message":"You must be known to server before sending this command"}}
      bob ! {"List":{}}
      bob hears the end
      """#),
    SyncplayCase(
      "names are free in all rooms, whatever their case",
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
      """#),
    SyncplayCase(
      "room names are cut at 35 code points",
      #"""
      alice connects
      alice > {"Hello":{"username":"alice","room":{"name":"äbcdefghijklmnopqrstuvwxyz0123456789XYZ"},"version":"1.7.7","features":{}}}
      alice < {"Hello":{"room":{"name":"äbcdefghijklmnopqrstuvwxyz012345678"}}}
      """#),
    SyncplayCase(
      "an unknown command ends the connection",
      #"""
      alice enters lobby
      alice > {"Quit":{}}
      alice < {"Error":{"message":"*"}}
      alice hears the end
      """#),
    SyncplayCase(
      "what is no JSON ends the connection",
      #"""
      alice enters lobby
      alice > {"Chat":
      alice < {"Error":{"message":"Not a json encoded string {\"Chat\":"}}
      alice hears the end
      """#),
    SyncplayCase(
      "an empty object and a blank line are ignored",
      #"""
      alice enters lobby
      alice > {}
      alice > 
      alice > {"List":null}
      alice < {"List":{"lobby":{"alice":{}}}}
      """#),
    SyncplayCase(
      "who says Error hears it again",
      #"""
      alice enters lobby
      alice > {"Error":{"message":"startTLS"}}
      alice hears the end
      """#),
  ]
}
