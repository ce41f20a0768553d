"""The screens on a television and a phone, by keyboard and arrows, offline, and for other pages."""

import http.server
import pathlib
import threading

from browser_case import BrowserTests
from screen_case import ACROSS, PHONE, TELEVISION



class TelevisionTests(BrowserTests):
    def test_the_arrows_of_a_remote_control_are_enough(self):
        ann, ben = self.page("Ann", **TELEVISION).come_in(), self.page("Ben").come_in()
        ben.choose(self.serving.films.address("film.webm"))
        ann.wait_joined()
        self.walk_to(ann, "[data-key=ready]", "ArrowDown", "ArrowUp", "ArrowLeft")
        ann.page.keyboard.press("Enter")
        ben.page.wait_for_selector("text=1 of 2 ready")
        self.walk_to(ann, "[data-key=together]", "ArrowRight")
        ann.page.keyboard.press("Enter")
        ben.wait_running()
        ann.page.keyboard.press("ArrowDown")
        self.walk_to(ann, ".leave", "ArrowRight", "ArrowDown")
        self.walk_to(ann, "m-people [data-key=invite]", "ArrowRight", "ArrowUp", "ArrowUp")
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector("dialog svg.code")
        ann.page.keyboard.press("Escape")
        self.assertTrue(ann.ask("document.activeElement.matches('[data-key=invite]')"))

    def test_the_arrows_begin_before_anything_has_the_focus(self):
        ann = self.page("Ann", **TELEVISION).come_in()
        self.page("Ben").come_in()
        ann.page.wait_for_selector("#address")
        self.assertTrue(ann.ask("document.activeElement === document.body"), "what was pressed is gone")
        ann.page.keyboard.press("ArrowDown")
        self.assertTrue(ann.ask("document.activeElement.matches('#address')"))

    def walk_to(self, page, selector, *arrows):
        """Presses these arrows, each up to eight times, until the focus is there."""
        for arrow in arrows:
            for _ in range(8):
                if page.ask(f"document.activeElement.matches({selector!r})"):
                    return
                page.page.keyboard.press(arrow)
        where = page.ask("document.activeElement.outerHTML.slice(0, 200)")
        if not page.ask(f"document.activeElement.matches({selector!r})"):
            self.fail(f"the arrows do not get to {selector}, but to {where}")

    def test_nothing_is_wider_than_the_screen(self):
        for size in (TELEVISION, PHONE, ACROSS,
                     {**PHONE, "viewport": {"width": 320, "height": 640}}):
            page = self.page("Ann", group=f"at-{size['viewport']['width']}", **size)
            self.assert_fits(page)
            page.come_in()
            self.assert_fits(page)
            ben = self.page("Ben", group=f"at-{size['viewport']['width']}").come_in()
            self.assert_fits(page)
            ben.choose(self.serving.films.address("film.webm"))
            page.wait_joined()
            page.ask("matinee.request('insert', { media: [{ url: 'https://a/b', title: 'A title that is much too long'.repeat(4) }] })")
            ben.page.wait_for_selector("m-queue >> text=much too long")
            self.assert_fits(page)

    def assert_fits(self, page):
        wide = page.ask("[document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(wide[0], wide[1], page.page.viewport_size)


class AccessTests(BrowserTests):
    def test_axe_finds_no_fault_on_a_reaction(self):
        for scheme in ("light", "dark"):
            ann = self.page("Ann", color_scheme=scheme, group=scheme).come_in()
            ben = self.page("Ben", color_scheme=scheme, group=scheme, **PHONE).come_in()
            ann.choose(self.serving.films.address("film.webm"))
            ben.wait_joined()
            ben.page.click("[aria-label='React with 👏']")
            ann.page.wait_for_selector(".float")
            with self.subTest(scheme):
                self.assertEqual(ann.accessibility_faults(), [])


class NetworkTests(BrowserTests):
    def test_offline_is_told_and_back_is_back(self):
        ann, ben = self.two_watching()
        session = ben.ask("matinee.session.id")
        ben.context.set_offline(True)
        self.serving.kill_server()
        ben.page.wait_for_selector("#link-state >> text=Reconnecting")
        self.serving.start()
        ann.wait("matinee.isOnline", "Ann is back", 20)
        ben.context.set_offline(False)
        ben.wait(f"matinee.isOnline && matinee.session.id === '{session}'", "Ben is back", 20)
        ben.page.wait_for_selector("#link-state >> text=Connected")
        ben.wait_running()


class PairingTests(BrowserTests):
    access = "keys"

    def test_another_device_comes_in_by_a_code_that_this_one_confirms(self):
        ann = self.page("Ann", key=self.serving.founding_key()).come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        ann.page.click("[aria-label=Settings]")
        ann.page.click("text=Add a device")
        code = ann.page.inner_text(".pair-code")
        self.assertEqual(ann.accessibility_faults(), [])
        phone = self.page("Ann", **PHONE)
        phone.page.fill("#name", "Ann")
        phone.page.click("summary")
        phone.page.fill("#code", code)
        phone.page.click(".welcome .primary")
        phone.page.wait_for_selector("#link-state >> text=Confirm on your other device")
        ann.page.click("text=Let it in")
        phone.wait("matinee.group !== null", "the phone is in")
        ann.wait("matinee.group.members.size === 2", "Ann's two devices are in the group")

    def test_a_wrong_code_is_told(self):
        self.page("Ann", key=self.serving.founding_key()).come_in()
        eve = self.page("Ann")
        eve.page.fill("#name", "Ann")
        eve.page.click("summary")
        eve.page.fill("#code", "abcd 1234")
        eve.page.click(".welcome .primary")
        eve.page.wait_for_selector("text=This code lets no device in.")


class OtherPageTests(BrowserTests):
    """A page of another origin, which a person happens to open."""

    def setUp(self):
        super().setUp()
        handler = type("Handler", (http.server.BaseHTTPRequestHandler,), {"do_GET": answer_empty, "log_message": lambda *_: None})
        self.other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.other.serve_forever, daemon=True).start()

    def tearDown(self):
        self.other.shutdown()
        self.other.server_close()
        super().tearDown()

    def test_it_gets_nothing(self):
        ann = self.page("Ann").come_in()
        page = ann.context.new_page()
        page.goto(f"http://127.0.0.1:{self.other.server_port}/")
        ours, sockets = f"http://127.0.0.1:{self.serving.port}", f"ws://127.0.0.1:{self.serving.port}/ws"
        outcome = page.evaluate("""async ([ours, sockets]) => {
          const tried = {};
          tried.socket = await new Promise((tell) => {
            const socket = new WebSocket(sockets);
            socket.onopen = () => tell('open');
            socket.onerror = () => tell('refused');
          });
          const attempt = async (name, act) => {
            try { tried[name] = await act(); } catch { tried[name] = 'refused'; }
          };
          await attempt('fetch', async () => (await fetch(ours + '/matinee.js')).status);
          await attempt('module', async () => typeof (await import(ours + '/matinee.js')).Client);
          await attempt('blind', async () => (await fetch(ours + '/healthz', { mode: 'no-cors' })).type);
          tried.script = await new Promise((tell) => {
            const script = document.createElement('script');
            script.src = ours + '/ticker.js';
            script.onload = () => tell('loaded');
            script.onerror = () => tell('refused');
            document.head.append(script);
          });
          const frame = document.createElement('iframe');
          frame.src = ours + '/friday';
          document.body.append(frame);
          await new Promise((tell) => { frame.onload = tell; setTimeout(tell, 3000); });
          await attempt('frame', async () => frame.contentWindow.document.title);
          return tried;
        }""", [ours, sockets])
        self.assertEqual(set(outcome.values()) - {"refused"}, set(), outcome)
        self.assertEqual(sum("/friday" in frame.url for frame in page.frames), 0, "the page is in no frame")

    def test_who_opened_the_page_has_no_hold_on_it(self):
        ann = self.page("Ann").come_in()
        page = ann.context.new_page()
        page.goto(f"http://127.0.0.1:{self.other.server_port}/")
        with ann.context.expect_page() as opened:
            page.evaluate(f"globalThis.opened = window.open('http://127.0.0.1:{self.serving.port}/friday'); null")
        opened.value.wait_for_selector("#main")
        self.assertEqual(opened.value.evaluate("window.opener"), None)
        self.assertTrue(page.evaluate("opened.closed || (() => { try { return opened.document === undefined } catch { return true } })()"))


def answer_empty(handler):
    handler.send_response(200)
    handler.send_header("Content-Type", "text/html")
    handler.end_headers()
    handler.wfile.write(b"<!doctype html><title>Elsewhere</title>")


class SmallWindowTests(BrowserTests):
    """Windows in which there is little room, on a phone and on a laptop whose page is zoomed."""

    narrow = {**PHONE, "viewport": {"width": 360, "height": 640}}

    def widest(self, page, *selectors):
        """How far these reach to the right, and the page itself."""
        return page.ask("""selectors => Math.max(document.scrollingElement.scrollWidth, ...selectors.flatMap((selector) =>
          [...document.querySelectorAll(selector)].map((one) => one.getBoundingClientRect().right)))""", selectors)

    def test_names_without_blanks_fit_a_phone(self):
        name = "The.Very.Long." + "Name_of_a_Release_" * 6
        ann, ben = self.page("Ann").come_in(), self.page("Ben", **self.narrow).come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        folder = pathlib.Path(self.folder.name)
        (folder / f"{name}.webm").write_bytes(self.film.read_bytes())
        (folder / f"Other.{name}.webm").write_bytes(b"no film")
        ann.page.set_input_files("#own", str(folder / f"{name}.webm"))
        ben.page.wait_for_selector("text=Everybody needs their own copy")
        self.assertLessEqual(self.widest(ben, ".notice", ".notice *"), 360)
        ben.page.set_input_files("#copy", str(folder / f"Other.{name}.webm"))
        ben.page.wait_for_selector("text=This is not the same file")
        self.assertLessEqual(self.widest(ben, ".notice", ".notice *"), 360)
        ben.ask("async name => { (await import('/dom.js')).toast(name); }", name)
        self.assertLessEqual(self.widest(ben, ".toast"), 360)

    def test_a_name_is_read_beside_a_long_state(self):
        ann, ben = self.two_at_the_start()
        ann.page.set_viewport_size({"width": 320, "height": 640})
        ann.ask("() => { localStorage.setItem('matinee.language', 'de'); document.dispatchEvent(new CustomEvent('language')); }")
        ben.ask("matinee.request('suspend', { reason: 'stallRecovery' }).then(() => null)")
        ann.page.wait_for_selector(".state >> text=braucht einen Moment")
        self.assertEqual(ann.ask("[...document.querySelectorAll('.people .name')].filter((one) => one.scrollWidth > one.clientWidth).length"), 0)
        self.assertLessEqual(self.widest(ann, ".people li *"), 320)

    def test_a_group_s_long_name_fits_the_first_screen(self):
        ann = self.page("Ann", group="g" * 120, **self.narrow)
        ann.page.wait_for_selector(".welcome .primary")
        self.assertLessEqual(self.widest(ann, ".welcome .primary"), 360)

    def test_what_lies_over_the_film_of_a_phone_fits_and_leaves_its_buttons_free(self):
        ann, ben = self.page("Ann", locale="de-DE", **self.narrow).come_in(), self.page("Ben", **ACROSS).come_in()
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait_joined()
        box = lambda page, selector: page.page.locator(selector).bounding_box()
        stage, card = box(ann, ".stage"), box(ann, ".notice.lobby")
        self.assertLessEqual(card["y"] + card["height"], stage["y"] + stage["height"])
        ann.click("text=Zusammen starten")
        ben.wait_running()
        ann.ask("matinee.chat('Popcorn?').then(() => null)")
        ben.page.wait_for_selector(".to-chat:visible")
        to_chat, buttons = box(ben, ".to-chat"), box(ben, ".controls .buttons")
        self.assertLess(to_chat["y"] + to_chat["height"], buttons["y"])

    def test_a_low_window_shows_what_is_asked_over_the_film_instead_of_its_controls(self):
        ann, _ = self.two_at_the_start()
        ann.page.set_viewport_size({"width": 844, "height": 400})
        self.assertFalse(ann.page.is_visible(".controls"))
        ann.click("text=Start together")
        ann.page.wait_for_selector(".controls")

    def test_a_low_window_keeps_its_bar_and_a_phone_says_at_least_that_it_reconnects(self):
        ann, _ = self.two_watching()
        ann.page.set_viewport_size({"width": 911, "height": 430})
        for what in ("[aria-label=Settings]", "[aria-label^=Notifications]", "#link-state"):
            self.assertTrue(ann.page.is_visible(what), what)
        cem = self.page("Cem", **ACROSS).come_in()
        cem.wait_joined()
        self.assertFalse(cem.page.is_visible("#link-state"))
        cem.context.set_offline(True)
        cem.page.wait_for_selector("#link-state >> text=Reconnecting")
        self.assertFalse(cem.page.is_visible("[aria-label=Settings]"), "the picture has the rest")
        cem.complaints[:] = [line for line in cem.complaints if "net::ERR_" not in line]
