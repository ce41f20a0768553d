import CLibFuzzer
import Foundation
import Fuzzing

/// The program behind `scripts/fuzz`: libFuzzer's loop around one target.
@main enum FuzzProgram {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "--targets": list()
    case "--seeds" where arguments.count == 3: try writeSeeds(of: arguments[1], into: arguments[2])
    case let name?: try fuzz(named(name))
    case nil: throw Mistake("name a target; scripts/fuzz does")
    }
  }

  private struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  private static func named(_ name: String) throws -> any FuzzTarget.Type {
    guard let target = FuzzTargets.named(name) else { throw Mistake("there is no target \(name)") }
    return target
  }

  private static func list() {
    for target in FuzzTargets.all { print("\(target.name)\t\(target.claim)") }
  }

  /// Writes a target's seeds, a file for each, and the words in them, one dictionary.
  private static func writeSeeds(of name: String, into folder: String) throws {
    let seeds = try named(name).seeds()
    let folder = URL(filePath: folder)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "seeds"), withIntermediateDirectories: true)
    for (number, seed) in seeds.enumerated() {
      try Data(seed).write(to: folder.appending(path: "seeds/\(number)"))
    }
    let dictionary = words(in: seeds).map { "\"\($0)\"\n" }.joined()
    try Data(dictionary.utf8).write(to: folder.appending(path: "words"))
  }

  /// The JSON strings and words in the seeds, escaped as libFuzzer's dictionaries want it
  /// (llvm.org/docs/LibFuzzer.html#dictionaries).
  private static func words(in seeds: [[UInt8]]) -> [String] {
    let word = /"[A-Za-z0-9 :\/._-]{1,32}"|[0-9]{2,20}|true|false|null/
    let texts = seeds.flatMap { seed in
      String(decoding: seed, as: UTF8.self).matches(of: word).map { String($0.output) }
    }
    return Set(texts).sorted().map { $0.replacing("\"", with: "\\\"") }
  }

  /// The target that libFuzzer's callback, which takes no context, hands its inputs to.
  private nonisolated(unsafe) static var target: (any FuzzTarget)?

  /// Never returns: libFuzzer ends the process.
  private static func fuzz(_ type: any FuzzTarget.Type) throws {
    unsafe target = try type.init()
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? =
      unsafe CommandLine.unsafeArgv
    // libFuzzer takes the target's name for a folder of inputs, unless it is the program's.
    unsafe arguments = unsafe arguments.map { unsafe $0 + 1 }
    count -= 1
    exit(
      unsafe LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
        unsafe FuzzProgram.check(UnsafeBufferPointer(start: bytes, count: count))
        return 0
      })
  }

  private static func check(_ bytes: UnsafeBufferPointer<UInt8>) {
    do {
      try unsafe target?.check(Array(bytes))
    } catch {
      // libFuzzer keeps the input of a process that traps.
      fatalError("BROKEN: \(error)")
    }
  }
}
