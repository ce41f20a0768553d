import ArgumentParser
import EventLoops
import Server

/// The command line of Matinee; one file a subcommand.
@main
struct Matinee: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matinee",
    abstract: "Watch together: the same frame on everybody's player.",
    discussion: """
      A server holds groups of people. Any member of a group can start an activity, such as \
      watching a film, and everyone's player plays it at the same moment.

      Try it:
        matinee serve
        matinee join --group friday --as Ann film.mp4     (in two more terminals,
        matinee join --group friday --as Ben film.mp4      perhaps on other machines)
        matinee status
      """,
    version: MatineeVersion.text,
    subcommands: [
      Serve.self, Join.self, Invite.self, Pair.self, Status.self, AdminCommand.self, Drain.self,
      Push.self,
      Demo.self, JournalCommand.self, Replay.self, CampaignsCommand.self, IssueToken.self,
    ])

  /// Runs one subcommand on the main thread: most of them run an event loop there, and `join`, which is
  /// written as an app is, the main actor.
  @MainActor
  static func main() async {
    ProcessSettings.openStandardStreams()
    ProcessSettings.ignoreFileSizeSignal()
    do {
      var command = try parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      exit(withError: error)
    }
  }
}
