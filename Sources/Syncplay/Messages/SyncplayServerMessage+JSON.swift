package import JSON
import Vocabulary

extension SyncplayServerMessage: JSONWritable {
  /// Writes the message: an object with one key.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .hello(let welcome): writer.field("Hello", welcome)
      case .set(let news): writer.field("Set", news)
      case .list(let rooms): writer.field("List", SyncplayList(rooms: rooms, detail: .features))
      case .chat(let name, let text):
        writer.object("Chat") { writer in
          writer.field("username", name)
          writer.field("message", text)
        }
      case .tls(let begins):
        writer.object("TLS") { $0.field("startTLS", begins ? "true" : "false") }
      case .error(let text): writer.object("Error") { $0.field("message", text) }
      }
    }
  }
}

extension SyncplayWelcome: JSONWritable {
  /// Writes a server's Hello.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.field("username", username)
      writer.object("room") { $0.field("name", room) }
      writer.field("version", version)
      writer.field("realversion", options.version)
      writer.object("features") { writer in
        writer.field("isolateRooms", options.isolatesRooms)
        writer.field("readiness", options.allowsReadiness)
        writer.field("managedRooms", true)
        writer.field("persistentRooms", options.keepsRooms)
        writer.field("chat", options.allowsChat)
        writer.field("maxChatMessageLength", options.maximumChatLength)
        writer.field("maxUsernameLength", options.maximumUsernameLength)
        writer.field("maxRoomNameLength", options.maximumRoomNameLength)
        writer.field("maxFilenameLength", options.maximumFileNameLength)
        writer.field("setOthersReadiness", true)
      }
      writer.field("motd", messageOfTheDay)
    }
  }
}

extension SyncplayNews: JSONWritable {
  /// Writes the object inside a server's Set.
  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      switch self {
      case .user(let name, let room, let file, let event):
        writer.object("user") { writer in
          writer.object(name) { $0.user(room, file, event) }
        }
      case .ready(let name, let isReady, let isManual, let setter):
        writer.object("ready") { writer in
          writer.field("username", name)
          writer.fieldOrNull("isReady", isReady)
          writer.field("manuallyInitiated", isManual)
          writer.field("setBy", setter)
        }
      case .playlist(let files, let name):
        writer.object("playlistChange") { writer in
          writer.fieldOrNull("user", name)
          writer.field("files", files)
        }
      case .playlistIndex(let index, let name):
        writer.object("playlistIndex") { writer in
          writer.fieldOrNull("user", name)
          writer.fieldOrNull("index", index)
        }
      case .controllerAuth(let name, let room, let isSuccess):
        writer.object("controllerAuth") { writer in
          writer.field("user", name)
          writer.field("room", room)
          writer.field("success", isSuccess)
        }
      case .newControlledRoom(let name, let password):
        writer.object("newControlledRoom") { writer in
          writer.field("password", password)
          writer.field("roomName", name)
        }
      case .room(let name): writer.object("room") { $0.field("name", name) }
      }
    }
  }
}

extension JSONWriter {
  fileprivate mutating func fieldOrNull(_ name: String, _ value: (some JSONWritable)?) {
    if let value { field(name, value) } else { null(name) }
  }

  fileprivate mutating func user(
    _ room: String, _ file: JSONText?, _ event: SyncplayNews.UserEvent?
  ) {
    object("room") { $0.field("name", room) }
    field("file", file)
    switch event {
    case .joined(let version, let features):
      object("event") { writer in
        writer.field("joined", true)
        writer.field("version", version)
        writer.field("features", features)
      }
    case .left: object("event") { $0.field("left", true) }
    case nil: break
    }
  }
}

// A State is written in parts. States outnumber all other lines a hundred to one, and two of the
// parts are the same for all clients told at the same moment.

extension SyncplayServerState {
  /// Writes the first part, which is the same for all clients told at the same instant.
  func writeStamp(to writer: inout JSONWriter) {
    writer.fixed(#"{"State":{"ping":{"latencyCalculation":"#)
    stamp.write(to: &writer)
  }

  func writePing(to writer: inout JSONWriter) {
    if let echoed {
      writer.fixed(#","clientLatencyCalculation":"#)
      echoed.write(to: &writer)
    }
    writer.fixed(#","serverRtt":"#)
    roundTrip.write(to: &writer)
  }

  /// Writes the room's position, which is the same for all clients in the room told at the same
  /// instant.
  func writePlace(to writer: inout JSONWriter) {
    writer.fixed(#"},"playstate":{"position":"#)
    position.write(to: &writer)
    writer.fixed(isPaused ? #","paused":true,"# : #","paused":false,"#)
    writer.fixed(isSeek ? #""doSeek":true,"setBy":"# : #""doSeek":false,"setBy":"#)
    if let setBy { writer.string(setBy) } else { writer.elementNull() }
    writer.endObject()
  }

  /// Writes the change counters, and ends the State.
  func writeCounters(to writer: inout JSONWriter) {
    if serverIgnoring != nil || clientIgnoring != nil {
      writer.object("ignoringOnTheFly") { writer in
        writer.field("server", serverIgnoring)
        writer.field("client", clientIgnoring)
      }
    }
    writer.endObject()
    writer.endObject()
  }
}
