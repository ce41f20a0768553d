package import EventLoops

/// Why a program of Syncplay's cannot take part.
package enum SyncplayProgramError: Error, Equatable, CustomStringConvertible {
  /// It is not installed, or the system does not start it.
  case cannotStart(String, UVError)
  case endpoint(EndpointError)
  /// There is no place for a client's files; the text says why.
  case directory(String)

  /// A server of that name has no clients of its own.
  case noNatives(String)

  /// What happened and what to do, for a person.
  package var description: String {
    switch self {
    case .cannotStart(let name, let error):
      "\(name) cannot be started (\(error)); scripts/setup installs it"
    case .endpoint(let error): "\(error)"
    case .noNatives(let name): "\(name) serves only clients of Syncplay's"
    case .directory(let reason): "a client of Syncplay's has no place for its files: \(reason)"
    }
  }
}
