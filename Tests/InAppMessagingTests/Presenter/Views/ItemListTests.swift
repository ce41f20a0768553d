import InAppMessaging
import Testing

@Suite struct ItemListTests {
  // Proves: A8
  @Test(arguments: [
    ("A, B", ["A", "B"], ["A", "B"]), ("A,B", ["A,B"], ["A", "B"]),
    ("A , B", ["A", "B"], ["A", "B"]), ("", [], []), (", ", [], []), ("A", ["A"], ["A"]),
    ("A, , B", ["A", "B"], ["A", "B"]),
    ("Tea\t,\nCoffee ", ["Tea", "Coffee"], ["Tea", "Coffee"]),
    ("1,000, 2,000", ["1,000", "2,000"], ["1", "000", "2", "000"]),
    (" A,  B, ", ["A", "B"], ["A", "B"]),
    ("A,B, C,", ["A,B", "C"], ["A", "B", "C"]), ("A,,B", ["A,,B"], ["A", "B"]), (",", [], []),
  ])
  func `items are told apart exactly, or with leniency`(
    text: String, exact: [String], lenient: [String]
  ) {
    #expect(ItemList.items(in: text, .exact) == exact)
    #expect(ItemList.items(in: text, .lenient) == lenient)
  }
}
