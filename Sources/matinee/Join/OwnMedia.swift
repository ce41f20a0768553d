import Foundation
import Scenarios
import Vocabulary

/// Media as a person names it: a URL, or a file of their own.
///
/// A file is known to the group by its name alone: everyone plays their own copy, wherever it is.
struct OwnMedia {
  let item: ScenarioItem

  init(_ text: String) {
    if text.contains("://") {
      item = ScenarioItem(name: text, url: text)
    } else {
      let path = URL(filePath: text).standardizedFileURL
      item = ScenarioItem(name: path.lastPathComponent, url: path.path(percentEncoded: false))
    }
  }

  var id: ItemID { ItemID(item.name) }
}
