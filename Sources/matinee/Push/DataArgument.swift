import ArgumentParser
import UserNotifications

/// A field beside `aps`, as `key=value` on a command line.
struct DataArgument: ExpressibleByArgument {
  let key: String
  let value: PayloadValue

  init?(argument: String) {
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    key = String(argument[..<sign])
    value = PayloadValue(plain: String(argument[argument.index(after: sign)...]))
  }
}

extension PayloadValue {
  /// The value that a text stands for.
  ///
  /// True, false or a number where that would be written with these very letters, and otherwise the
  /// text. So `007` and `+49` stay what they are.
  init(plain text: String) {
    if text == "true" || text == "false" {
      self = .bool(text == "true")
    } else if let number = Int64(text), "\(number)" == text {
      self = .integer(number)
    } else if let number = Double(text), number.isFinite, "\(number)" == text {
      self = .number(number)
    } else {
      self = .string(text)
    }
  }
}
