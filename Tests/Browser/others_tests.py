"""A page, `matinee join` and Debian's Syncplay client in one session: each of them steers all."""

import time

from browser_case import BrowserTests
from demonstration import socket_of_mpv
from evening import free_port, wait_until
from syncplay_client import Player, SyncplayClient

#: How far those may be apart who play to the frame, in seconds: one frame, and how a player rounds.
FRAME = 0.041
#: How far Syncplay's client may be from the others, in seconds: while it plays, the server leaves it alone up to
#: this; where it stands, it was sent there.
NEAR, SENT = 0.5, 0.2


class ThreeKindsTests(BrowserTests):
    def setUp(self):
        self.port = free_port()
        super().setUp()

    @property
    def options(self):
        return ("--syncplay", f"127.0.0.1:{self.port}")

    def player(self, find, what):
        player = Player(str(wait_until(find, what, 60)))
        self.addCleanup(player.close)
        return player

    def come_together(self):
        """Ann with the page, Dora with `matinee join`, and Sid with Syncplay, before their film."""
        self.ann = self.page("Ann").come_in()
        self.dora = self.serving.join_with_mpv("Dora")
        self.addCleanup(self.dora.communicate)
        self.addCleanup(self.dora.terminate)
        self.ann.choose(self.serving.films.address("film.webm"))
        sid = SyncplayClient("Sid", self.port, self.serving.media / "film.webm")
        self.addCleanup(sid.stop)
        self.doras = self.player(lambda: socket_of_mpv(self.dora), "Dora's mpv is found")
        self.sids = self.player(lambda: sid.has_player and sid.socket_path, "Sid's mpv is found")
        people = "[...matinee.session.participants.values()].filter(one => !one.keeper)"
        self.ann.wait(f"{people}.length === 3 && {people}.every(one => one.item === matinee.session.item)",
                      "all three have the film open", 60)
        wait_until(lambda: self.sids.get("duration"), "Sid's film is open", 30)

    def positions(self):
        """Where all three are now, in seconds: of what runs, each at the instant of the first."""
        seen = [self.position_of_page(), self.position_of(self.doras), self.position_of(self.sids)]
        return [position - (at - seen[0][1] if runs else 0) for position, at, runs in seen]

    def position_of_page(self):
        position, at, runs = self.ann.ask("""[document.querySelector('video').currentTime,
            (performance.timeOrigin + performance.now()) / 1000, !document.querySelector('video').paused]""")
        return position, at, runs

    def position_of(self, player):
        runs = not player.get("pause")
        before = time.time()
        # Without a running sound there is only the frame that is seen.
        position = player.get("audio-pts") if runs else player.get("time-pos")
        return position or 0, (before + time.time()) / 2, runs

    def runs(self):
        return [self.position_of_page()[2], not self.doras.get("pause"), not self.sids.get("pause")]

    def wait_all(self, is_running, who):
        wait_until(lambda: self.ann.ask("true") and self.runs() == [is_running] * 3,
                   f"{who} {'starts' if is_running else 'pauses'} all three: {self.runs()}", 15)

    def check_together(self, who, did):
        """All are where the page is."""
        time.sleep(2)
        ann, dora, sid = self.positions()
        print(f"    {who} {did}: Dora {1000 * (dora - ann):+.0f} ms, Sid {1000 * (sid - ann):+.0f} ms from the page")
        self.assertLessEqual(abs(dora - ann), FRAME)
        self.assertLessEqual(abs(sid - ann), NEAR if did == "plays" else SENT)

    def test_each_of_them_pauses_and_seeks_for_all_three(self):
        self.come_together()
        presses = {
            "Ann": (self.press_space, lambda: self.seek_by_page(20)),
            "Dora": (lambda: self.say("pause" if self.runs()[1] else "play"), lambda: self.say("seek 40")),
            "Sid": (lambda: self.sids.order("keypress", "SPACE"), lambda: self.sids.order("seek", 60, "absolute+exact")),
        }
        for (who, (press, seek)), aim in zip(presses.items(), (20, 40, 60)):
            with self.subTest(who):
                press()
                self.wait_all(True, who)
                self.check_together(who, "plays")
                press()
                self.wait_all(False, who)
                self.check_together(who, "pauses")
                seek()
                wait_until(lambda: all(abs(position - aim) < 1 for position in self.positions()),
                           f"{who} takes all three to {aim} s: {self.positions()}", 15)
                self.check_together(who, "seeks")

    def press_space(self):
        self.ann.page.locator("#main").focus()
        self.ann.page.keyboard.press("Space")

    def seek_by_page(self, aim):
        bar = self.ann.page.locator("m-player .place")
        bar.evaluate("(bar, aim) => { bar.value = aim; bar.dispatchEvent(new Event('change')); }", aim * 1_000_000)

    def say(self, verb):
        self.dora.stdin.write(f"{verb}\n".encode())
        self.dora.stdin.flush()
