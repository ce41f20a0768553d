import HTTP

/// What a reader made of a connection's bytes.
struct Reading: Equatable {
  var requests: [HTTPRequest] = []
  var fault: HTTPFault?

  /// Reads a connection whose bytes arrive in pieces of this size.
  init(_ text: String, inPiecesOf size: Int = .max, limits: HTTPLimits = HTTPLimits()) {
    var reader = HTTPRequestReader(limits: limits)
    var rest = Array(text.utf8)[...]
    do throws(HTTPFault) {
      while !rest.isEmpty {
        let piece = Array(rest.prefix(size))
        rest = rest.dropFirst(piece.count)
        reader.receive(piece.span)
        while let request = try reader.next() { requests.append(request) }
      }
    } catch {
      fault = error
    }
  }

  /// How the server would answer: the paths that it served, then the fault's status.
  var summary: String {
    (requests.map(\.target.path) + (fault.map { ["\($0.status.rawValue)"] } ?? []))
      .joined(separator: " ")
  }
}

/// A request from its lines; the empty line is added.
func head(_ lines: String...) -> String {
  lines.map { $0 + "\r\n" }.joined() + "\r\n"
}

/// The one request in a text.
func asked(_ fields: String..., method: String = "GET", target: String = "/") -> HTTPRequest? {
  let lines = ["\(method) \(target) HTTP/1.1", "Host: example.org"] + fields
  return Reading(lines.map { $0 + "\r\n" }.joined() + "\r\n").requests.first
}
