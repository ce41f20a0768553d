"""A download that stalls: the others wait or play on, as the session's waiting policy says."""

import time

from browser_case import BrowserTests, launch
from evening import FREELY, free_port, wait_until
from network import Network

#: How long the download stalls once the film has stopped, in seconds.
STALL = 3
#: How long what is measured may be late, in seconds: the reports of two pages and a server.
SOON = 1.0


class WaitingTests(BrowserTests):
    def setUp(self):
        super().setUp()
        # Ben's download takes a way of its own, which is not so quick that he soon has all of the film.
        films = self.serving.films.server.server_port
        self.download = Network(free_port(), films, 0)
        self.addCleanup(self.download.stop)
        self.download.pace = 1.5 * (self.serving.media / "film.webm").stat().st_size / self.film_seconds
        self.slow = launch(
            FREELY, f"--host-resolver-rules=MAP 127.0.0.1:{films} 127.0.0.1:{self.download.port}")
        self.addCleanup(self.slow.close)

    def two_at_a_film(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben", self.slow).come_in()
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait_joined()
        return ann, ben

    def start(self, ann, ben):
        ann.page.click("text=Start together")
        for page in (ann, ben):
            page.wait_running(30)
        time.sleep(2)

    def stall(self, ben):
        """Holds Ben's download, until what he has is played."""
        self.download.is_held = True
        ben.wait("document.querySelector('video').readyState < 3", "Ben's film stops", 40)

    def go_on(self):
        self.download.is_held, self.download.pace = False, None

    def seconds_apart(self, one, other):
        """How far a page is ahead of another: each is read with the clock that both share."""
        read = "[(performance.timeOrigin + performance.now()) / 1000, document.querySelector('video').currentTime]"
        (at_one, position_one), (at_other, position_other) = one.ask(read), other.ask(read)
        return position_one - position_other - (at_one - at_other)

    def choose_waiting(self, page, choice):
        page.page.select_option("#waiting", choice)
        page.wait(f"matinee.session.waitingPolicy === '{choice}'", "the session has the policy")

    def test_together_means_that_the_others_wait_and_all_go_on_at_one_instant(self):
        ann, ben = self.two_at_a_film()
        self.choose_waiting(ann, "together")
        ben.page.wait_for_selector("m-chat >> text=Ann: if a film stalls, everybody waits")
        self.start(ann, ben)
        self.stall(ben)
        stopped = time.monotonic()
        ann.wait("document.querySelector('video').paused", "Ann waits", SOON + 1)
        took = time.monotonic() - stopped
        ann.page.wait_for_selector("text=Waiting for Ben")
        held = ann.position()
        time.sleep(STALL)
        self.assertEqual(ann.position(), held, "Ann's film stands still meanwhile")
        went_on = time.monotonic()
        self.go_on()
        for page in (ann, ben):
            page.wait_running(10)
        time.sleep(2)
        # Both went on from where they waited: nobody has missed anything.
        missed = ann.position() - held - (time.monotonic() - went_on)
        median, most = self.apart(ann, ben)
        print(f"    Ann waits after {took:.2f} s, and both play on {-missed:.2f} s after the download")
        self.assertLessEqual(took, SOON)
        self.assertLessEqual(missed, 0.1)
        self.assertLessEqual(median, 40)
        self.assertLessEqual(most, 60)

    def test_keep_going_means_that_the_others_play_on_and_the_stalled_one_catches_up(self):
        ann, ben = self.two_at_a_film()
        self.assertEqual(ann.ask("matinee.session.waitingPolicy"), "keepGoing")
        self.start(ann, ben)
        self.stall(ben)
        ann.start_sampling()
        ann.page.wait_for_selector("m-chat >> text=Ben needs a moment")
        held = ben.position()
        time.sleep(STALL)
        self.assertLessEqual(ben.position() - held, 0.1, "Ben's film stands still meanwhile")
        self.assertGreaterEqual(self.seconds_apart(ann, ben), STALL - 0.1)
        went_on = time.monotonic()
        self.go_on()
        wait_until(lambda: abs(self.seconds_apart(ann, ben)) < 0.1, "Ben is with Ann again", 10)
        took = time.monotonic() - went_on
        samples = ann.samples()
        self.assertGreater(len(samples), 50, "Ann's film runs")
        jumps = [abs(later[1] - earlier[1] - (later[0] - earlier[0])) for earlier, later in zip(samples, samples[1:])]
        time.sleep(2)
        median, most = self.apart(ann, ben)
        print(f"    Ben catches up {took:.2f} s after the download; Ann's largest jump {max(jumps):.0f} ms")
        self.assertEqual(ann.ask("matinee.session.timeline.phase"), "playing")
        self.assertLessEqual(took, 5)
        self.assertLessEqual(max(jumps), 100)
        self.assertLessEqual(median, 40)
        self.assertLessEqual(most, 60)


class WaitingChoiceTests(BrowserTests):
    def test_it_is_chosen_by_keyboard_kept_for_the_next_session_and_not_offered_to_who_may_not_steer(self):
        ann, ben = self.two_at_the_start()
        ann.page.focus("#waiting")
        ann.page.keyboard.press("ArrowDown")
        for one in (ann, ben):
            one.wait("matinee.session.waitingPolicy === 'together'", "the session waits")
        ann.page.wait_for_selector("#waiting-hint:not(:empty)")
        self.assertEqual(ann.ask("document.activeElement.id"), "waiting", "the focus stays")
        self.assertEqual(ann.page.inner_text("#waiting-hint"), "For up to 30 seconds, while up to six people have the film open.")
        self.assertEqual(ann.accessibility_faults(), [])
        ben.page.click("[aria-label='Settings']")
        ben.page.select_option("#language", "de")
        ben.page.keyboard.press("Escape")
        self.assertEqual(ben.page.inner_text("label[for=waiting]"), "Wenn es stockt")
        ann.page.select_option("#control", "hostsOnly")
        ben.page.wait_for_selector("text=Wenn ein Film stockt, warten alle.")
        self.assertEqual(ben.page.locator("#waiting").count(), 0)
        ann.end_for_everybody()
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait("matinee.session?.waitingPolicy === 'together'", "the next session waits from its start")

    def test_an_app_s_own_policy_is_told_and_may_be_replaced(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        ann.ask("""(url) => matinee.watch({ url }, { waitingPolicy: { reasons: ["stallRecovery"], maximumWait: 5_000_000 } })
            .then(() => null)""", self.serving.films.address("film.webm"))
        ben.wait_joined()
        self.assertEqual(ben.page.input_value("#waiting"), "other")
        ben.page.select_option("#waiting", "keepGoing")
        ann.wait("matinee.session.waitingPolicy === 'keepGoing'", "Ann's session plays on")
        self.assertEqual(ann.page.locator("#waiting option").count(), 2)
        ann.ask("matinee.setWaitingPolicy('together').then(() => null)")
        ben.wait("matinee.session.waitingPolicy === 'together'", "by the library, too")
