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

  /// Has everybody take part.
  ///
  /// - Parameters:
  ///   - people: how many people there are at each server.
  ///   - servers: the servers, of which the first one decides.
  ///   - number: the first number in people's names; an audience needs 100,000.
  ///   - stage: the loop.
  init(
    of people: Int, atEachOf servers: [ServerProcess], firstNumber number: Int, on stage: Stage
  ) throws(BenchError) {
    (self.stage, self.servers) = (stage, servers)
    self.people = servers.count * people
    var crowds: [SessionCrowd] = []
    for (place, server) in servers.enumerated() {
      let first = number + place * people
      let crowd =
        crowds.first.map {
          SessionCrowd(at: server.running, on: stage, inAudienceOf: $0, firstNumber: first)
        }
        ?? SessionCrowd(
          at: server.running, on: stage, sessionSize: .max, firstNumber: first, hasAudience: true)
      crowds.append(crowd)
      do throws(BenchError) {
        try crowd.grow(to: people)
      } catch {
        for crowd in crowds { crowd.crowd.close() }
        throw error
      }
    }
    self.crowds = crowds
  }

  func close() {
    for crowd in crowds { crowd.crowd.close() }
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
