import ArgumentParser
import CampaignFiles
import EventLoops
import InAppMessaging
import MatineeTerminal
import Vocabulary
import YAML

/// `matinee campaigns`: checks, lists and previews campaign files.
struct CampaignsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campaigns",
    abstract: "Check, list and preview campaigns; explain why one is not seen; count results.",
    discussion: """
      A campaign defines which in-app message is sent to whom, when, and how often. Campaigns are \
      YAML files in one directory; a file holds one or more. check, list and preview only read them \
      and need no server. explain asks a running server. results reads a server's journal.

      In place of a directory, the word shipped means the campaigns that come with Matinee, and \
      player the one of them that a server has by default; write ./shipped for a directory of that \
      name.

      Try it:
        matinee campaigns list shipped
        matinee campaigns preview shipped banner --user last_watched=Sintel
      """,
    subcommands: [
      CheckCampaigns.self, ListCampaigns.self, PreviewCampaign.self, ExplainCampaigns.self,
      ShowCampaignResults.self,
    ])
}

/// The campaigns to read.
struct CampaignSourceArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "A directory of campaign files, or the word shipped.", valueName: "directory"),
    completion: .directory)
  var directory: String

  func validate() throws {
    guard !directory.isEmpty else {
      throw ValidationError("name a directory of campaign files, or write shipped")
    }
  }

  /// Reads the campaigns.
  ///
  /// Mistakes are printed and end the program.
  func read() throws -> [CampaignEntry] {
    do throws(CampaignFilesError) {
      return try CampaignSource(directory).read()
    } catch {
      switch error {
      case .unreadable: throw complaint("\(error)", 66)
      case .refused(let errors):
        var standardError = StandardError()
        for error in errors { print("\(error)".onOneLine, to: &standardError) }
        let files = Set(errors.map(\.file)).count
        throw complaint(
          "\(counted(errors.count, "mistake")) in \(counted(files, "file")); "
            + "a running server would keep its current campaigns", 65)
      }
    }
  }
}

/// `matinee campaigns list`: prints a line for each campaign.
struct ListCampaigns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Show the campaigns of a directory.",
    discussion: """
      Shows each campaign's state, triggers, re-eligibility, kinds of message and place in the \
      files. A live one whose end is past is ended, and one whose start is to come scheduled. The \
      order is that of delivery if all were triggered at once: by priority, rank and start, then \
      by id.

      Exit codes: 0 listed, 64 wrong usage, 65 mistakes found, 66 no such directory.
      """)

  @OptionGroup var source: CampaignSourceArgument

  func run() throws {
    let entries = try source.read().sorted { $0.campaign.goes(before: $1.campaign) }
    guard !entries.isEmpty else {
      print("\(source.directory): no campaigns; their files end in .yaml")
      return
    }
    let now = WallClock.read()
    var table = TextTable("ID", "STATE", "PRIORITY", "TRIGGERS", "AGAIN", "MESSAGE", "WHERE")
    for entry in entries {
      let campaign = entry.campaign
      table.add(
        campaign.id.text, campaign.stateText(at: now), campaign.priority.text,
        campaign.triggers.map(\.text).joined(separator: ", "), campaign.reEligibility.text,
        campaign.variants.map(\.kindText).joined(separator: ", "), "\(entry.file):\(entry.line)")
    }
    for line in table.lines { print(line) }
  }
}

/// `matinee campaigns check`: reads a directory like a server, and reports every mistake.
struct CheckCampaigns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Report every mistake in campaign files.",
    discussion: """
      Reads all files that end in .yaml or .yml, as a server does when it starts. Prints each \
      mistake on its own line as file:line:column: what is wrong; what to write instead. A server \
      refuses the whole directory if it contains a mistake.

      Warnings point out live campaigns whose end is past, and messages that clients may show \
      differently than intended, such as a view that no client has. List the views of your own \
      app to suppress warnings about them:

        matinee campaigns check my-campaigns --views quiz,map

      Exit codes: 0 no mistakes, 64 wrong usage, 65 mistakes found, 66 no such directory.
      """)

  @OptionGroup var source: CampaignSourceArgument

  @Option(
    help: ArgumentHelp(
      "The views that your app has besides the built-in ones.", valueName: "name,…"),
    transform: { text in text.split(separator: ",").map { String($0).trimmingSpaces } })
  var views: [String] = []

  func run() throws {
    let entries = try source.read()
    guard !entries.isEmpty else {
      print("\(source.directory): no campaigns; their files end in .yaml")
      return
    }
    let now = WallClock.read()
    let live = entries.count { $0.campaign.stateText(at: now) == "live" }
    let files = Set(entries.map(\.file)).count
    let warnings = entries.flatMap { $0.warnings + $0.endWarning(at: now) }.filter { warning in
      !(warning.view.map(views.contains) ?? false)
    }
    var standardError = StandardError()
    for warning in warnings { print("\(warning)".onOneLine, to: &standardError) }
    print(
      "\(source.directory): \(counted(entries.count, "campaign")) in \(counted(files, "file")), "
        + "\(live) live; "
        + (warnings.isEmpty ? "no mistakes" : counted(warnings.count, "warning")))
  }
}

extension CampaignEntry {
  /// A warning if the campaign is live and its end is past.
  fileprivate func endWarning(at now: Instant) -> [CampaignWarning] {
    guard campaign.stateText(at: now) == "ended" else { return [] }
    return [
      CampaignWarning(
        FileError(
          file: file, line: line, column: 1,
          problem: "`\(campaign.id)` is live and its `end` is past, so nobody gets it",
          advice: "set a later `end`, or write `state: stopped`"))
    ]
  }
}
