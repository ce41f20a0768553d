import NIOCore
import NIOHTTP1

/// Collects the parts of a request and carries out the reply.
final class RequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let isHTTP2: Bool
  private let connection: Int
  private let reply: (ReceivedPush) -> PushReply
  private var request: ReceivedPush?

  init(isHTTP2: Bool, connection: Int, reply: @escaping (ReceivedPush) -> PushReply) {
    self.isHTTP2 = isHTTP2
    self.connection = connection
    self.reply = reply
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      let fields = head.headers.map { ($0.name.lowercased(), $0.value) }
      request = ReceivedPush(
        method: head.method.rawValue, path: head.uri,
        fields: Dictionary(fields) { "\($0), \($1)" }, body: [], isHTTP2: isHTTP2,
        connection: connection)
    case .body(let part):
      request?.body += part.readableBytesView
    case .end:
      guard let request else { return }
      self.request = nil
      answer(reply(request), in: context)
    }
  }

  private func answer(_ reply: PushReply, in context: ChannelHandlerContext) {
    switch reply {
    case .silence: break
    case .hangUp:
      // For HTTP/2, closes the stream's connection.
      (isHTTP2 ? context.channel.parent ?? context.channel : context.channel).close(promise: nil)
    case .halfAnAnswer(let status):
      let head = head(status, ["content-length": "100"])
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{")))), promise: nil)
      context.close(promise: nil)
    case .answer(let status, var fields, let body):
      fields["content-length"] = "\(body.utf8.count)"
      context.write(wrapOutboundOut(.head(head(status, fields))), promise: nil)
      // Skips an empty body, because several empty frames in a row look like an attack.
      if !body.isEmpty {
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
      }
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }

  private func head(_ status: Int, _ fields: [String: String]) -> HTTPResponseHead {
    HTTPResponseHead(
      version: isHTTP2 ? .http2 : .http1_1, status: HTTPResponseStatus(statusCode: status),
      headers: HTTPHeaders(fields.map { ($0.key, $0.value) }))
  }

  /// Ignores the error of a client that disconnects.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}

/// A request that a push service received.
package struct ReceivedPush: Equatable, Sendable {
  package var method: String
  package var path: String
  /// The fields, with names in lower case.
  package var fields: [String: String]
  package var body: [UInt8]
  /// Whether it arrived over HTTP/2.
  package var isHTTP2: Bool
  /// The number of its connection, from 0.
  package var connection: Int
}

/// The reaction of a test's push service to a request.
package enum PushReply: Equatable, Sendable {
  /// Answers with this status.
  case answer(Int, fields: [String: String] = [:], body: String = "")
  /// Sends nothing, and keeps the connection open.
  case silence
  /// Closes the connection without an answer.
  case hangUp
  /// Starts an answer with this status, and closes the connection during its body.
  case halfAnAnswer(Int)
}
