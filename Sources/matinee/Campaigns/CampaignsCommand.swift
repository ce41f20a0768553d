import ArgumentParser
import CampaignFiles
import InAppMessaging
import Vocabulary
import YAML

/// `matinee campaigns`: checks, lists and draws campaign files.
struct CampaignsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campaigns",
    abstract: "Check, list and preview campaigns; ask why somebody does not see one.",
    discussion: """
      A campaign says which in-app message goes to whom, when, and how often. Campaigns are files in \
      YAML, one or more in each, in one directory. check, list and preview only read them, and need no \
      server; explain asks one that runs.

      Where a directory is due, the word shipped stands for the campaigns that Matinee brings along; \
      a directory of that name is ./shipped.

      Try it:
        matinee campaigns list shipped
        matinee campaigns preview shipped banner --user last_watched=Sintel
      """,
    subcommands: [
      CheckCampaigns.self, ListCampaigns.self, PreviewCampaign.self, ExplainCampaigns.self,
    ])
}

/// Which campaigns are meant.
struct CampaignSourceArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A directory of campaign files, or the word shipped.", valueName: "directory"))
  var directory: String

  func validate() throws {
    guard !directory.isEmpty else {
      throw ValidationError("name a directory of campaign files, or write shipped")
    }
  }

  /// Reads them; every mistake is told, and ends the program.
  func read() throws -> [CampaignEntry] {
    do throws(CampaignFilesError) {
      return try CampaignSource(directory).read()
    } catch {
      switch error {
      case .unreadable: throw complaint("\(error)", 66)
      case .refused(let errors):
        var standardError = StandardError()
        for error in errors { print("\(error)", to: &standardError) }
        let files = Set(errors.map(\.file)).count
        throw complaint(
          "\(counted(errors.count, "mistake")) in \(counted(files, "file")); "
            + "a server would go on with the campaigns it has", 65)
      }
    }
  }
}

/// `matinee campaigns list`: a line for each campaign.
struct ListCampaigns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the campaigns of a directory.",
    discussion: """
      Shows for each campaign its state, what triggers it, when a person may see it again, which \
      kinds of message its people get, and where it is written. The order is the one in which they \
      would go if all were triggered at once: by priority, rank and start, then by id.

      Exit codes: 0 shown, 64 wrong usage, 65 there are mistakes, 66 no such directory.
      """)

  @OptionGroup var source: CampaignSourceArgument

  func run() throws {
    let entries = try source.read().sorted { $0.campaign.goes(before: $1.campaign) }
    guard !entries.isEmpty else {
      print("\(source.directory): no campaigns; their files end in .yaml")
      return
    }
    var table = TextTable("ID", "STATE", "PRIORITY", "TRIGGERS", "AGAIN", "MESSAGE", "WHERE")
    for entry in entries {
      let campaign = entry.campaign
      table.add(
        campaign.id.text, campaign.state.rawValue, campaign.priority.text,
        campaign.triggers.map(\.text).joined(separator: ", "), campaign.reEligibility.text,
        campaign.variants.map(\.kindText).joined(separator: ", "), "\(entry.file):\(entry.line)")
    }
    for line in table.lines { print(line) }
  }
}

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
