/// A script of what clients send and must receive, for a lobby in virtual time and for any server
/// over TCP.
///
/// ```
/// alice connects
/// alice > {"Hello":{…}}            sends a line
/// alice < {"Set":{"ready":{}}}     receives a line that contains all this; earlier ones are skipped
/// alice ! {"Chat":"*"}             has received no such line
/// alice enters lobby               connects, sends Hello like a client of 1.7.7, and is welcomed
/// alice is mute                    no longer answers States, as clients do
/// alice hears the end              is disconnected
/// wait 1.5                         lets time pass; all clients answer States meanwhile
/// ```
package struct SyncplayScript {
  enum Step: Equatable {
    case connect(String)
    case say(String, String)
    case hear(String, String)
    case hearNot(String, String)
    case end(String)
    case leave(String)
    case mute(String)
    case wait(Double)
  }

  struct Unreadable: Error, CustomStringConvertible {
    let line: String
    var description: String { "no step of a script: \(line)" }
  }

  /// Why a script failed.
  package struct Failure: Error, CustomStringConvertible {
    /// What was expected, and what arrived.
    package let description: String
    /// Whether a client was disconnected although the script does not expect it.
    package let isHungUp: Bool
  }

  let steps: [Step]

  /// Parses a script.
  package init(_ text: String) throws {
    steps = try text.split(separator: "\n").flatMap { line in
      let line = line.trimmed
      return line.isEmpty || line.hasPrefix("#") ? [] : try Self.steps(String(line))
    }
  }

  /// The first line of an official client of version 1.7.7.
  package static func hello(_ name: String, room: String) -> String {
    #"{"Hello":{"username":"\#(name)","room":{"name":"\#(room)"},"version":"1.2.255","#
      + #""realversion":"1.7.7","features":{"sharedPlaylists":true,"chat":true,"#
      + #""featureList":true,"readiness":true,"managedRooms":true,"persistentRooms":true,"#
      + #""setOthersReadiness":true,"uiMode":"CLI"}}}"#
  }

  private static func steps(_ line: String) throws -> [Step] {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("wait", let seconds?):
      guard let seconds = Double(seconds) else { throw Unreadable(line: line) }
      return [.wait(seconds)]
    case (let who?, "connects"): return [.connect(who)]
    case (let who?, "enters") where words.count == 3:
      let welcome = #"{"Hello":{"username":"\#(who)","room":{"name":"\#(words[2])"}}}"#
      return [.connect(who), .say(who, hello(who, room: words[2])), .hear(who, welcome)]
    case (let who?, "leaves"): return [.leave(who)]
    case (let who?, "is") where words.last == "mute": return [.mute(who)]
    case (let who?, "hears"): return [.end(who)]
    case (let who?, ">"): return [.say(who, words.count == 3 ? words[2] : "")]
    case (let who?, "<") where words.count == 3: return [.hear(who, words[2])]
    case (let who?, "!") where words.count == 3: return [.hearNot(who, words[2])]
    default: throw Unreadable(line: line)
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var text = self
    while text.first?.isWhitespace == true { text = text.dropFirst() }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return text
  }
}

extension SyncplayScript {
  /// Plays the script to its end.
  ///
  /// - Throws: ``Failure`` at the first step that does not succeed.
  package func play(on stage: inout some SyncplayStage) throws {
    for step in steps {
      switch step {
      case .connect(let name): try stage.connect(name)
      case .say(let name, let line): try stage.say(line, as: name)
      case .leave(let name): try stage.leave(name)
      case .mute(let name): try stage.mute(name)
      case .wait(let seconds): try stage.wait(seconds)
      case .hear(let name, let pattern): try hear(pattern, name, &stage)
      case .hearNot(let name, let pattern):
        let tree = try JSONTree(pattern)
        let slack = stage.slack
        let heard = stage.heard(by: name).filter { $0.matches(tree, slack: slack) }
        guard heard.isEmpty else {
          throw Failure(
            description: "\(name) was not to hear \(pattern), but heard \(heard)", isHungUp: false)
        }
      case .end(let name):
        try stage.wait { $0.isOver(name) }
        guard stage.isOver(name) else {
          throw Failure(description: "\(name) was to be hung up on", isHungUp: false)
        }
      }
    }
  }

  private func hear<Stage: SyncplayStage>(
    _ pattern: String, _ name: String, _ stage: inout Stage
  ) throws {
    let tree = try JSONTree(pattern)
    let slack = stage.slack
    func place(_ stage: Stage) -> Int? {
      stage.heard(by: name).firstIndex { $0.matches(tree, slack: slack) }
    }
    try stage.wait { place($0) != nil || $0.isOver(name) }
    guard let found = place(stage) else {
      throw Failure(
        description: "\(name) did not hear \(pattern), but \(stage.heard(by: name))",
        isHungUp: stage.isOver(name))
    }
    stage.skip(found + 1, heardBy: name)
  }
}

/// An environment in which a script can be played.
package protocol SyncplayStage {
  /// Opens a client's connection.
  mutating func connect(_ name: String) throws
  /// Makes a client send a line.
  mutating func say(_ line: String, as name: String) throws
  /// Makes a client disconnect.
  mutating func leave(_ name: String) throws
  /// Makes a client stop answering States.
  mutating func mute(_ name: String) throws
  /// Lets this many seconds of the protocol's time pass.
  mutating func wait(_ seconds: Double) throws
  /// Continues until a condition holds or a time limit passes.
  mutating func wait(until condition: @escaping (Self) -> Bool) throws
  /// The lines that a client received and no step has consumed.
  func heard(by name: String) -> [JSONTree]
  /// Drops the first of those lines.
  mutating func skip(_ count: Int, heardBy name: String)
  /// Whether a client was disconnected.
  func isOver(_ name: String) -> Bool
  /// How far apart equal times may be, in seconds.
  var slack: Double { get }
}
