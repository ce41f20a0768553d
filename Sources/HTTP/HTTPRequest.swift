/// What a client asks (RFC 9110, section 9); only those that a server of today may have to answer.
package enum HTTPMethod: String, Equatable, Sendable, CaseIterable {
  case get = "GET"
  case head = "HEAD"
  case options = "OPTIONS"
  case post = "POST"
  case put = "PUT"
  case patch = "PATCH"
  case delete = "DELETE"
}

/// The versions of HTTP that stand in lines (RFC 9112, 2.3).
package enum HTTPVersion: String, Equatable, Sendable {
  case http10 = "HTTP/1.0"
  case http11 = "HTTP/1.1"
}

/// A whole request, read and checked.
package struct HTTPRequest: Equatable, Sendable {
  package let method: HTTPMethod
  package let target: HTTPTarget
  package let version: HTTPVersion
  /// The requested host, with its port unless that is the default; from the target if that names
  /// one (RFC 9112, 3.2.2).
  package let host: String?
  package let fields: HTTPFields
  package let body: [UInt8]
  /// Whether the client may send its next request on this connection (RFC 9112, 9.3).
  package let keepsAlive: Bool
}

/// The fields of a head (RFC 9110, section 5), in their order.
package struct HTTPFields: Equatable, Sendable {
  package struct Field: Equatable, Sendable {
    /// In lowercase, because names have no case.
    package let name: String
    /// Without the white space around it.
    package let value: String
  }

  package let all: [Field]

  package init(_ all: [Field]) {
    self.all = all
  }

  /// The value of a field; of several with the same name, one list (RFC 9110, 5.3).
  ///
  /// So where a field may stand only once, a second one makes a value that does not parse.
  ///
  /// - Parameter name: in lowercase.
  package subscript(name: String) -> String? {
    let values = all.filter { $0.name == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// How many fields have this name.
  package func count(of name: String) -> Int {
    all.count { $0.name == name }
  }

  /// The elements of a field that is a list of words without quotes, such as `Connection`.
  ///
  /// In lowercase, because such words have no case; empty ones are left out (RFC 9110, 5.6.1).
  package func words(of name: String) -> [String] {
    (self[name] ?? "").split(separator: ",")
      .map { $0.trimmingSpaces.lowercased() }.filter { !$0.isEmpty }
  }
}

extension StringProtocol {
  /// The text without spaces and tabs around it (OWS; RFC 9110, 5.6.3).
  var trimmingSpaces: String {
    let isSpace = { (letter: Character) in letter == " " || letter == "\t" }
    var rest = self[...]
    while let last = rest.last, isSpace(last) { rest.removeLast() }
    return String(rest.drop(while: isSpace))
  }
}
