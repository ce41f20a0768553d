extension SyncplayCase {
  /// Chat.
  package static let chat: [SyncplayCase] = [
    SyncplayCase(
      "a line of chat goes to the room, its speaker included",
      #"""
      alice enters lobby
      bob enters lobby
      cleo enters other
      alice > {"Chat":"hello there"}
      alice < {"Chat":{"username":"alice","message":"hello there"}}
      bob < {"Chat":{"username":"alice","message":"hello there"}}
      cleo ! {"Chat":"*"}
      """#),
    SyncplayCase(
      "chat is cut at 150 code points",
      #"""
      alice enters lobby
      alice > {"Chat":"ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"}
      alice < {"Chat":{"message":"ääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää"}}
      """#),
    SyncplayCase(
      "a server without chat", on: .withoutChat,
      #"""
      alice enters lobby
      bob enters lobby
      alice > {"Chat":"hello"}
      wait 0.5
      bob ! {"Chat":"*"}
      """#),
    SyncplayCase(
      "old clients hear no chat",
      #"""
      alice enters lobby
      bob connects
      bob > {"Hello":{"username":"bob","room":{"name":"lobby"},"version":"1.4.9","features":{}}}
      bob < {"Hello":{}}
      alice > {"Chat":"hello"}
      alice < {"Chat":"*"}
      bob ! {"Chat":"*"}
      """#),
  ]
}
