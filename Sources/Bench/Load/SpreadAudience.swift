import EventLoops

/// One session with an audience, whose people are spread evenly over the servers of a cluster.
///
/// Confined to its loop's thread.
struct SpreadAudience {
  private let stage: Stage
  private let servers: [ServerProcess]
  /// The people at each server; those at the first one, which decides, have the session.
  private let crowds: [SessionCrowd]
  private let people: Int

  /// Starts the servers, and has everybody take part.
  ///
  /// - Parameters:
  ///   - people: how many people there are at each server.
  ///   - count: how many servers there are.
  ///   - database: the address of a database with a journal's tables.
  ///   - stage: the loop.
  init(
    of people: Int, atEachOf count: Int, database: String, on stage: Stage
  ) throws(BenchError) {
    self.stage = stage
    var servers: [ServerProcess] = []
    var crowds: [SessionCrowd] = []
    do throws(BenchError) {
      for number in 0..<count {
        let server = try ServerProcess(.cluster(address: database), on: stage)
        servers.append(server)
        let crowd =
          crowds.first.map {
            SessionCrowd(at: server, on: stage, inAudienceOf: $0, firstNumber: number * people)
          } ?? SessionCrowd(at: server, on: stage, sessionSize: .max, hasAudience: true)
        crowds.append(crowd)
        try crowd.grow(to: people)
      }
    } catch {
      Self.stop(crowds, servers)
      throw error
    }
    (self.servers, self.crowds) = (servers, crowds)
    self.people = count * people
  }

  func stop() { Self.stop(crowds, servers) }

  private static func stop(_ crowds: [SessionCrowd], _ servers: [ServerProcess]) {
    for crowd in crowds { crowd.crowd.close() }
    for server in servers { server.stop() }
  }

  /// Seeks that everybody is told; each round begins once all have received the one before.
  ///
  /// - Returns: the processor time of each server, divided by all deliveries, in nanoseconds.
  func costs(ofSeeks rounds: Int) throws(BenchError) -> [Double] {
    let before = try processorTimes()
    for _ in 0..<rounds {
      let goals = crowds.map { $0.crowd.lineCount + $0.crowd.peers.count }
      crowds[0].crowd.peers[0].write(crowds[0].requests.seeks(1))
      for (place, crowd) in crowds.enumerated() {
        // The peer that seeks gets an answer, too.
        try crowd.crowd.wait(forLines: goals[place] + (place == 0 ? 1 : 0))
      }
    }
    try stage.rest()
    return zip(try processorTimes(), before).map { Double($0 - $1) / Double(rounds * people) }
  }

  private func processorTimes() throws(BenchError) -> [Int] {
    var times: [Int] = []
    for server in servers { times.append(try server.processorTime()) }
    return times
  }
}
