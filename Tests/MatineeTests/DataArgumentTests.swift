import Testing
import UserNotifications
import Vocabulary

@testable import matinee

@Suite struct DataArgumentTests {
  @Test(arguments: [
    ("7", PayloadValue.integer(7)), ("-7", .integer(-7)), ("0", .integer(0)),
    ("9223372036854775807", .integer(.max)), ("1.5", .number(1.5)), ("true", .bool(true)),
    ("false", .bool(false)), ("", .string("")), ("a=b", .string("a=b")), ("007", .string("007")),
    ("+49", .string("+49")), ("9223372036854775808", .string("9223372036854775808")),
    ("1.50", .string("1.50")), ("nan", .string("nan")), ("inf", .string("inf")),
    ("True", .string("True")), ("null", .string("null")),
  ])
  func `a value is a number only where it would be written with these letters`(
    text: String, value: PayloadValue
  ) throws {
    let argument = try #require(DataArgument(argument: "key=\(text)"))
    #expect(argument.key == "key" && argument.value == value)
  }

  @Test(arguments: ["", "=", "=value", "key"])
  func `without a key there is no field`(text: String) {
    #expect(DataArgument(argument: text) == nil)
  }
}
