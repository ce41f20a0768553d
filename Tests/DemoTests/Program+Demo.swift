import LoopTesting
import ProgramTesting

extension Program {
  /// `matinee demo` with these arguments, run to its end.
  static func demo(_ arguments: [String], on test: TestLoop) throws -> Program {
    try run(["demo"] + arguments, on: test)
  }
}
