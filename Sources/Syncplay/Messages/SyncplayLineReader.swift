import JSON
import Vocabulary

/// Reads the values of the top-level keys; missing and unknown fields are accepted, wrong types are
/// not.
struct SyncplayLineReader {
  private let options: SyncplayOptions

  init(_ options: SyncplayOptions) {
    self.options = options
  }

  func read(
    _ command: SyncplayCommand, _ value: borrowing JSONValue,
    into messages: inout [SyncplayClientMessage]
  ) throws(DecodingFlaw) {
    switch command {
    case .hello: messages.append(.hello(try hello(value.object())))
    case .set:
      try value.object().forEachField(nameMaximum: .max) { (name, value) throws(DecodingFlaw) in
        if let setting = try setting(name, value) { messages.append(.set(setting)) }
      }
    case .list: messages.append(.list)
    case .state: messages.append(.state(try state(value.object())))
    case .error:
      let text = try value.object().optionalString("message", maximum: .max) ?? ""
      messages.append(.error(text))
    case .chat: messages.append(.chat(try value.string(maximum: .max)))
    case .tls:
      let inquiry = try value.object().optionalString("startTLS", maximum: .max)
      if inquiry?.contains("send") == true { messages.append(.tlsInquiry) }
    }
  }

  private func hello(_ object: JSONObject) throws(DecodingFlaw) -> SyncplayHello {
    let version = try object.optionalString("version", maximum: .max) ?? ""
    let name = try object.optionalObject("room")?.optionalString("name", maximum: .max) ?? ""
    let features: SyncplayFeatures?
    if let told = try object.optionalObject("features") {
      features = SyncplayFeatures(told)
    } else {
      features = nil
    }
    return SyncplayHello(
      username: (try object.optionalString("username", maximum: .max) ?? "").strippedOfSpace,
      room: name.strippedOfSpace,
      version: (try object.optionalString("realversion", maximum: .max) ?? version)
        .truncated(toCodePoints: SyncplayLimits.versionCodePoints),
      password: try object.optionalString("password", maximum: .max),
      features: features)
  }

  private func setting(_ name: String, _ value: borrowing JSONValue) throws(DecodingFlaw)
    -> SyncplaySetting?
  {
    switch name {
    case "room":
      return .room(try value.object().optionalString("name", maximum: .max) ?? "")
    case "file":
      return .file(
        try SyncplayFile.read(value, nameCodePoints: options.maximumFileNameLength))
    case "controllerAuth":
      let object = try value.object()
      return .controllerAuth(
        room: try object.optionalString("room", maximum: .max),
        password: try object.optionalString("password", maximum: .max) ?? "")
    case "ready":
      let object = try value.object()
      return .ready(
        try object.optionalBool("isReady"),
        isManual: try object.optionalBool("manuallyInitiated") ?? false,
        user: try object.optionalString("username", maximum: .max))
    case "playlistChange":
      // A playlist that is too long is answered with the current list instead of an Error.
      return .playlist(
        try value.object().array("files", maximum: .max).map { (file) throws(DecodingFlaw) in
          try file.string(maximum: .max)
        })
    case "playlistIndex":
      return .playlistIndex(
        try value.object().optionalInt("index", in: -Int(Int32.max)...Int(Int32.max)))
    case "features": return .features(SyncplayFeatures(try value.object()))
    default: return nil
    }
  }

  func state(_ object: JSONObject) throws(DecodingFlaw) -> SyncplayClientState {
    var state = SyncplayClientState()
    if let place = try object.optionalObject("playstate") {
      state.place = SyncplayClientState.Place(
        bounding: try place.optionalDouble("position") ?? 0,
        isPaused: try place.optionalBool("paused"),
        isSeek: try place.optionalBool("doSeek") ?? false)
    }
    if let ping = try object.optionalObject("ping") {
      state.echoed = try ping.optionalDouble("latencyCalculation")
      state.stamp = try ping.optionalDouble("clientLatencyCalculation")
      state.roundTrip = try ping.optionalDouble("clientRtt") ?? 0
    }
    if let ignoring = try object.optionalObject("ignoringOnTheFly") {
      state.serverIgnoring = try ignoring.optionalInt("server")
      state.clientIgnoring = try ignoring.optionalInt("client")
    }
    return state
  }
}
