import InAppMessaging
import Testing

@Suite struct PickerViewTests {
  private func view(_ text: String, key: PropertyValue? = .string("colour")) -> PickerView? {
    PickerView(
      message("m") {
        $0.body = .text(.init(text))
        $0.extras["attribute_key"] = key
      }, placeholder: "Choose")
  }

  // Proves: A16, A17, A18
  @Test func `only a chosen item can be submitted`() throws {
    var picker = try #require(view("Red, Blue"))
    #expect(picker.rows == ["Choose", "Red", "Blue"])
    #expect(picker.submission == nil)
    picker.select(2)
    #expect(picker.submission == .setAttribute(key: "colour", value: .string("Blue")))
    picker.select(9)
    #expect(picker.selection == "Blue")
    picker.select(0)
    #expect(picker.submission == nil)
  }

  // Proves: A10, A17
  @Test(arguments: [nil, PropertyValue.string(""), .number(1)])
  func `without an attribute's name nothing can be submitted`(key: PropertyValue?) throws {
    var picker = try #require(view("Red", key: key))
    picker.select(1)
    #expect(picker.submission == nil)
  }

  // Proves: A8
  @Test func `without items there is no picker`() {
    #expect(view("") == nil)
    #expect(PickerView(message("m", kind: .modalImage)) == nil)
  }
}
