import InAppMessaging
import YAML

extension FileNode {
  /// `never`, `always`, or after so long.
  func reEligibility() throws(FileError) -> ReEligibility {
    switch try text("when the message may come again") {
    case "never": return .never
    case "always": return .after(.zero)
    default: return .after(try duration("a re-eligibility: `never`, `always` or a length of time"))
    }
  }

  /// `inherit`, `ignore`, or a distance of its own.
  func intervalOverride() throws(FileError) -> IntervalOverride {
    switch try text("a distance from other messages") {
    case "inherit": return .inherit
    case "ignore": return .ignore
    default: return .atLeast(try duration("an interval: `inherit`, `ignore` or a length of time"))
    }
  }

  /// A cap such as `3 per 7d`, `1 per session` or `5 ever`.
  func cap() throws(FileError) -> FrequencyCap {
    let text = try text("a cap")
    let words = text.split(separator: " ").map(String.init)
    let flaw = error(
      "`\(text)` is not a cap", "write how often in what time: 3 per 7d, 1 per session or 5 ever")
    guard let limit = words.first.flatMap({ Int($0) }), (1...1_000_000).contains(limit) else {
      throw flaw
    }
    let window: FrequencyCap.Window
    switch words.dropFirst().joined(separator: " ") {
    case "ever": window = .ever
    case "per session": window = .session
    default:
      guard words.count == 3, words[1] == "per", let length = Duration(phrase: words[2]),
        length > .zero
      else { throw flaw }
      window = .rolling(length)
    }
    guard window == .ever || limit <= CampaignBounds.cap else {
      throw error(
        "\(limit) is more than \(CampaignBounds.cap) in a window",
        "write a shorter window, or `\(limit) ever`")
    }
    return FrequencyCap(limit, per: window)
  }
}
