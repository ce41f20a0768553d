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
    discussion: """
      Shows for each campaign why it cannot be shown to the person now, and the result of its last \
      evaluation for them. Asks as the person: on a server of tokens with a token of theirs \
      (--token-file), on an open one without anything. A server of keys refuses the question.

      The server remembers results of the most recent campaigns only, of people who are connected \
      or left last, and not across a restart.

      Exit codes: 0 answered, 64 wrong usage, 66 no token in the file, 69 no server or it \
      refuses, 75 no answer in time.
      """)

  @Argument(help: ArgumentHelp("The person, as their apps name them.", valueName: "user"))
  var user: String

  @Argument(
    help: ArgumentHelp("The campaign's id; without it, all of them.", valueName: "campaign"))
  var campaign: String?

  @OptionGroup var server: ServerArguments

  private struct Explaining: Question {
    let campaign: CampaignID?

    var firstRequest: Request { .messaging(.explain(campaign)) }

    mutating func take(_ message: ServerMessage, line: String) -> QuestionStep<[Explanation]> {
      guard case .explanation(_, let explanations) = message else { return .none }
      return .answered(explanations)
    }
  }

  func validate() throws {
    guard !user.isEmpty else { throw ValidationError("name a person") }
  }

  func run() throws {
    let question = Explaining(campaign: campaign.map { CampaignID($0) })
    let explanations = try server.ask(question, as: UserID(user))
    guard !explanations.isEmpty else { return print("the server has no campaigns") }
    var table = TextTable("CAMPAIGN", "NOW", "LAST EVALUATION")
    for explanation in explanations {
      table.add(explanation.campaign.text, explanation.nowText, explanation.lastText)
    }
    for line in table.lines { print(line) }
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
    case .until(let instant): "for \((instant - last.at).phrase) more"
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
    case .cap: "cap"
    case .aborted: "text"
    default: "number"
    }
  }
}
