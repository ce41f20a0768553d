import EventLoops

/// How mpv is started.
package struct MpvSettings: Equatable, Sendable {
  /// Where a person sees and hears the player.
  package enum Output: Equatable, Sendable {
    /// Nowhere: the player keeps time, and needs no display and no sound card.
    case headless
    /// In a window with that title, on the desktop's display and sound.
    case window(title: String)
  }

  /// The program, mpv 0.33 or later: a path, or a name to look for in `PATH`.
  package var executable = "mpv"
  /// Where a person sees and hears it.
  package var output = Output.headless
  /// Options after all others, as in `--hwdec=auto`; they win over ours.
  package var extraArguments: [String] = []

  /// mpv from `PATH`, headless.
  package init() {}

  /// The command line, without the program's name.
  ///
  /// - Parameter socketPath: where mpv listens for others than us, such as a ``PlayheadProbe``.
  func arguments(socketPath: String) -> [String] {
    var arguments = [
      // Ours alone: a person's configuration could pause, skip or resume by itself.
      "--no-config", "--no-terminal",
      // What peers ask to play is opened by mpv itself, never by a program it calls.
      "--ytdl=no",
      "--idle=yes", "--pause", "--keep-open=yes", "--hr-seek=yes",
      // Switched on for speeds that people choose: see `MpvDialogue`.
      "--audio-pitch-correction=no",
      // Our connection, and mpv quits when that ends: it cannot outlive us.
      "--input-ipc-client=fd://\(ChildProcess.socketDescriptor)",
      "--input-ipc-server=\(socketPath)",
    ]
    switch output {
    case .headless: arguments += ["--vo=null", "--ao=null"]
    case .window(let title):
      // mpv expands `${...}` in titles; a dollar sign is written twice.
      let title = title.split(separator: "$", omittingEmptySubsequences: false)
      arguments += ["--force-window=yes", "--title=\(title.joined(separator: "$$"))"]
    }
    return arguments + extraArguments
  }
}
