import ProgramTesting

extension Program {
  /// The server's port for Syncplay's clients; `nil` if there is none.
  var syncplayPort: UInt16? {
    let line = errorOutput.split(separator: "\n").first {
      $0.contains("serving clients of Syncplay")
    }
    let address = line?.split(separator: "address=").last?.prefix { $0 != " " }
    return address?.split(separator: ":").last.flatMap { UInt16($0) }
  }
}
