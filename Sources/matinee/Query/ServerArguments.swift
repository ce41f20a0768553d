import ArgumentParser
import EventLoops
import MatineeClient
import PushTransports
import Server
import TLS
import Vocabulary

/// How long to wait for a server.
struct TimeLimit: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait for the server, in seconds.", valueName: "s"))
  var timeout = 5.0

  var duration: Duration { .microseconds(Int64(timeout * 1e6)) }

  func validate() throws {
    guard timeout > 0, timeout <= 3600 else {
      throw ValidationError("--timeout must be more than 0 and at most 3600, not \(timeout)")
    }
  }
}

/// The server to ask, and how long to wait.
struct ServerArguments: ParsableArguments {
  @Option(help: ArgumentHelp("The server's address.", valueName: "host:port"))
  var server = "127.0.0.1:7878"

  @OptionGroup var limit: TimeLimit

  @Option(
    help: ArgumentHelp(
      "The file with a token (JWT), for a server that asks who somebody is.", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  @OptionGroup var securityArguments: SecurityArguments

  func validate() throws {
    _ = try endpoint()
  }

  private func endpoint() throws -> ServerConfiguration.Endpoint {
    guard let endpoint = ServerConfiguration.Endpoint(server) else {
      let example = server.contains("::") ? "[\(server)]:7878" : GroupPlace.standardServer
      throw ValidationError("--server takes host:port, such as \(example), not \(server)")
    }
    return endpoint
  }

  /// Asks the server as the token's person, or without a token as this one, with the credential that
  /// is stored for them, if any.
  ///
  /// - Parameters:
  ///   - user: who asks without a token.
  ///   - question: what that person asks.
  func ask<Topic: Question>(
    asOneself user: UserID, _ question: (UserID) -> Topic
  ) throws -> Topic.Answer {
    if let token = try token() {
      return try ask(question(token.user), as: token.user, with: token.text)
    }
    return try ask(question(user), as: user, with: try storedCredential(of: user))
  }

  /// Asks the server as the token's person, or as this user without a token.
  func ask<Topic: Question>(_ question: Topic, asAnybody user: UserID) throws -> Topic.Answer {
    let token = try token()
    return try ask(question, as: token?.user ?? user, with: token?.text)
  }

  /// Asks the server as its administrator, with the key in a file.
  func ask<Topic: Question>(_ question: Topic, withKeyIn file: String) throws -> Topic.Answer {
    let key: String
    do throws(KeyFileError) {
      key = try KeyFile.administratorKey(file).text
    } catch {
      throw complaint("\(error)", 66)
    }
    return try ask(question, withKey: key)
  }

  /// Asks the server as its administrator; with a token, as the token's person, whose request shows
  /// the key.
  func ask<Topic: Question>(_ question: Topic, withKey key: String) throws -> Topic.Answer {
    try checkPrivacy()
    let administrator = UserID("administrator")
    guard tokenFile == nil else { return try ask(question, asAnybody: administrator) }
    return try ask(question, as: administrator, with: nil, administratorKey: key)
  }

  /// Checks that nobody on the way can read the administrator's key.
  ///
  /// The server would refuse the key, but only after it was sent. The library has the same rule.
  private func checkPrivacy() throws {
    guard try endpoint().isLoopback || trust() != nil else {
      throw complaint(
        "the administrator's key is not shown over a connection without encryption; connect with "
          + "encryption, or on the server's own machine", 69)
    }
  }

  private func security() throws -> ConnectionSecurity {
    let endpoint = try Endpoint(option: server)
    do throws(KeyFileError) {
      return try securityArguments.security(of: endpoint).security
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  /// Which servers may answer; `nil` if the connection is not encrypted.
  private func trust() throws -> TLSTrust? {
    let (endpoint, security) = (try Endpoint(option: server), try security())
    do throws(GroupWatchError) {
      return try security.trust(for: endpoint)
    } catch {
      throw complaint(error.text, 66)
    }
  }

  private func token() throws -> TokenFile? {
    do throws(KeyFileError) {
      return try tokenFile.map(TokenFile.init)
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  private func storedCredential(of user: UserID) throws -> String? {
    let endpoint = try Endpoint(option: server)
    do throws(KeyFileError) {
      return try OwnCredential.known(at: endpoint, of: user)?.stored()
    } catch {
      throw complaint("\(error)", 66)
    }
  }

  private func ask<Topic: Question>(
    _ question: Topic, as user: UserID, with credential: String?, administratorKey: String? = nil
  ) throws -> Topic.Answer {
    let (endpoint, trust) = (try endpoint(), try trust())
    ProcessSettings.ignoreBrokenPipes()
    let loop = try EventLoop()
    defer { loop.close() }
    let query = ServerQuery(
      question, of: endpoint, under: trust, as: user, with: credential,
      administratorKey: administratorKey,
      within: limit.duration, on: loop)
    switch try query.run() {
    case .success(let answer): return answer
    case .failure(let failure): throw complaint(failure.message, failure.exitCode)
    }
  }
}
