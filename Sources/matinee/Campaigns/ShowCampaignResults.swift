import ArgumentParser
import InAppMessaging
import JSON
import Journals
import MatineeTerminal
import Vocabulary

/// `matinee campaigns results`: shows what came of the messages of campaigns.
struct ShowCampaignResults: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results",
    abstract: "Count who saw, clicked and dismissed the messages of campaigns.",
    discussion: """
      Prints a line for each campaign and variant in a server's journal: how many people it was \
      sent to and seen by, its impressions in all, how many people clicked each button or the \
      body, and how many messages were dismissed in which way. Nobody sees a control; it counts \
      the people who would have seen a message. Tests of a campaign do not count.

      It only reads the journal, also while a server writes to it. A server deletes events older \
      than its retention. Only messages whose events are all kept count; a last line says until \
      when messages may be missing. People whose data was wiped, or who made room for others after \
      a long absence, no longer count.

      Exit codes: 0 shown, 64 wrong usage, 65 the journal cannot be read, 66 no such file, 69 no \
      such database.
      """)

  @Flag(help: "Print one JSON object; times in microseconds since 1970.")
  var json = false

  @OptionGroup var stored: StoredJournalOption

  func run() throws {
    let archive = try stored.journal.archive()
    do throws(JournalError) {
      let results = try archive.campaignResults()
      print(json ? results.json.escapedJSON : results.lines.joined(separator: "\n"))
    } catch {
      throw complaint("\(error)", error.readingExitCode)
    }
  }
}

extension CampaignResults {
  /// The results for people.
  var lines: [String] {
    var table = TextTable(
      "CAMPAIGN", "VARIANT", "SENT TO", "SEEN BY", "IMPRESSIONS", "CLICKED BY", "DISMISSED")
    for (variant, tally) in rows {
      table.add(
        variant.campaign.text, variant.isControl ? "\(variant.id) (control)" : variant.id,
        "\(tally.sent)", "\(tally.seen)", "\(tally.impressions)",
        tally.clicks.map { "\($0.people) on \($0.button.map { "“\($0)”" } ?? "the body")" }.listed,
        tally.dismissals.map { "\($0.reason.rawValue) \($0.times)" }.listed)
    }
    let shown = table.isEmpty ? ["no messages of campaigns"] : table.lines
    guard let gapEnd else { return shown }
    return shown + [
      "messages triggered until \(gapEnd.calendarText) may be missing: past retention"
    ]
  }

  /// The results as one object on one line.
  var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("completeAfter", gapEnd)
      writer.array("variants") { writer in
        for (variant, tally) in rows {
          writer.object { writer in
            writer.field("campaign", variant.campaign)
            writer.field("variant", variant.id)
            writer.field("control", variant.isControl)
            tally.encodeFields(into: &writer)
          }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private var rows: [(Variant, Tally)] {
    variants.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension CampaignResults.Tally {
  fileprivate var sent: Int { people[.sent, default: 0] }
  fileprivate var seen: Int { people[.seen, default: 0] }
  fileprivate var impressions: Int { times[.seen, default: 0] }

  /// The most clicked first; the body has no button.
  fileprivate var clicks: [(button: String?, people: Int)] {
    people.compactMap { deed, people in
      if case .clicked(let button) = deed { (button, people) } else { nil }
    }
    .sorted { ($1.people, $0.button ?? "") < ($0.people, $1.button ?? "") }
  }

  fileprivate var dismissals: [(reason: InAppMessage.DismissReason.Name, times: Int)] {
    InAppMessage.DismissReason.Name.allCases.compactMap { reason in
      times[.dismissed(reason)].map { (reason, $0) }
    }
  }

  fileprivate func encodeFields(into writer: inout JSONWriter) {
    writer.field("sent", sent)
    writer.field("seen", seen)
    writer.field("impressions", impressions)
    writer.array("clicks") { writer in
      for (button, people) in clicks {
        writer.object { writer in
          writer.field("button", button)
          writer.field("people", people)
        }
      }
    }
    writer.object("dismissals") { writer in
      for (reason, times) in dismissals { writer.field(reason.rawValue, times) }
    }
  }
}

extension [String] {
  /// The first of them, for a cell: pages can name any number of buttons.
  fileprivate var listed: String {
    let (shown, hidden) = (prefix(8), count - 8)
    guard !isEmpty else { return "-" }
    return shown.joined(separator: ", ") + (hidden > 0 ? ", and \(hidden) more" : "")
  }
}
