package import GroupSessions
internal import ProtocolReading
internal import Vocabulary
internal import Wire

/// The table of rights, as the protocol's article has it and as a stage shows it.
package struct RightsTable: Equatable {
  /// The cells of each request's row, in the order of ``Person``: `yes`, `everyone` or nothing.
  package private(set) var cells: [String: [String]] = [:]

  /// The article's table.
  package static func written() throws -> RightsTable {
    var table = RightsTable()
    for row in ProtocolArticle.rows(in: try ProtocolArticle().chapter("Rights").introduction) {
      for name in row[0].split(separator: ",") {
        table.cells[name.replacing("`", with: "").trimmed] = Array(row.dropFirst())
      }
    }
    return table
  }

  /// Plays all requests by everybody under both policies.
  ///
  /// - Parameters:
  ///   - key: the administrator's key.
  ///   - stage: gives the stage of a scene.
  package static func played<Stage: RightsStage>(
    withKey key: String, on stage: () throws -> Stage
  ) throws -> RightsTable {
    var number = 0
    var allowed: [ControlPolicy: [String: [Bool]]] = [:]
    for control in ControlPolicy.allCases {
      allowed[control] = try rights(under: control, key, from: &number, on: stage)
    }
    var table = RightsTable()
    for (name, everyone) in allowed[.everyone] ?? [:] {
      let hosts = allowed[.hostsOnly]?[name] ?? []
      table.cells[name] = zip(everyone, hosts).map { cell($0, $1) }
    }
    return table
  }

  private static func cell(_ everyone: Bool, _ hostsOnly: Bool) -> String {
    switch (everyone, hostsOnly) {
    case (true, true): "yes"
    case (true, false): "everyone"
    case (false, true): "?"
    case (false, false): ""
    }
  }

  /// Who may make each request.
  ///
  /// A refusal changes nothing, so the next person asks in the same scene.
  private static func rights<Stage: RightsStage>(
    under control: ControlPolicy, _ key: String, from number: inout Int,
    on stage: () throws -> Stage
  ) throws -> [String: [Bool]] {
    func scene(for request: Request) throws -> RightsScene<Stage> {
      number += 1
      return try RightsScene(
        try stage(), number: number, control: control, isStaged: request.isOfStaged)
    }
    var rights: [String: [Bool]] = [:]
    var current = try scene(for: .status())
    var isStaged = false
    for place in current.subject.requests(withKey: "").indices {
      let sample = current.subject.requests(withKey: "")[place]
      if sample.isOfStaged != isStaged { current = try scene(for: sample) }
      isStaged = sample.isOfStaged
      for person in Person.allCases {
        let key = person == .administrator ? key : ""
        let request = current.subject.requests(withKey: key)[place]
        let (isAllowed, isDone) = try current.answer(request, by: person)
        rights[request.nameInTable, default: []].append(isAllowed)
        if isDone, !request.leavesRightsAlone { current = try scene(for: request) }
      }
    }
    return rights
  }

  /// What somebody who founded another group, and is in it, is allowed of this group.
  ///
  /// - Returns: the names of such requests, and how many messages the group's host got of them.
  package static func allowedOutside(
    under control: ControlPolicy, on stage: some RightsStage
  ) throws -> (requests: [String], messages: Int) {
    var scene = try RightsScene(stage, number: 0, control: control)
    let names = scene.subject.names
    let (outsider, host) = (names.device(.stranger), names.device(.host))
    _ = try scene.stage.ask(outsider, .joinGroup(names.otherGroup)).get()
    _ = try scene.stage.ask(host, .status()).get()
    let before = scene.stage.receivedCount(of: host)
    let written = try written()
    var allowed: [String] = []
    for request in scene.subject.requests(withKey: "") {
      let isAnybodys = written.cells[request.nameInTable]?.first == "yes"
      guard !isAnybodys, !request.isOfOwnGroup else { continue }
      if try scene.answer(request, by: .stranger).isAllowed { allowed.append(request.nameInTable) }
    }
    _ = try scene.stage.ask(host, .status()).get()
    return (allowed, scene.stage.receivedCount(of: host) - before - 1)
  }
}

extension StringProtocol {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    return String(start.prefix(start.reversed().drop { $0 == " " }.count))
  }
}
