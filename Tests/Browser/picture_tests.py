"""Every screen, compared with the pictures that are kept, and looked at by axe, light and dark."""

import pathlib

from browser_case import launch
from screen_case import ACROSS, PHONE, TELEVISION, ScreenTests

SCHEMES = ("light", "dark")
#: What opens over the room, and what is pressed for it; the first of it has the focus again afterwards.
OPENING = (
    ("the menu of an entry", "[aria-label='More about two']"),
    ("the menu of a person", "[aria-label='More about Ben']"),
    ("a removal is asked about", "[aria-label='More about Ben']", "text=Remove from the session"),
    ("the reactions", "m-player [aria-label=React]"),
    ("the speeds", "m-player .speed"),
    ("the link", "[data-key=invite]"),
    ("no notifications", "[aria-label^=Notifications]"),
    ("settings", "[aria-label=Settings]"),
)


class RoomTests(ScreenTests):
    """From the name to the film."""

    def test_the_way_to_the_film(self):
        for scheme in SCHEMES:
            ann = self.page("Ann", color_scheme=scheme, group=scheme)
            self.check(ann, f"{scheme}: who is watching")
            ann.come_in()
            self.check(ann, f"{scheme}: the first")
            phone = self.page("Ben", color_scheme=scheme, group=scheme, locale="de-DE", **PHONE).come_in()
            ann.wait("matinee.eligibility.eligible", "Ann may start something")
            self.check(ann, f"{scheme}: what to watch")
            ann.choose(self.serving.films.address("film.webm"))
            phone.wait_joined()
            self.add_to_queue(ann, "more")
            phone.page.fill("#say", "Hallo")
            phone.page.keyboard.press("Enter")
            ann.page.wait_for_selector("m-chat >> text=Hallo")
            self.check(phone, f"{scheme}: before the start on a phone")
            ann.page.click("text=Start together")
            ann.wait_running()
            self.check(ann, f"{scheme}: watching")

    def test_what_opens_over_the_room(self):
        for scheme in SCHEMES:
            ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
            ben = self.page("Ben", color_scheme=scheme, group=scheme).come_in()
            ann.choose(self.serving.films.address("film.webm"))
            ben.wait_joined()
            self.add_to_queue(ann, "two")
            for screen, *clicks in OPENING:
                self.check_opened(ann, f"{scheme}: {screen}", *clicks)

    def test_a_guest_where_only_hosts_steer(self):
        for scheme in SCHEMES:
            ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
            ben = self.page("Ben", color_scheme=scheme, group=scheme).come_in()
            ann.choose(self.serving.films.address("film.webm"))
            ben.wait_joined()
            ann.page.select_option("#control", "hostsOnly")
            ben.page.wait_for_selector("text=Only hosts steer.")
            self.check(ben, f"{scheme}: only hosts steer")

    def test_without_the_server(self):
        ann = self.page("Ann").come_in()
        self.serving.kill_server()
        ann.page.wait_for_selector("#link-state >> text=Reconnecting")
        self.check(ann, "light: reconnecting")
        # What the page was loading when the server was killed.
        ann.complaints[:] = [line for line in ann.complaints if "net::ERR_CONNECTION" not in line]


class NotificationTests(ScreenTests):
    """Where the server has a key for pushes, the person may want them."""

    @property
    def options(self):
        return ("--web-push-key-file", f"{self.folder.name}/push.key", "--web-push-subject", "mailto:ann@example.org")

    def test_an_invitation_among_the_notifications(self):
        for scheme in SCHEMES:
            ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
            ben = self.page("Ben", color_scheme=scheme, group=scheme, **PHONE).come_in()
            ann.choose(self.serving.films.address("film.webm"))
            ben.wait_joined()
            ben.page.click("text=Leave")
            ann.wait("matinee.session.participants.size === 1", "Ben is out")
            ann.page.click("[aria-label='More about Ben']")
            ann.page.click("text=Invite to watch along")
            ben.page.wait_for_selector("#push", state="attached")
            self.check_opened(ben, f"{scheme}: an invitation", "[aria-label='Notifications: 1']")
            # Notifications are the person's: this one would stand in the next group, too.
            ben.page.click("[aria-label='Notifications: 1']")
            ben.page.click("text=Not now")
            ben.page.wait_for_selector("[aria-label='Notifications: 0']")


class OverTheFilmTests(ScreenTests):
    """What lies over the film before it runs, and while it cannot."""

    def two(self, scheme):
        ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
        ben = self.page("Ben", color_scheme=scheme, group=scheme).come_in()
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait_joined()
        return ann, ben

    def test_who_is_ready_the_countdown_and_who_is_waited_for(self):
        for scheme in SCHEMES:
            ann, ben = self.two(scheme)
            ann.page.click("text=Start when all are ready")
            ben.page.wait_for_selector("text=Ann starts when all are ready: 1 of 2")
            self.check_sizes(ben, f"{scheme}: who is ready")
            ann.page.click("text=Not yet")
            ben.page.click("text=I'm ready")
            ann.page.wait_for_selector("text=2 of 2 ready")
            # It stands at its last second, however long the pictures take.
            ben.ask("() => { Object.defineProperty(matinee.countdown, 'secondsLeft', { get: () => 1, configurable: true }); }")
            ann.ask("matinee.request('send', { payload: { countdown: { at: 0 } } })")
            ben.page.wait_for_selector(".seconds >> text=1")
            self.check_sizes(ben, f"{scheme}: the countdown")
            ben.ask("() => { delete matinee.countdown.secondsLeft; }")
            ann.page.click("text=Start together")
            ann.wait_running()
            ann.ask("""matinee.setWaitingPolicy({ reasons: ['stallRecovery'], participantLimits: { stallRecovery: 6 },
              maximumWait: 600_000_000 })""")
            ben.ask("matinee.request('suspend', { reason: 'stallRecovery' })")
            ann.page.wait_for_selector("text=Waiting for Ben")
            ann.wait("document.querySelector('video').paused", "Ann's film waits")
            self.check(ann, f"{scheme}: waiting for somebody")

    def test_a_tap_is_wanted(self):
        strict = launch("--autoplay-policy=user-gesture-required")
        self.addCleanup(strict.close)
        for scheme in SCHEMES:
            ann, ben = self.two(scheme)
            ann.page.click("text=Start together")
            ann.wait_running()
            ben.page.click("text=Leave")
            cem = self.page("Cem", strict, group=scheme, color_scheme=scheme, kept={"matinee.name": "Cem"})
            # The driver's questions to a page are gestures for its browser, so Ann is asked first.
            ann.wait("[...matinee.session.participants.values()].some(one => one.name === 'Cem'"
                     " && one.suspensions.some(two => two.reason === 'userActionRequired'))", "Cem is held")
            self.check_sizes(cem, f"{scheme}: a tap is wanted")

    def test_a_copy_of_one_s_own_is_wanted(self):
        folder = pathlib.Path(self.folder.name)
        (folder / "My Film.webm").write_bytes(self.film.read_bytes())
        (folder / "Other.webm").write_bytes(b"no film")
        for scheme in SCHEMES:
            ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
            ben = self.page("Ben", color_scheme=scheme, group=scheme).come_in()
            ann.wait("matinee.eligibility.eligible", "Ann may start something")
            ann.page.set_input_files("#own", str(folder / "My Film.webm"))
            ben.page.wait_for_selector("text=Everybody needs their own copy of My Film.webm")
            ben.wait("matinee.session.participants.size === 2", "both are there")
            self.check_sizes(ben, f"{scheme}: a copy is wanted")
            ben.page.set_input_files("#copy", str(folder / "Other.webm"))
            ben.page.wait_for_selector("text=This is not the same file")
            self.check_sizes(ben, f"{scheme}: another file")

    def test_a_film_that_does_not_play_here(self):
        for scheme in SCHEMES:
            ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
            self.page("Ben", group=scheme).come_in()
            ann.wait("matinee.eligibility.eligible", "Ann may start something")
            ann.ask("""url => { matinee.request('activate', { activity: { type: 'watch', media: { url, title: 'Sintel' },
              metadata: { title: 'Sintel', kind: 'watchTogether', fallbackURL: 'https://example.org/sintel' } } }); }""",
                    self.serving.films.address("missing.webm"))
            ann.page.wait_for_selector("text=Watch it elsewhere")
            ann.wait("matinee.session.participants.size === 2", "Ben is there")
            self.check(ann, f"{scheme}: no film")
        for page in self.pages:
            page.complaints[:] = [line for line in page.complaints if "404" not in line]


class SizeTests(ScreenTests):
    """A television, and a phone held across."""

    def test_a_television(self):
        ann = self.page("Ann", color_scheme="dark", **TELEVISION)
        self.check(ann, "television: who is watching")
        ann.come_in()
        self.check(ann, "television: the first")
        ben = self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        ann.page.keyboard.press("ArrowDown")
        self.check(ann, "television: what to watch")
        ben.choose(self.serving.films.address("film.webm"))
        ann.wait_joined()
        ann.page.keyboard.press("ArrowDown")
        self.check(ann, "television: before the start")
        ann.page.click("text=Start together")
        ann.wait_running()
        self.check(ann, "television: watching")
        self.check_opened(ann, "television: the link", "[data-key=invite]")

    def test_a_phone_held_across(self):
        ann = self.page("Ann", locale="de-DE", **ACROSS)
        self.check(ann, "across: who is watching")
        ann.come_in()
        self.check(ann, "across: the first")
        ben = self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        self.check(ann, "across: what to watch")
        self.check_opened(ann, "across: the link", "[data-key=invite]")
        self.check_opened(ann, "across: settings", "[aria-label=Einstellungen]")
        ben.choose(self.serving.films.address("film.webm"))
        ann.wait_joined()
        self.check(ann, "across: before the start")
        ben.page.click("text=Start together")
        ann.wait_running()
        self.check(ann, "across: watching")


class LibraryTests(ScreenTests):
    """Media of the server's own, of which there are more than fit without a field that narrows them down."""

    @property
    def options(self):
        folder = pathlib.Path(self.folder.name) / "library"
        (folder / "Season 1").mkdir(parents=True, exist_ok=True)
        for number in range(1, 15):
            (folder / "Season 1" / f"Episode {number:02}.webm").touch()
        (folder / "Zoë & Max.webm").write_bytes(self.film.read_bytes())
        return ("--media", str(folder))

    def test_the_library(self):
        for scheme in SCHEMES:
            ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
            ben = self.page("Ben", color_scheme=scheme, group=scheme, **PHONE).come_in()
            for page, device in ((ann, ""), (ben, " on a phone")):
                page.page.click("m-start .library summary")
                self.check(page, f"{scheme}: the library{device}")
            ann.page.fill("#library-find", "max")
            self.check(ann, f"{scheme}: the library narrowed down")
            ann.page.click("m-start .media button:visible")
            ann.wait_joined()
            ben.wait_joined()
            ann.page.click("m-queue .library summary")
            self.check(ann, f"{scheme}: the library for the queue")


class PairingTests(ScreenTests):
    access = "keys"

    def let_in(self, scheme):
        ann = self.page("Ann", color_scheme=scheme, key=self.serving.founding_key()).come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        ann.page.click("[aria-label=Settings]")
        ann.page.click("text=Add a device")
        code = ann.page.inner_text(".pair-code")
        self.check(ann, f"{scheme}: the code for a device")
        phone = self.page("Ann", color_scheme=scheme, **PHONE)
        phone.page.fill("#name", "Ann")
        phone.page.click("summary")
        self.check(phone, f"{scheme}: a code is typed")
        phone.page.fill("#code", code)
        phone.page.click(".welcome .primary")
        phone.page.wait_for_selector("#link-state >> text=Confirm on your other device")
        self.check(phone, f"{scheme}: confirm on your other device")
        ann.page.wait_for_selector("text=Let it in")
        self.check(ann, f"{scheme}: is it yours")
        ann.page.click("text=Let it in")
        phone.wait("matinee.group !== null", "the phone is in")

    def test_another_device_is_let_in(self):
        self.let_in("light")

    def test_another_device_is_let_in_in_the_dark(self):
        self.let_in("dark")

    def test_without_the_key(self):
        for scheme in SCHEMES:
            eve = self.page("Eve", color_scheme=scheme, group=scheme)
            eve.page.fill("#name", "Eve")
            eve.page.click(".welcome .primary")
            eve.page.wait_for_selector("text=This group wants its key")
            self.check(eve, f"{scheme}: the key is wanted")


class LandingTests(ScreenTests):
    def test_a_browser_that_is_too_old(self):
        for scheme in SCHEMES:
            page = self.page("Ann", color_scheme=scheme, script="delete globalThis.WebSocket")
            page.page.wait_for_selector("#landing:not([hidden])")
            self.check(page, f"{scheme}: too old")
