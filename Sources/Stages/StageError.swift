package import EventLoops

/// Why a stage cannot be set up.
package enum StageError: Error, Equatable, CustomStringConvertible {
  /// The system refused something the stage is made of.
  case system(UVError)
  case endpoint(EndpointError)
  /// There is no place for what the server keeps or reads; the text says why.
  case directory(String)
  /// The server did not begin to listen; the text is what it said.
  case serverDidNotStart(String)

  /// What happened, for a person.
  package var description: String {
    switch self {
    case .system(let error): "the stage cannot be set up: \(error)"
    case .endpoint(let error): "\(error)"
    case .directory(let reason): "a stage has no place for its files: \(reason)"
    case .serverDidNotStart(let words): "the server did not start: \(words)"
    }
  }
}
