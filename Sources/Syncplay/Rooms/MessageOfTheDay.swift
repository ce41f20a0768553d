/// The template of the message that new clients are sent.
package struct MessageOfTheDay: Equatable, Sendable {
  let template: String

  /// A template, which may be flawed.
  package init(template: String) {
    self.template = template
  }

  /// What is wrong with the template, and what to do; `nil` if it is valid.
  package var flaw: (problem: String, advice: String)? {
    if template.codePointCount > SyncplayLimits.messageOfTheDayCodePoints {
      return (
        "the message of the day is too long",
        "shorten it to \(SyncplayLimits.messageOfTheDayCodePoints) letters"
      )
    }
    guard filled(["version": "", "userIp": "", "username": "", "room": ""]) == nil else {
      return nil
    }
    return (
      "a dollar sign stands for nothing",
      "write $$ for a dollar, or one of $version, $userIp, $username and $room"
    )
  }

  /// The message that replaces one that is too long.
  static let tooLong =
    "Message of the Day is too long: it may have"
    + " \(SyncplayLimits.messageOfTheDayCodePoints) characters, and must fit a line of the protocol."

  /// The text for one client.
  ///
  /// The placeholders `$version`, `$userIp`, `$username` and `$room` (also `${room}`) are replaced
  /// by their values, and `$$` by a dollar. A template that is too long, or has a dollar before
  /// other characters, is replaced by a text that says so.
  func text(version: String, address: String, username: String, room: String) -> String {
    guard template.codePointCount <= SyncplayLimits.messageOfTheDayCodePoints else {
      return Self.tooLong
    }
    let values = [
      "version": version, "userIp": address, "username": username, "room": room,
    ]
    return filled(values)
      ?? "Message of the Day has a dollar sign that stands for nothing: write $$ for a dollar,"
      + " or one of $version, $userIp, $username and $room."
  }

  private func filled(_ values: [String: String]) -> String? {
    var text = ""
    var rest = template[...]
    while let dollar = rest.firstIndex(of: "$") {
      text += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      if rest.first == "$" {
        text += "$"
        rest = rest.dropFirst()
        continue
      }
      let isBraced = rest.first == "{"
      if isBraced { rest = rest.dropFirst() }
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      guard let value = values[String(name)] else { return nil }
      rest = rest[name.endIndex...]
      if isBraced {
        guard rest.first == "}" else { return nil }
        rest = rest.dropFirst()
      }
      text += value
    }
    return text + rest
  }
}
