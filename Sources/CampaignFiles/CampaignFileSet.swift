package import InAppMessaging
import Vocabulary
package import YAML

/// Makes one set of campaigns from several files, and checks what concerns more than one file.
enum CampaignFileSet {
  /// Reads all files, and throws all mistakes in any of them.
  static func read(
    _ texts: [(file: String, text: String)], after errors: [FileError] = []
  ) throws(CampaignFilesError) -> [CampaignEntry] {
    var errors = errors
    var entries: [CampaignEntry] = []
    for (file, text) in texts {
      let found = CampaignReader(file: file).entries(in: text)
      entries += found.entries
      errors += found.errors
    }
    errors += repeats(among: entries)
    errors += excess(in: entries)
    // Otherwise a missing campaign may be in a file that could not be read.
    if errors.isEmpty { errors += loose(in: entries) + refusal(of: entries) }
    guard errors.isEmpty else { throw .refused(errors.sorted(by: isBefore)) }
    return doubtingButtons(of: entries)
  }

  /// Warns of triggers by buttons that their campaign's message does not have.
  private static func doubtingButtons(of entries: [CampaignEntry]) -> [CampaignEntry] {
    var campaigns: [CampaignID: Campaign] = [:]
    for entry in entries { campaigns[entry.campaign.id] = entry.campaign }
    return entries.map { entry in
      var entry = entry
      for case .messageClicked(let id, let button?) in entry.campaign.triggers {
        guard let known = campaigns[id]?.buttonIDs, !known.contains(button) else { continue }
        let error = entry.error(
          "`\(entry.campaign.id)` is triggered by the button `\(button)` of `\(id)`, "
            + "which has none of that id, so nobody presses it",
          known.isEmpty ? "leave `button` out" : suggestion(for: button, known))
        entry.warnings.append(CampaignWarning(error))
      }
      return entry
    }
  }

  private static func isBefore(_ left: FileError, _ right: FileError) -> Bool {
    (left.file, left.line, left.column) < (right.file, right.line, right.column)
  }

  /// Campaigns with the id of another.
  private static func repeats(among entries: [CampaignEntry]) -> [FileError] {
    var first: [CampaignID: CampaignEntry] = [:]
    return entries.compactMap { entry in
      guard let other = first[entry.campaign.id] else {
        first[entry.campaign.id] = entry
        return nil
      }
      return entry.error(
        "another campaign is called `\(entry.campaign.id)`: \(other.file):\(other.line)",
        "give one of them another `id`; what people have seen is kept under it")
    }
  }

  /// The first campaign that is too many.
  private static func excess(in entries: [CampaignEntry]) -> [FileError] {
    let live = entries.filter { $0.campaign.state == .live }
    if live.count > CampaignLimits.liveCampaigns {
      return [
        live[CampaignLimits.liveCampaigns].error(
          "\(live.count) campaigns are live, and at most \(CampaignLimits.liveCampaigns) can be",
          "let some rest with `state: paused`")
      ]
    }
    guard entries.count > CampaignLimits.campaigns else { return [] }
    return [
      entries[CampaignLimits.campaigns].error(
        "there are \(entries.count) campaigns, and at most \(CampaignLimits.campaigns) are read",
        "move old ones to another directory")
    ]
  }

  /// The engine's refusal of campaigns that could be read.
  private static func refusal(of entries: [CampaignEntry]) -> [FileError] {
    do throws(CampaignProblem) {
      _ = try CampaignSet(entries.map(\.campaign))
      return []
    } catch {
      let entry = entries.first { $0.campaign.id == error.campaign } ?? entries.first
      return entry.map { [$0.error("\(error)", "correct it in this campaign")] } ?? []
    }
  }

  /// Triggers by messages of campaigns that do not exist.
  private static func loose(in entries: [CampaignEntry]) -> [FileError] {
    let known = entries.map(\.campaign.id.text)
    return entries.flatMap { entry in
      entry.campaign.triggers.compactMap { trigger in
        guard case .messageClicked(let id, _) = trigger, !known.contains(id.text) else {
          return nil
        }
        return entry.error(
          "`\(entry.campaign.id)` is triggered by a message of `\(id)`, and there is no such campaign",
          suggestion(for: id.text, known))
      }
    }
  }
}

extension Campaign {
  /// The ids of its messages' buttons; `nil` if a page or a view may have buttons of its own.
  fileprivate var buttonIDs: [String]? {
    var ids: [String] = []
    for case .message(let message) in variants.map(\.content) {
      if case .html = message.body { return nil }
      if message.extras[ViewRegistry.typeKey] != nil { return nil }
      ids += message.buttons.map(\.id)
    }
    return ids
  }
}

extension CampaignEntry {
  fileprivate func error(_ problem: String, _ advice: String) -> FileError {
    FileError(file: file, line: line, column: 1, problem: problem, advice: advice)
  }
}

/// A campaign, and where it is written.
package struct CampaignEntry: Equatable, Sendable {
  package var campaign: Campaign
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// Its warnings, in the order of the file.
  package var warnings: [CampaignWarning]

  package init(
    _ campaign: Campaign, file: String, line: Int, warnings: [CampaignWarning] = []
  ) {
    self.campaign = campaign
    self.file = file
    self.line = line
    self.warnings = warnings
  }
}

/// Why campaign files cannot be used; a running server keeps the campaigns it has.
package enum CampaignFilesError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The directory itself cannot be read.
  case unreadable(directory: String, reason: String)
  /// All mistakes in the files, by file and line; at least one.
  case refused([FileError])

  /// The mistakes as an editor finds them, a line each.
  package var description: String {
    switch self {
    case .unreadable(let directory, let reason):
      "\(directory) cannot be read: \(reason); name a directory of campaign files"
    case .refused(let errors): errors.map(\.description).joined(separator: "\n")
    }
  }
}

/// A client would treat the campaign differently than its author may expect; the campaign is
/// accepted.
package struct CampaignWarning: Equatable, Sendable, CustomStringConvertible {
  /// The problem, and its place.
  package var error: FileError
  /// The unknown view; an app may have registered it.
  package var view: String?

  package init(_ error: FileError, view: String? = nil) {
    self.error = error
    self.view = view
  }

  /// The warning as an editor finds it: `file:line:column: warning: problem; advice`.
  package var description: String {
    "\(error.file):\(error.line):\(error.column): warning: \(error.problem); \(error.advice)"
  }
}
