import ProgramTesting

extension Program {
  /// Where a server listens for clients of Syncplay; `nil` if it does not.
  var syncplayPort: UInt16? {
    let line = errorOutput.split(separator: "\n").first {
      $0.contains("serving clients of Syncplay")
    }
    let address = line?.split(separator: "address=").last?.prefix { $0 != " " }
    return address?.split(separator: ":").last.flatMap { UInt16($0) }
  }
}
