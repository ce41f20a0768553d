import ArgumentParser
import CampaignFiles
import InAppMessaging
import MatineeTerminal
import Vocabulary
import YAML

/// `matinee campaigns preview`: renders a campaign's message as text.
struct PreviewCampaign: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preview",
    abstract: "Render a campaign's message as text.",
    usage: "matinee campaigns preview <directory> <campaign> [<options>]",
    discussion: """
      Fills in the message's templates, renders it as a terminal shows it, and lists what clicks \
      do. --event sets properties of the triggering event, and --user attributes of the person:

        matinee campaigns preview shipped banner --user last_watched=Sintel

      Values that look like a number, true or false are read as such. If a campaign has several \
      variants, all are rendered, or only the one given by --variant.

      Exit codes: 0 rendered, 1 a template has no value or no client would show the result, 64 \
      wrong usage, 65 mistakes found, 66 no such directory or campaign.
      """)

  @OptionGroup var source: CampaignSourceArgument

  @Argument(help: ArgumentHelp("The campaign's id.", valueName: "campaign"))
  var campaign: String

  @Option(help: ArgumentHelp("A property of the event; repeatable.", valueName: "key=value"))
  var event: [PropertyArgument] = []

  @Option(help: ArgumentHelp("An attribute of the person; repeatable.", valueName: "key=value"))
  var user: [PropertyArgument] = []

  @Option(help: ArgumentHelp("Render only this variant.", valueName: "id"))
  var variant: String?

  @Option(
    help: ArgumentHelp(
      "The width, from \(MessagePanel.narrowest) to 200 columns.", valueName: "columns"))
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
    // Rendered completely before printing, because half a preview would look complete.
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
      return ["  shown to nobody, but counted: the control group for the other variants"]
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
        "nobody would see it: \(error.field) uses a variable without a value; set it with --event "
          + "or --user, such as --event url=value, or write a default in the file", 1)
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

/// A property on the command line: `key=value`.
struct PropertyArgument: ExpressibleByArgument {
  let key: String
  let value: PropertyValue

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    key = String(argument[..<sign])
    value = PropertyValue(plain: String(argument[argument.index(after: sign)...]))
  }
}

/// The values for the templates of a preview.
struct PreviewValues {
  /// The session of messages whose campaign binds them to one.
  static let session = SessionID("preview")

  private let values: TemplateValues

  /// If a key is given twice, the last value counts.
  init(event: [PropertyArgument], user: [PropertyArgument]) {
    let properties = Dictionary(event.map { ($0.key, $0.value) }) { $1 }
    var attributes = AttributeTable()
    for argument in user { attributes[argument.key] = argument.value }
    values = TemplateValues(
      event: .event(name: "preview", properties: properties), user: UserID("preview"),
      attributes: attributes, session: Self.session)
  }

  /// A text with a variable that has no value.
  struct Unfilled: Error {
    /// The text's field in the message, such as `body.header`.
    let field: String
  }

  /// The message with its templates filled in.
  func filled(_ message: InAppMessage) throws(Unfilled) -> InAppMessage {
    let template: MessageTemplate
    do throws(MessageTemplate.Failure) { template = try MessageTemplate(message) } catch {
      throw Unfilled(field: error.field)
    }
    do throws(MessageTemplate.Abortion) { return try template.filled(with: values) } catch {
      throw Unfilled(field: template.field(ofText: error.text) ?? "message")
    }
  }
}

extension InAppMessage {
  /// What a person can do with the message: its buttons, its body, and how it is closed.
  var usageLines: [String] {
    var lines = buttons.map { "“\($0.text.withoutControls)” (\($0.id)): \($0.clickAction.text)" }
    if let clickAction { lines.append("a click on it: \(clickAction.text)") }
    let closing = [
      closing.byButton ? "by its close button" : nil, closing.bySwipe ? "by a swipe" : nil,
      closing.byTapOutside ? "by a tap outside" : nil,
      closing.after.map { "by itself after \($0.phrase)" },
    ].compactMap(\.self)
    if !closing.isEmpty { lines.append("closed " + closing.joined(separator: ", ")) }
    if orientation != .any { lines.append("shown in \(orientation.rawValue) only") }
    for (key, value) in extras.sorted(by: { $0.key < $1.key }) {
      lines.append("\(key) = \(value.text)".withoutControls)
    }
    return lines
  }
}

extension InAppMessage.ClickAction {
  /// What a click does besides closing the message.
  var text: String {
    switch self {
    case .close: "closes it"
    case .open(let url, let inApp): "opens \(url)\(inApp ? " in the app" : "")".withoutControls
    case .deepLink(let link): "goes to \(link)".withoutControls
    case .logEvent(let name, let properties):
      (["logs “\(name)”"]
        + properties.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value.text)" })
        .joined(separator: ", ").withoutControls
    case .setAttribute(let key, let value): "sets \(key) to \(value.text)".withoutControls
    case .requestPushPermission: "asks for permission to send notifications"
    case .session(.join): "joins the session"
    case .session(.leave): "leaves the session"
    case .session(.decline): "declines the session"
    case .session(.startForAll): "starts it for everyone in the group"
    case .sequence(let actions): actions.map(\.text).joined(separator: ", then ")
    }
  }
}
