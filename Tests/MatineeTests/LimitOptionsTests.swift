import ArgumentParser
import Testing
import Vocabulary

@testable import matinee

@Suite struct LimitOptionsTests {
  @Test(arguments: LimitOption.all.map(\.name))
  func `an option sets the limit of its name and no other`(name: String) throws {
    let limits = try LimitOptions.parse(["--\(name)", "7"]).limits()
    let changed = zip(values(of: limits), values(of: Limits())).filter { $0.value != $1.value }
    let words = name.split(separator: "-").map(String.init)
    let property =
      words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    #expect(changed.map(\.0.name) == [property])
    #expect(changed.allSatisfy { ["7", "7.0 seconds"].contains($0.0.value) })
  }

  @Test(arguments: LimitOption.all)
  func `the help shows a limit's default, which the option takes`(option: LimitOption) throws {
    let limits = try LimitOptions.parse(["--\(option.name)", option.defaultValue]).limits()
    #expect(limits == Limits())
    let help = LimitOptions.helpMessage(columns: 1_000).split(separator: "\n  --")
    let text = help.first { $0.hasPrefix("\(option.name) <") }
    #expect(text?.contains("(default: \(option.defaultValue))") == true)
  }

  @Test func `a limit has a range`() throws {
    func isTaken(_ name: String, _ value: String) -> Bool {
      do {
        _ = try LimitOptions.parse(["--\(name)", value]).limits()
        return true
      } catch { return false }
    }
    #expect(isTaken("peers", "1"))
    #expect(!isTaken("peers", "0"))
    #expect(!isTaken("peers", "-1"))
    #expect(!isTaken("peers", "1.5"))
    #expect(isTaken("resume-grace", "0.5"))
    #expect(isTaken("resume-grace", "86400"))
    #expect(!isTaken("resume-grace", "86401"))
    #expect(!isTaken("resume-grace", "0"))
    #expect(!isTaken("resume-grace", "-1"))
    #expect(isTaken("user-absence", "86401"))
    #expect(!isTaken("user-absence", "31622401"))
  }

  private func values(of limits: Limits) -> [(name: String, value: String)] {
    Mirror(reflecting: limits).children.map { ($0.label ?? "", "\($0.value)") }
  }
}
