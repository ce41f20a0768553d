import InAppMessaging
package import Participation
import UserNotifications
import Vocabulary

// A person's app and its in-app messages: it shows what comes, at once, by a view that does not move.

extension ScriptedPerson {
  func addMessages(to settings: inout ClientSettings) {
    settings.platform = PlatformState()
    settings.mediaEvent = Self.mediaEvent
    // Videos that a stage makes lie on this machine.
    settings.presenter.mediaURLs.allowsFiles = true
  }

  /// What the shipped player waits for; the name is that of Braze's guide.
  private static let mediaEvent = "SharePlay Event"

  /// What a person at an app answers to what the presenter and the centre want: yes to everything.
  ///
  /// A program with a view of its own answers by itself instead.
  package func answer(_ update: Client.Update) -> [Act] {
    if case .center(let output) = update { return answer(output) }
    guard case .presenter(let output) = update else { return [] }
    return switch output {
    case .ask(let question, let token): [.tell(.presenter(question.agreement(token)))]
    case .view(.show, let token): [.tell(.presenter(.view(.presented, token)))]
    case .view(.dismiss, let token): [.tell(.presenter(.view(.dismissed, token)))]
    case .view, .statusBar, .hold, .tell, .perform, .report, .session, .answer, .lease, .warn: []
    }
  }

  /// The app comes in sight, or goes out of it: messages and notifications are shown accordingly.
  func setVisible(_ isVisible: Bool, _ client: Client) -> [Act] {
    var platform = client.presenter.platform
    platform.isVisible = isVisible
    return [
      .tell(.presenter(.platform(platform))),
      .tell(.center(.phase(isVisible ? .foreground : .background))),
    ]
  }

  /// What a verb about messages says to the client; nil, with a refusal noted, if there is none to
  /// say it of.
  mutating func input(for verb: Verb, _ client: Client) -> Client.Input? {
    switch verb {
    case .logEvent(let name): return .log(.event(name: name, properties: [:]))
    case .presentNext: return .presenter(.presentNext(PresentNextTag(0)))
    default: break
    }
    guard client.presenter.visibleMessage != nil, let token = client.presenter.currentToken else {
      return refuse("noMessage")
    }
    switch verb {
    case .dismissMessage: return .presenter(.view(.closed(.button), token))
    case .clickMessage(let button):
      return .presenter(.view(.clicked(MessagePresenter.Click(button)), token))
    default: return nil
    }
  }
}
