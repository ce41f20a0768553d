import GroupSessions
import Vocabulary
import YAML

// How an activity is started, or staged.
extension Verb {
  /// Reads an item and how it is to be started.
  ///
  /// - Parameter answer: what the person says when asked; `nil` where nobody is asked.
  static func readActivation(
    of verb: String, _ words: inout Words, _ answer: inout ShareAnswer?
  ) throws(PhraseError) -> (item: String?, manner: ActivationManner) {
    var item: String?
    var manner = ActivationManner()
    while let word = words.next() {
      switch word {
      case "--answer" where answer != nil: answer = try words.choice("an answer")
      case "--replace": manner.isReplacing = true
      case "--one-device": manner.oneDevicePerUser = true
      case "--hosts-only": manner.control = .hostsOnly
      case "--waiting": manner.waiting = try words.choice("a waiting policy")
      case "--at": manner.place = try words.place()
      case _ where word.hasPrefix("--"):
        let options = ["--replace", "--one-device", "--hosts-only", "--waiting", "--at"]
        throw unknown(word, of: verb, (answer == nil ? [] : ["--answer"]) + options)
      default: item = word
      }
    }
    return (item, manner)
  }
}
