import EventLoops
import HTTP
import Transports

extension HTTPConnection {
  /// Answers with words for people, which nobody keeps.
  func say(_ status: HTTPStatus, _ words: String) {
    let fields = [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")]
    answer(HTTPResponse(status, fields + SecurityFields.all), SharedBytes(words + "\n"))
  }
}
