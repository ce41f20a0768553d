import Vocabulary
import WebAddresses

// Having the screen: images, and the app's last word.
extension MessagePresenter {
  mutating func begin(_ delivery: OfferedMessage, _ token: PresentationToken) {
    guard delivery.message.orientation.contains(platform.orientation) else {
      return finish(delivery, .refused(.orientation))
    }
    guard !delivery.message.isControl else { return runControl(delivery, token) }
    var delivery = delivery
    delivery.isKnownToWait = false
    delivery.go(to: .loading)
    var presentation = Presentation(delivery, token, since: now)
    let assets = delivery.message.assets
    presentation.hasAssets = assets != MessageAssets()
    if presentation.hasAssets {
      presentation.assetsDue = now + settings.patience.assets
      emit(.ask(.loadAssets(assets), token))
    }
    slot = presentation
    if !presentation.hasAssets { prepare() }
  }

  mutating func hear(_ report: AssetReport, _ token: PresentationToken) {
    guard let slot, slot.token == token, slot.assetsDue != nil else { return }
    switch report {
    case .loaded:
      self.slot?.assetsDue = nil
      prepare()
    case .landscapeFailed: self.slot?.delivery.message.removeLandscapeImage()
    case .failed: giveUp(.refused(.assets))
    }
  }

  /// Lets go of the screen before anything was on it.
  mutating func giveUp(_ gate: Gate) {
    guard let slot, [.loading, .preparing].contains(slot.delivery.stage) else { return }
    self.slot = nil
    if slot.hasAssets { emit(.view(.releaseAssets, slot.token)) }
    switch gate {
    case .refused(let refusal): finish(slot.delivery, .refused(refusal))
    case .waits(let place): wait(slot.delivery, place)
    case .open: break
    }
  }

  /// Asks for the app's last word, if the message may still be shown.
  private mutating func prepare() {
    guard var slot else { return }
    let gate = gate(slot.delivery, hasScreen: true)
    guard gate == .open else { return giveUp(gate) }
    guard slot.delivery.message.orientation.contains(platform.orientation) else {
      return giveUp(.refused(.orientation))
    }
    slot.delivery.go(to: .preparing)
    if let media = media(for: slot.delivery.message) { slot.delivery.message.show(media) }
    self.slot = slot
    var message = slot.delivery.message
    if settings.ignoresCampaignColors { message.removeThemes() }
    let offset = EdgeOffset(message).adjustment
    emit(.ask(.prepare(PresentationContext(message: message, edgeOffset: offset)), slot.token))
  }

  mutating func hear(_ context: PresentationContext, _ token: PresentationToken) {
    guard let slot, slot.token == token, slot.delivery.stage == .preparing else { return }
    let gate = gate(slot.delivery, hasScreen: true)
    guard gate == .open else { return giveUp(gate) }
    var context = context
    let original = slot.delivery.message
    if context.message.id != original.id { emit(.warn(.identityChanged, original.id)) }
    context.message = context.message.adopting(original)
    if let media = media(for: original) { context.message.show(media) }
    let choice = settings.registry.choose(for: context)
    if let unknown = choice.unknown { emit(.warn(.unknownView(unknown), original.id)) }
    guard let view = choice.view else { return giveUp(.refused(.noDisplay)) }
    // What became a control would be drawn as nothing.
    let fault = context.message.isControl ? .noText : fault(of: context.message, in: view)
    if let fault {
      emit(.warn(.invalidContent(fault), original.id))
      return giveUp(.refused(.invalidContent))
    }
    show(context, in: view)
  }

  /// A control: everything happens, and nobody sees anything.
  private mutating func runControl(_ delivery: OfferedMessage, _ token: PresentationToken) {
    var delivery = delivery
    let message = delivery.message
    delivery.go(to: .presenting)
    emit(.tell(.willPresent(message)))
    report(.started, of: message)
    delivery.go(to: .presented)
    emit(.tell(.impression(message)))
    report(.impression, of: message)
    emit(.tell(.didPresent(message)))
    delivery.go(to: .dismissing)
    emit(.tell(.willDismiss(message, .automatic)))
    emit(.tell(.didDismiss(message, .automatic)))
    finish(delivery, .control)
  }
}

extension InAppMessage {
  /// What has to be loaded before it is shown; what is not `https` is as good as none.
  var assets: MessageAssets {
    let (image, landscape): (Image?, Image?) =
      switch body {
      case .image(let image, let landscape): (image, landscape)
      case .text(let text):
        if case .image(let image) = text.graphic {
          (image, text.landscapeImage)
        } else {
          (nil, text.landscapeImage)
        }
      case .html, .empty: (nil, nil)
      }
    return MessageAssets(image: image?.secureURL, landscapeImage: landscape?.secureURL)
  }

  mutating func removeLandscapeImage() {
    switch body {
    case .image(let image, _): body = .image(image, landscape: nil)
    case .text(var text):
      text.landscapeImage = nil
      body = .text(text)
    case .html, .empty: break
    }
  }

  mutating func removeThemes() {
    themes = Themes()
    for index in buttons.indices { buttons[index].themes = Themes() }
  }
}

extension InAppMessage.Image {
  /// The URL if it is one to be loaded from; authors leave spaces at its ends.
  var secureURL: String? {
    let url = self.url.filter { $0 != " " }
    guard let address = WebAddress(url), address.scheme == "https", !address.host.isEmpty else {
      return nil
    }
    return url
  }
}
