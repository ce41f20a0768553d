/// How a client of Syncplay's is started.
package struct SyncplayClientSettings: Equatable, Sendable {
  /// What others call the person.
  package var name: String
  package var room: String
  /// What the server wants to hear, if anything.
  package var password: String?
  /// The film it opens with, by its name in ``directory``; `nil` opens none.
  package var file: String?
  /// Where its films are, also those of a shared playlist: it is started there.
  package var directory: String
  /// Whether the person is ready from the beginning.
  package var isReady: Bool

  /// A person in a room.
  package init(
    name: String, room: String = "friday", password: String? = nil, file: String? = nil,
    directory: String, isReady: Bool = true
  ) {
    self.name = name
    self.room = room
    self.password = password
    self.file = file
    self.directory = directory
    self.isReady = isReady
  }

  /// The client's configuration: it asks nothing, looks for no update, and its mpv is seen and heard
  /// by nobody.
  ///
  /// Rates, thresholds and all else that says how it follows are its own. Only "play" is always
  /// that: by default it would mean "I am ready" while somebody else is not.
  func configuration(host: String, port: UInt16, playerPath: String, socketPath: String) -> String {
    let arguments = [
      "--config=no", "--vo=null", "--ao=null", "--ytdl=no", "--input-ipc-server=\(socketPath)",
    ]
    let options: [(String, [(String, String)])] = [
      ("server_data", [("host", host), ("port", "\(port)"), ("password", password ?? "")]),
      (
        "client_settings",
        [
          ("name", name), ("room", room), ("playerPath", playerPath),
          ("perPlayerArguments", "{\(literal(playerPath)): \(literal(arguments))}"),
          ("mediaSearchDirectories", literal([directory])),
          ("forceGuiPrompt", "False"), ("readyAtStart", isReady ? "True" : "False"),
          ("unpauseAction", "Always"), ("autoplayInitialState", "False"),
          ("sharedPlaylistEnabled", "True"),
        ]
      ),
      ("general", [("language", "en"), ("checkForUpdatesAutomatically", "False")]),
    ]
    return options.map { section, values in
      // A percent sign would ask for another value.
      "[\(section)]\n"
        + values.map { "\($0) = \($1.replacing("%", with: "%%"))\n" }.joined()
    }.joined(separator: "\n")
  }

  /// Texts as a list of Python's.
  private func literal(_ texts: [String]) -> String {
    "[\(texts.map(literal).joined(separator: ", "))]"
  }

  private func literal(_ text: String) -> String {
    "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
  }
}
