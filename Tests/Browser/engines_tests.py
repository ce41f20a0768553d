"""The page in Firefox and in WebKit, the engine of Safari: one watches with somebody in Chromium."""

import contextlib
import pathlib
import tempfile

from browser_case import BrowserTests
from webdriver import Firefox, Guest, WebKit

#: How far two may be apart without anybody noticing, in ms.
UNNOTICED = 100


class EngineDeeds:
    """What somebody does in each of these browsers."""

    engine = None

    def guest(self, name):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        closing = contextlib.ExitStack()
        # If it fails before it is a page.
        self.addCleanup(closing.close)
        browser = self.engine(pathlib.Path(folder.name), closing)
        guest = Guest(browser, name, self.serving.link("friday"), closing)
        self.pages.append(guest)
        return guest

    def watch_together(self):
        """Ann watches in Chromium, and Ben in this browser."""
        ann, ben = self.page("Ann").come_in(), self.guest("Ben").come_in()
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait_joined()
        ann.click("text=Start together")
        for one in (ann, ben):
            one.wait_running(30)
        return ann, ben

    def wait_in_sync(self, *people):
        """Until each page says that it is with the group."""
        for one in people:
            one.wait("document.querySelector('.sync').dataset.good === 'true'", f"{one.name} is in sync", 30)

    def wait_standing(self, *people):
        for one in people:
            one.wait_phase("paused")
            one.wait("(({ paused, seeking }) => paused && !seeking)(document.querySelector('video'))",
                     f"{one.name}'s film stands")

    def wait_same_frame(self, one, other, near=None):
        """Until both stand at one position, or have come to that one."""
        self.wait_standing(one, other)
        aim = "matinee.session.timeline.mediaTime / 1_000_000"
        for person in (one, other):
            if near is not None:
                person.wait(f"Math.abs({aim} - {near}) < 1", f"{person.name} hears of {near} s")
            person.wait(f"Math.abs(document.querySelector('video').currentTime - {aim}) < 0.001",
                        f"{person.name} is at the group's frame")
        self.assertAlmostEqual(one.position(), other.position(), delta=0.001)

    def test_both_play_together_pause_on_one_frame_and_seek_whoever_of_them_does(self):
        ann, ben = self.watch_together()
        self.wait_in_sync(ann, ben)
        self.check_together(ann, ben)
        ann.ask("matinee.pause().then(() => null)")
        self.wait_same_frame(ann, ben)
        ann.ask("matinee.seek(40_000_000).then(() => null)")
        self.wait_same_frame(ann, ben, near=40)
        self.press(ben, ".big")
        for one in (ann, ben):
            one.wait_running(30)
        self.wait_in_sync(ann, ben)
        self.check_together(ann, ben)
        ben.ask("matinee.seek(20_000_000).then(() => null)")
        ann.wait("Math.abs(document.querySelector('video').currentTime - 20) < 10", "Ann follows Ben's seek")
        self.press(ben, ".big")
        self.wait_same_frame(ann, ben)

    def press(self, person, control):
        # The driver presses without moving there, and the controls of a film that plays go.
        person.ask("() => { document.querySelector('m-player .stage').dispatchEvent(new Event('pointermove')); }")
        person.click(f".controls {control}")

    def check_together(self, ann, ben):
        median, _ = self.apart(ann, ben)
        self.assertLessEqual(median, UNNOTICED)

    def test_a_killed_server_comes_back_while_the_film_goes_on(self):
        ann, ben = self.watch_together()
        session = ben.ask("matinee.session.id")
        self.serving.kill_server()
        before = ben.position()
        ben.wait("!matinee.isOnline", "Ben notices")
        ben.wait(f"document.querySelector('video').currentTime > {before + 1.5}", "his film runs on meanwhile")
        self.serving.start()
        for one in (ann, ben):
            one.wait("matinee.isOnline", f"{one.name} is back", 30)
            one.wait(f"matinee.session.id === '{session}' && !document.querySelector('video').paused",
                     f"{one.name} watches on")
        ben.ask("matinee.pause().then(() => null)")
        self.wait_same_frame(ann, ben)

    def test_a_page_that_is_loaded_again_is_who_it_was_and_plays_after_one_tap(self):
        ann, ben = self.watch_together()
        participant = ben.ask("matinee.session.me")
        ben.reload()
        ben.wait(f"matinee.session && matinee.session.me === '{participant}'", "Ben is who he was")
        # Without a tap, these browsers play no sound.
        ben.wait("matinee.player.needsGesture", "Ben is asked for a tap")
        ann.wait("[...matinee.session.participants.values()].some(one => one.name === 'Ben'"
                 " && one.suspensions.some(two => two.reason === 'userActionRequired'))", "Ann sees why")
        ben.click(".notice.tap button")
        ben.wait_running(30)
        ann.wait("[...matinee.session.participants.values()].every(one => one.suspensions.length === 0)",
                 "nobody is suspended any more")
        self.wait_in_sync(ben)

    def test_the_film_s_controls_do_what_they_say(self):
        ann, ben = self.watch_together()
        self.press(ben, ".speed")
        ben.click("[role=menuitemradio]:nth-child(4)")
        ann.wait("matinee.session.timeline.rate === 1.25", "the film is quicker for both")
        self.press(ben, "[data-picture=sound]")
        ben.wait("document.querySelector('video').muted", "Ben hears nothing")
        self.press(ben, "[data-picture=screen]")
        ben.wait("document.fullscreenElement && document.querySelector('.stage').clientWidth === innerWidth", "the film fills the screen")
        self.press(ben, "[data-picture=screen]")
        ben.wait("document.fullscreenElement === null", "the page is back")

    def test_messages_are_drawn_in_a_dialog_and_at_an_edge_and_close_by_a_tap(self):
        ben = self.guest("Ben").come_in()
        # Taps on what still moves in are not the person's wish.
        ben.ask("() => { matinee.messages.delegate = { didPresent: ({ kind }) => { window.presented = kind; } }; }")
        tapped = {"modal": "dialog.matinee-message .actions button", "slideup": "aside.matinee-message p"}
        for kind, place in tapped.items():
            with self.subTest(kind=kind):
                ben.ask("""(kind) => {
                  const clickAction = { type: 'close' };
                  matinee.messages.present({ message: kind, kind, clickAction, closing: { after: 'never' },
                    body: { type: 'text', message: 'At eight?' },
                    buttons: kind === 'modal' ? [{ id: '1', text: 'Yes', clickAction }] : [] });
                }""", kind)
                ben.wait(f"window.presented === '{kind}'", "the message is there")
                self.assertIn("At eight?", ben.ask("document.querySelector('.matinee-message').innerText"))
                ben.click(place)
                ben.wait("document.querySelector('m-message') === null", "the message is gone")


class FirefoxTests(EngineDeeds, BrowserTests):
    engine = Firefox


class WebKitTests(EngineDeeds, BrowserTests):
    engine = WebKit
