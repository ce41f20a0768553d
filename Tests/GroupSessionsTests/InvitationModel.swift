import GroupSessions
import Naming
import Vocabulary

/// What becomes of people who are invited, said once more and in another way: by what each person
/// has heard, said and done.
struct InvitationModel {
  struct Person: Equatable {
    /// Until when the last invitation stands; `nil` before there is one.
    var askedUntil: Instant?
    /// What the person said to it.
    var said: InvitationAnswer?
    /// Whether it was taken back, or ran out.
    var isOff: Invitation.State?
    /// Whether the person came since.
    var came = false
    var seats: Set<DeviceID> = []
  }

  enum Outcome: Equatable {
    case done
    case refused(SessionRejection)
  }

  let hasOneDeviceEach: Bool
  let lifetime: Duration
  var people: [UserID: Person] = [:]
  var end: EndReason?

  mutating func invite(_ user: UserID, at now: Instant) -> Outcome {
    if let end { return .refused(.ended(end)) }
    var person = people[user] ?? Person()
    let expects = person.said == .accepted && !person.came && now < person.askedUntil ?? now
    let isAsked = person.askedUntil != nil && person.said == nil && person.isOff == nil
    let refuses = person.said == .declined && !person.came
    guard person.seats.isEmpty, !expects, !isAsked, !refuses else { return .done }
    person = Person(askedUntil: now + lifetime)
    people[user] = person
    return .done
  }

  mutating func answer(
    _ user: UserID, _ answer: InvitationAnswer, joining device: DeviceID?, at now: Instant
  ) -> Outcome {
    if let end { return .refused(.ended(end)) }
    guard var person = people[user], let until = person.askedUntil else {
      return .refused(.notInvited)
    }
    if let state = person.isOff { return .refused(.invitationOver(state)) }
    guard let said = person.said else {
      guard now < until else { return .refused(.invitationOver(.expired)) }
      person.said = answer
      if answer == .accepted, let device { person.sit(on: device, hasOneDeviceEach) }
      people[user] = person
      return .done
    }
    guard said == answer else {
      return .refused(.invitationOver(said == .accepted ? .accepted : .declined))
    }
    if said == .accepted, let device, !person.came, now < until {
      person.sit(on: device, hasOneDeviceEach)
      people[user] = person
    }
    return .done
  }

  mutating func join(_ user: UserID, _ device: DeviceID) -> Outcome {
    if let end { return .refused(.ended(end)) }
    var person = people[user] ?? Person()
    if person.askedUntil != nil, person.said == nil, person.isOff == nil { person.said = .accepted }
    person.sit(on: device, hasOneDeviceEach)
    people[user] = person
    return .done
  }

  mutating func leave(_ user: UserID, _ device: DeviceID) -> Outcome {
    if let end { return .refused(.ended(end)) }
    guard people[user]?.seats.remove(device) != nil else { return .refused(.notJoined) }
    return .done
  }

  mutating func revoke(_ user: UserID) -> Outcome {
    if let end { return .refused(.ended(end)) }
    if let person = people[user], person.askedUntil != nil, person.said == nil {
      people[user]?.isOff = person.isOff ?? .revoked
    }
    return .done
  }

  mutating func pass(to now: Instant) {
    for (user, person) in people where person.said == nil && person.isOff == nil {
      if let until = person.askedUntil, until <= now { people[user]?.isOff = .expired }
    }
  }

  mutating func over(_ reason: EndReason) {
    guard end == nil else { return }
    end = reason
    people = [:]
  }

  /// What stands of a person's invitation.
  func state(of user: UserID) -> Invitation.State? {
    guard let person = people[user], person.askedUntil != nil else { return nil }
    return switch person.said {
    case .accepted: .accepted
    case .declined: .declined
    case nil: person.isOff ?? .pending
    }
  }
}

extension InvitationModel.Person {
  fileprivate mutating func sit(on device: DeviceID, _ isAlone: Bool) {
    came = true
    seats = isAlone ? [device] : seats.union([device])
  }
}
