import ArgumentParser
import Vocabulary
import Wire

/// The server to administer, and what proves that one may.
struct AdminArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("The file with the administrator's key.", valueName: "file"),
    completion: .file())
  var adminKeyFile: String?

  @OptionGroup var server: ServerArguments

  func validate() throws {
    guard (adminKeyFile != nil) != (server.tokenFile != nil) else {
      throw ValidationError(
        "give --admin-key-file, or --token-file with an administrator's token, one of the two")
    }
  }

  /// Asks the server as administrator; an error is printed and ends the program.
  func ask<Topic: Question>(_ question: Topic) throws -> Topic.Answer {
    guard let adminKeyFile else {
      return try server.ask(question, asAnybody: UserID("administrator"))
    }
    return try server.ask(question, withKeyIn: adminKeyFile)
  }

  /// Has something done.
  func order(_ request: Request) throws { _ = try ask(AdminOrder(request: request)) }
}

/// Asks a server to do something that only an administrator may, and waits until it is done.
struct AdminOrder: Question {
  let request: Request

  var firstRequest: Request { request }

  mutating func take(_ message: ServerMessage, line: String) -> QuestionStep<Wire.Answer> {
    if case .answer(_, let answer) = message { .answered(answer) } else { .none }
  }
}

/// A group on the command line.
struct GroupArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The group.", valueName: "group"))
  var group: String

  var id: GroupID { GroupID(group) }

  func validate() throws { try checkIdentifier(group, "a group") }
}

/// A person on the command line.
struct PersonArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The person: the user in matinee admin people.", valueName: "name"))
  var name: String

  var id: UserID { UserID(name) }

  func validate() throws { try checkIdentifier(name, "a person") }
}

func checkIdentifier(_ text: String, _ kind: String) throws(ValidationError) {
  let longest = Limits().identifierBytes
  guard !text.isEmpty, text.utf8.count <= longest else {
    throw ValidationError("\(kind) has a name of 1 to \(longest) bytes")
  }
}
