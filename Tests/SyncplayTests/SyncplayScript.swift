import Testing

/// What clients say and hear, step by step, in text: for a lobby in virtual time, and for any
/// server over TCP.
///
/// ```
/// alice connects
/// alice > {"Hello":{…}}            says a line
/// alice < {"Set":{"ready":{}}}     hears a line that has all this; earlier ones are skipped
/// alice ! {"Chat":"*"}             hears no such line of those that have come
/// alice says nothing 3             for three seconds, answering States as clients do
/// alice hears the end              is hung up on
/// wait 1.5                         everybody answers States meanwhile
/// ```
struct SyncplayScript {
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

  let steps: [Step]

  init(_ text: String) throws {
    steps = try text.split(separator: "\n").compactMap { line in
      let line = line.trimmed
      return line.isEmpty || line.hasPrefix("#") ? nil : try Self.step(String(line))
    }
  }

  private static func step(_ line: String) throws -> Step {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    switch (words.first, words.dropFirst().first) {
    case ("wait", let seconds?):
      guard let seconds = Double(seconds) else { throw Unreadable(line: line) }
      return .wait(seconds)
    case (let who?, "connects"): return .connect(who)
    case (let who?, "leaves"): return .leave(who)
    case (let who?, "is") where words.last == "mute": return .mute(who)
    case (let who?, "hears"): return .end(who)
    case (let who?, ">"): return .say(who, words.count == 3 ? words[2] : "")
    case (let who?, "<") where words.count == 3: return .hear(who, words[2])
    case (let who?, "!") where words.count == 3: return .hearNot(who, words[2])
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

/// Somewhere a script can be played.
protocol SyncplayStage {
  mutating func connect(_ name: String) throws
  mutating func say(_ line: String, as name: String) throws
  mutating func leave(_ name: String) throws
  /// Stops answering States.
  mutating func mute(_ name: String) throws
  mutating func wait(_ seconds: Double) throws
  /// The lines that a client heard and no step looked at yet.
  func heard(by name: String) -> [String]
  mutating func skip(_ count: Int, heardBy name: String)
  func isOver(_ name: String) -> Bool
}

extension SyncplayScript {
  /// How long a line may take.
  private static let patience = 1.5

  func play(on stage: inout some SyncplayStage) throws {
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
        let heard = try stage.heard(by: name).filter { try JSONTree($0).matches(tree) }
        #expect(heard == [], "\(name) was not to hear \(pattern)")
      case .end(let name):
        try wait(on: &stage) { $0.isOver(name) }
        #expect(stage.isOver(name), "\(name) was to be hung up on")
      }
    }
  }

  private func hear(_ pattern: String, _ name: String, _ stage: inout some SyncplayStage) throws {
    let tree = try JSONTree(pattern)
    func place(_ stage: some SyncplayStage) throws -> Int? {
      try stage.heard(by: name).firstIndex { try JSONTree($0).matches(tree) }
    }
    try wait(on: &stage) { try place($0) != nil }
    guard let found = try place(stage) else {
      Issue.record("\(name) did not hear \(pattern), but \(stage.heard(by: name))")
      return
    }
    stage.skip(found + 1, heardBy: name)
  }

  private func wait<Stage: SyncplayStage>(
    on stage: inout Stage, until condition: (Stage) throws -> Bool
  ) throws {
    var waited = 0.0
    while try !condition(stage), waited < Self.patience {
      try stage.wait(0.05)
      waited += 0.05
    }
  }
}
