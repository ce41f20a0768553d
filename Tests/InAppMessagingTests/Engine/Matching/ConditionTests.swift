import InAppMessaging
import Naming
import Testing
import Vocabulary

@Suite struct ConditionTests {
  private func holds(
    _ comparison: PropertyFilter.Comparison, _ wanted: PropertyValue?, for value: PropertyValue?
  ) throws -> Bool {
    var person = try Person([.sample("m", filters: [.init("x", comparison, wanted)])])
    return try person.log("go", value.map { ["x": $0] } ?? [:]) == ["m"]
  }

  static let values: [PropertyValue] = [
    .string("1"), .string(""), .number(1), .number(0), .bool(true), .list(["1"]), .list([]),
  ]

  // Proves: R-4
  @Test(arguments: values) func `values of different types are never equal`(value: PropertyValue)
    throws
  {
    for other in Self.values {
      #expect(try holds(.equal, other, for: value) == (other == value))
      #expect(try holds(.notEqual, other, for: value) == (other != value))
    }
    #expect(try !holds(.equal, value, for: nil))
    #expect(try !holds(.notEqual, value, for: nil))
    #expect(try holds(.set, nil, for: value))
    #expect(try !holds(.unset, nil, for: value))
  }

  @Test func `what is not there is unset, and nothing else`() throws {
    #expect(try holds(.unset, nil, for: nil))
    #expect(try !holds(.set, nil, for: nil))
    #expect(try !holds(.less, .number(1), for: nil))
    #expect(try !holds(.search, .string("."), for: nil))
  }

  @Test func `numbers are in order, and nothing else is`() throws {
    let orders: [(PropertyFilter.Comparison, (Double, Double) -> Bool)] = [
      (.less, { $0 < $1 }), (.lessOrEqual, { $0 <= $1 }), (.greater, { $0 > $1 }),
      (.greaterOrEqual, { $0 >= $1 }),
    ]
    for (comparison, order) in orders {
      for value in [-1.0, 1, 1.5, 2, .nan] {
        #expect(
          try holds(comparison, .number(1.5), for: .number(value)) == order(value, 1.5))
      }
      #expect(try !holds(comparison, .number(1.5), for: .string("1")))
    }
  }

  @Test func `instants are before and after, and texts that are none are neither`() throws {
    let wanted = PropertyValue.string("2026-01-01T00:00:00Z")
    #expect(try holds(.before, wanted, for: .string("2026-01-01T00:59:59+01:00")))
    #expect(try !holds(.before, wanted, for: wanted))
    #expect(try !holds(.after, wanted, for: wanted))
    #expect(try holds(.after, wanted, for: .string("2026-01-01T00:00:00.1Z")))
    #expect(try !holds(.after, wanted, for: .string("tomorrow")))
    #expect(try !holds(.after, wanted, for: .number(9e99)))
  }

  @Test func `a search looks into texts and into each text of a list`() throws {
    #expect(try holds(.search, .string("love"), for: .string("gloves")))
    #expect(try holds(.search, .string("^love"), for: .list(["a", "lover"])))
    #expect(try !holds(.search, .string("1"), for: .number(1)))
  }
}
