import InAppMessaging
import Vocabulary
import Wire

// A person of whom nothing is to be known any more: their stream is erased, and a new one begins
// with the next thing that is kept of them.

extension Coordinator {
  /// What a command comes to, and what has to stand before it where it begins a stream.
  ///
  /// That is what the person chose before they were forgotten, and which run of its client each of
  /// their devices is: said before, it went with the rest. A device alone begins no stream: who
  /// wiped what was known is not known again for having the app open.
  func decision(
    on command: MessagingCommand, of id: UserID
  ) throws(MessagingRejection) -> (beginning: [MessagingEvent], MessagingDecision)? {
    let conditions = messagingConditions(of: id)
    guard users[id]?.messaging.seq == 0 else {
      guard let messaging = users[id]?.messaging else { return nil }
      return ([], try messaging.decide(command, at: now, under: conditions))
    }
    guard let aggregate = users[id] else { return nil }
    var messaging = aggregate.messaging
    var beginning = aggregate.choices.events
    for event in beginning { messaging.evolve(event, at: now) }
    let choiceCount = beginning.count
    for (device, epoch) in aggregate.epochs {
      beginning.append(.connected(device, epoch: epoch))
      messaging.evolve(.connected(device, epoch: epoch), at: now)
    }
    // There is nothing to wipe.
    let command = command == .wipe ? .presenceChanged : command
    let decision = try messaging.decide(command, at: now, under: conditions)
    return (decision.events.isEmpty ? Array(beginning[..<choiceCount]) : beginning, decision)
  }

  /// Nothing of a person is kept any more, not even that there was anything.
  ///
  /// What counted events goes, too: a client that sends one again which was taken before, though it
  /// knows of the wipe, tells it anew.
  ///
  /// - Parameter isOurs: whether it was this server that wrote it so; else the other one erases the
  ///   stream, or has begun a new one already.
  mutating func eraseUser(_ id: UserID, isOurs: Bool) {
    guard let old = users[id]?.messaging else { return }
    erasures &+= 1
    users[id]?.messaging = UserMessaging(id)
    users[id]?.trace = EvaluationTrace()
    pastTraces.remove(id)
    users[id]?.choices = MessagingChoices()
    deadlines.forget(.user(id))
    guard isOurs else { return }
    users[id]?.choices = MessagingChoices(isCollectionOff: !old.collects, isPaused: old.isPaused)
    outputs.append(.forget(.user(id)))
  }

  /// Has what the person chose kept anew, if it is not: in the same turn as the end of what it was
  /// kept in.
  mutating func upholdChoices(of id: UserID) {
    guard users[id]?.choices.isEmpty == false else { return }
    perform(UserWork(command: .presenceChanged), on: id)
  }
}
