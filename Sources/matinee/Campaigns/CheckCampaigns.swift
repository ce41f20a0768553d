import ArgumentParser
import CampaignFiles
import InAppMessaging

/// `matinee campaigns check`: reads a directory as a server would, and tells every mistake.
struct CheckCampaigns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell every mistake in campaign files.",
    discussion: """
      Reads all files that end in .yaml or .yml, as a server does when it starts, and tells each \
      mistake in a line of its own, as file:line:column: what is wrong; what to write instead. A \
      directory with a mistake in it is refused whole.

      Warnings tell what a client would make of a message that its author may not have meant, such as \
      a view that no client brings along. Name the views of your own app, and it warns of others only:

        matinee campaigns check my-campaigns --views quiz,map

      Exit codes: 0 all is well, 64 wrong usage, 65 there are mistakes, 66 no such directory.
      """)

  @OptionGroup var source: CampaignSourceArgument

  @Option(
    help: ArgumentHelp(
      "The views that the app has besides those that come along.", valueName: "name,…"),
    transform: { text in text.split(separator: ",").map { String($0).trimmingSpaces } })
  var views: [String] = []

  func run() throws {
    let entries = try source.read()
    guard !entries.isEmpty else {
      print("\(source.directory): no campaigns; their files end in .yaml")
      return
    }
    let live = entries.count { $0.campaign.state == .live }
    let files = Set(entries.map(\.file)).count
    let warnings = entries.flatMap(\.warnings).filter { warning in
      !(warning.view.map(views.contains) ?? false)
    }
    var standardError = StandardError()
    for warning in warnings { print("\(warning)", to: &standardError) }
    print(
      "\(source.directory): \(counted(entries.count, "campaign")) in \(counted(files, "file")), "
        + "\(live) live; "
        + (warnings.isEmpty ? "all is well" : counted(warnings.count, "warning")))
  }
}
