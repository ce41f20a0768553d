import ArgumentParser
import CampaignFiles
import InAppMessaging
import Vocabulary

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
