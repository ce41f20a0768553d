import GroupSessions
import Signatures
import Vocabulary
import Wire

// The keys of groups, where the server asks for them.

extension Groups {
  /// What a key is worth at a group's door.
  func pass(to id: GroupID, with key: String?, by user: UserID? = nil) -> Pass {
    guard case .keys(let keys) = access else { return .free }
    // The dialect has looked at the keys of its clients; it opens no groups.
    if let user, Hello.isReserved(user.text) { return groups[id] == nil ? .wrong : .free }
    guard let key else { return .nothing }
    if AccessKeys.matches(key, keys.founding) { return .founding }
    let generation = groups[id]?.group?.entry?.generation ?? 1
    let isRight = AccessKeys.matches(key, keys.key(of: id, generation: generation))
    return isRight ? .key(generation: generation) : .wrong
  }

  /// Checks that a new group may be opened.
  func checkFounding(of id: GroupID, with pass: Pass) throws(ProtocolError) {
    switch pass {
    case .free, .founding: break
    case .nothing: throw ProtocolError(.keyRequired)
    case .key, .wrong: throw ProtocolError(.keyRefused)
    }
    guard groups.count < turn.limits.groups else {
      throw ProtocolError(.groupsFull, limit: turn.limits.groups)
    }
  }

  /// Says whether a device could join a group, before its person's name is tied to a credential.
  mutating func knock(at id: GroupID, with key: String?, _ reply: Reply) {
    guard let seat = seats[reply.device] else { return }
    let pass = pass(to: id, with: key, by: seat.user)
    do throws(ProtocolError) {
      if let group = groups[id]?.group {
        try check(seat.member, group, pass)
      } else {
        try checkFounding(of: id, with: pass)
      }
      turn.say(.front(.opened(reply)))
    } catch {
      turn.refuse(reply, error)
    }
  }

  /// Refuses a joiner whom the group would not let in, before anything is stored.
  func check(_ member: Member, _ group: Group, _ pass: Pass) throws(ProtocolError) {
    do throws(GroupRejection) {
      _ = try group.decide(.join(member, with: pass), at: turn.now, limits: turn.limits)
    } catch { throw ProtocolError(error) }
  }

  /// Tells a member the group's key.
  func key(of group: Group) -> ServerMessage? {
    guard case .keys(let keys) = access, let generation = group.entry?.generation else {
      return nil
    }
    return .groupKey(group.id, key: keys.key(of: group.id, generation: generation).text)
  }

  mutating func tellKey(of group: Group, to device: DeviceID) {
    if let message = key(of: group) { turn.send(message, to: device) }
  }
}
