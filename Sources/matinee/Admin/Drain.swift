import ArgumentParser
import MatineeTerminal
import Vocabulary
import Wire

/// `matinee drain`: sends everybody from one server of a cluster to the others, and stops it.
struct Drain: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Send everybody from one of several servers to the others, and stop it.",
    usage: "matinee drain <name> --admin-key-file <file> [<options>]",
    discussion: """
      For an update, or to turn a machine off. The server lets nobody in any more, tells those who \
      came in there to come back, a share of them every tenth of a second within the \
      --departure-time of matinee serve, and ends. Players go on meanwhile. If it is the one that \
      decides, another one decides then.

      Ask any server; matinee status shows how many connections are left.

      Exit codes: 0 it has begun, 64 wrong usage, 66 no valid key or token in the file, 69 no server \
      or it refuses, 75 no answer in time.
      """)

  @Argument(help: ArgumentHelp("The server: its name in matinee status.", valueName: "name"))
  var name: String

  @OptionGroup var admin: AdminArguments

  func validate() throws { try checkIdentifier(name, "a server") }

  func run() throws {
    try admin.order(.drain(ServerID(name)))
    print("\(name.onOneLine) sends everybody to the other servers, and stops then")
  }
}
