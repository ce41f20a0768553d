/// The template of what newcomers are told.
package struct MessageOfTheDay: Equatable, Sendable {
  let template: String

  /// A template, whatever its flaws.
  package init(template: String) {
    self.template = template
  }

  /// Why newcomers would be told something else, and what to do; `nil` if they would not.
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

  /// What stands in place of one that is too long.
  static let tooLong =
    "Message of the Day is too long: it may have"
    + " \(SyncplayLimits.messageOfTheDayCodePoints) characters, and must fit a line of the protocol."

  /// The text for one newcomer: `$version`, `$userIp`, `$username` and `$room` stand for what they
  /// say, `$$` for a dollar; also as `${room}`.
  ///
  /// A template that is too long, or has a dollar before anything else, says so instead.
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
