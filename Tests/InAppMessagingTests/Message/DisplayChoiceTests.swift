import InAppMessaging
import Testing

@Suite struct DisplayChoiceTests {
  /// What code written for older versions sees.
  private protocol Older {
    static var later: DisplayChoice { get }
  }

  private enum App: Older {
    @available(*, deprecated)
    static var later: DisplayChoice { .later }
  }

  // Proves: B34
  @Test func `later is an older name, read and never written`() {
    let older: any Older.Type = App.self
    #expect(older.later == .reenqueue)
    #expect(DisplayChoice(rawValue: "later") == .reenqueue)
    #expect(DisplayChoice.allCases.map(\.rawValue) == ["now", "reenqueue", "discard"])
    for choice in DisplayChoice.allCases {
      #expect(DisplayChoice(rawValue: choice.rawValue) == choice)
    }
    #expect(DisplayChoice(rawValue: "never") == nil)
  }
}
