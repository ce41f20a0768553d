import ArgumentParser
import CampaignFiles
import Foundation
import InAppMessaging
import Vocabulary
import YAML

/// `matinee campaigns preview`: draws a campaign's message as text.
struct PreviewCampaign: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Draw a campaign's message as text.",
    usage: "matinee campaigns preview <directory> <campaign> [<options>]",
    discussion: """
      Fills the templates of the message in, draws it as a terminal would show it, and says what a \
      click does. --event gives the properties of the event that triggers it, and --user what is \
      known of the person:

        matinee campaigns preview shipped banner --user last_watched=Sintel

      A value that looks like a number, true or false is one. Of a campaign with several variants, \
      all are drawn, or the one that --variant names.

      Exit codes: 0 drawn, 1 a template comes to nothing, or to something that no client shows, 64 wrong \
      usage, 65 there are mistakes, 66 no such directory or campaign.
      """)

  @OptionGroup var source: CampaignSourceArgument

  @Argument(help: ArgumentHelp("The campaign's id.", valueName: "campaign"))
  var campaign: String

  @Option(help: ArgumentHelp("A property of the event; repeatable.", valueName: "key=value"))
  var event: [PropertyArgument] = []

  @Option(help: ArgumentHelp("An attribute of the person; repeatable.", valueName: "key=value"))
  var user: [PropertyArgument] = []

  @Option(help: ArgumentHelp("Draw this variant alone.", valueName: "id"))
  var variant: String?

  @Option(
    help: ArgumentHelp(
      "How wide to draw, from \(MessagePanel.narrowest) to 200 columns.", valueName: "columns"))
  var width = 72

  func validate() throws {
    guard (MessagePanel.narrowest...200).contains(width) else {
      throw ValidationError("--width must be from \(MessagePanel.narrowest) to 200, not \(width)")
    }
  }

  func run() throws {
    let found = try chosen()
    let values = PreviewValues(event: event, user: user)
    let styling = TextStyling.standardOutput
    // All of it or nothing: half a preview would look like a whole one.
    let drawn = try variants(of: found).flatMap { variant in
      [styling.styled("\(found.id), \(title(of: variant, found))", .bold)]
        + (try lines(
          of: variant.content, bindsSession: found.bindsSession, values, styling))
    }
    for line in drawn { print(line) }
  }

  private func lines(
    of content: Campaign.Content, bindsSession: Bool, _ values: PreviewValues,
    _ styling: TextStyling
  ) throws -> [String] {
    guard case .message(let template) = content else {
      return ["  shown to nobody, and counted: what the others are compared with"]
    }
    var message = try filled(template, with: values)
    if bindsSession { message.session = PreviewValues.session }
    if let fault = message.universalFault {
      throw complaint("nobody would see it: \(fault)", 1)
    }
    return MessagePanel(message, width: width).text(styling)
      + message.usageLines.map { styling.styled("  \($0)", .dim) }
  }

  private func filled(
    _ template: InAppMessage, with values: PreviewValues
  ) throws -> InAppMessage {
    do throws(PreviewValues.Unfilled) {
      return try values.filled(template)
    } catch {
      throw complaint(
        "nobody would see it: \(error.field) has a place without a value; give it one with --event "
          + "or --user, such as --event url=value, or a default in the file", 1)
    }
  }

  private func title(of variant: Campaign.Variant, _ campaign: Campaign) -> String {
    guard campaign.variants.count > 1 else { return variant.kindText }
    let total = campaign.variants.reduce(0) { $0 + $1.weight }
    return "variant \(variant.id), \(variant.weight) of \(total): \(variant.kindText)"
  }

  private func chosen() throws -> Campaign {
    let campaigns = try source.read().map(\.campaign)
    guard let found = campaigns.first(where: { $0.id.text == campaign }) else {
      throw complaint(
        "\(source.directory) has no campaign `\(campaign)`; "
          + suggestion(for: campaign, campaigns.map(\.id.text)), 66)
    }
    return found
  }

  private func variants(of campaign: Campaign) throws -> [Campaign.Variant] {
    guard let variant else { return campaign.variants }
    let found = campaign.variants.filter { $0.id == variant }
    guard !found.isEmpty else {
      throw complaint(
        "\(campaign.id) has no variant `\(variant)`; "
          + suggestion(for: variant, campaign.variants.map(\.id)), 66)
    }
    return found
  }
}

/// A property as it is given on the command line: `key=value`.
struct PropertyArgument: ExpressibleByArgument {
  let key: String
  let value: PropertyValue

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    key = String(argument[..<sign])
    value = PropertyValue(plain: String(argument[argument.index(after: sign)...]))
  }
}
