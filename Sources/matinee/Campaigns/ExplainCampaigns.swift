import ArgumentParser
import InAppMessaging
import MatineeTerminal
import Vocabulary
import Wire

/// `matinee campaigns explain`: asks a server why a person sees or does not see a campaign.
struct ExplainCampaigns: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Ask a server why a person sees or does not see a campaign.",
    usage: """
      matinee campaigns explain <user> [<campaign>]
                     [--admin-key-file <file> | --token-file <file>] [<options>]
      """,
    discussion: """
      Shows for each campaign why it cannot be shown to the person now, and the result of its last \
      evaluation for them.

      A server with keys or tokens answers its administrator, who gives --admin-key-file, over an \
      encrypted connection or on the server's own machine, or --token-file with an administrator's \
      token. It also answers the person themselves, by their own token in --token-file or by the \
      credential that matinee join stored on this machine.

      The server remembers results of the most recent campaigns only, of people who are connected \
      or left last, and not across a restart.

      Exit codes: 0 answered, 64 wrong usage, 66 no key, token or credential in the file, 69 no \
      server or it refuses, 75 no answer in time.
      """)

  @Argument(help: ArgumentHelp("The person, as their apps name them.", valueName: "user"))
  var user: String

  @Argument(
    help: ArgumentHelp("The campaign's id; without it, all of them.", valueName: "campaign"))
  var campaign: String?

  @Option(
    help: ArgumentHelp("The file with the administrator's key.", valueName: "file"),
    completion: .file())
  var adminKeyFile: String?

  @OptionGroup var server: ServerArguments

  private struct Explaining: Question {
    let campaign: CampaignID?
    /// The person, if somebody else asks.
    let user: UserID?

    var firstRequest: Request { .messaging(.explain(campaign, of: user)) }

    mutating func take(_ message: ServerMessage, line: String) -> QuestionStep<[Explanation]> {
      guard case .explanation(_, let explanations) = message else { return .none }
      return .answered(explanations)
    }
  }

  func validate() throws {
    try checkIdentifier(user, "a person")
    guard adminKeyFile == nil || server.tokenFile == nil else {
      throw ValidationError("give --admin-key-file or --token-file, not both")
    }
  }

  func run() throws {
    let explanations = try explanations()
    guard !explanations.isEmpty else { return print("the server has no campaigns") }
    var table = TextTable("CAMPAIGN", "NOW", "LAST EVALUATION")
    for explanation in explanations {
      table.add(explanation.campaign.text, explanation.nowText, explanation.lastText)
    }
    for line in table.lines { print(line) }
  }

  private func explanations() throws -> [Explanation] {
    let (person, campaign) = (UserID(user), campaign.map { CampaignID($0) })
    if let adminKeyFile {
      return try server.ask(Explaining(campaign: campaign, user: person), withKeyIn: adminKeyFile)
    }
    return try server.ask(asOneself: person) { asker in
      Explaining(campaign: campaign, user: asker == person ? nil : person)
    }
  }
}

extension Explanation {
  fileprivate var nowText: String {
    guard let now else { return "may be shown" }
    return [now.rawValue, detail].compactMap(\.self).joined(separator: ", ")
  }

  fileprivate var lastText: String {
    guard let last else { return "none remembered" }
    let outcome = last.refusal?.rawValue ?? "sent"
    return [trigger.map { "\($0):" }, outcome, clueText(of: last)]
      .compactMap(\.self).joined(separator: " ")
  }

  private func clueText(of last: Evaluation) -> String? {
    switch last.clue {
    case .until(let instant): "for \((instant - last.at).waitText) more"
    case .place(let place) where last.refusal == .cap: "\(place + 1)"
    case .place(let place) where place >= 0: "by \(decider(of: last)) \(place + 1)"
    case .place: "by its product, push or button"
    case .content(let fault): "(\(fault.words))"
    case nil: nil
    }
  }

  /// What the number of the deciding part counts.
  private func decider(of last: Evaluation) -> String {
    switch last.refusal {
    case .noMatch: "filter"
    case .aborted: "text"
    default: "number"
    }
  }
}
