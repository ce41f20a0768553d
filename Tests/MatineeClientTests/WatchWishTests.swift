@testable import MatineeClient
import Testing
import Vocabulary

@Suite struct WatchWishTests {
  private let session = SessionID("s")

  @Test func `a session that came before its activation was answered is left if it is not wanted`()
  {
    for departure in [WatchWish.Departure.leave, .dismiss] {
      var wish = WatchWish()
      wish.watch()
      #expect(wish.came(session) == nil)
      wish.depart(departure)
      #expect(wish.activated(session) == departure)
      #expect(wish.awaited == nil)
    }
  }

  @Test func `a session that comes after somebody went is left, once`() {
    for departsFirst in [true, false] {
      var wish = WatchWish()
      wish.watch()
      if departsFirst { wish.depart(.dismiss) }
      #expect(wish.activated(session) == nil)
      if !departsFirst { wish.depart(.dismiss) }
      #expect(wish.came(session) == .dismiss)
      #expect(wish.came(session) == nil, "it came again: somebody else wants it")
    }
  }

  @Test func `a session that somebody left and activates again is left again`() {
    var wish = WatchWish()
    wish.watch()
    #expect(wish.activated(session) == nil)
    #expect(wish.came(session) == nil)
    wish.depart(.leave)
    wish.watch()
    wish.depart(.dismiss)
    #expect(wish.activated(session) == nil, "it has to come again")
    #expect(wish.came(session) == .dismiss)
  }

  @Test func `a session that is here already is not awaited`() {
    var wish = WatchWish()
    wish.watch(in: session)
    wish.depart(.leave)
    #expect(wish.activated(session) == .leave)
    #expect(wish.awaited == nil)
  }

  @Test func `whoever wants to watch again is not taken out of it`() {
    var wish = WatchWish()
    wish.watch()
    #expect(wish.activated(session) == nil)
    wish.depart(.leave)
    wish.watch()
    #expect(wish.came(session) == nil)
  }

  @Test func `somebody else's session is taken, whoever went before`() {
    var wish = WatchWish()
    wish.watch()
    wish.depart(.leave)
    #expect(wish.activated(session) == nil)
    #expect(wish.came(SessionID("another")) == nil)
    #expect(wish.came(session) == .leave)
  }
}
