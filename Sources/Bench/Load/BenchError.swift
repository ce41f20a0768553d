import EventLoops

/// Why something could not be measured.
enum BenchError: Error, CustomStringConvertible {
  case timedOut(String)
  case interrupted
  case cannotStart(String, UVError)
  case serverEnded(String, lastWords: String)
  case cannotConnect(EndpointError)
  case broken(UVError)
  case refused(String)
  case unreadable(String)
  case journal(String)

  var description: String {
    switch self {
    case .timedOut(let what): "\(what) took too long: the machine is too busy, or something hangs"
    case .interrupted: "interrupted"
    case .cannotStart(let program, let error):
      "cannot start \(program): \(error); build it first: scripts/bench does"
    case .serverEnded(let program, let lastWords): "\(program) ended too early: \(lastWords)"
    case .cannotConnect(let error): "\(error)"
    case .broken(let error): "a connection broke: \(error)"
    case .refused(let line): "the server refused a request: \(line)"
    case .unreadable(let path): "cannot read \(path), which Linux has"
    case .journal(let reason): "a journal for the measurement could not be made: \(reason)"
    }
  }
}
