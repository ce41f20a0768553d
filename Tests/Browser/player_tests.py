"""The player's controls, and its picture in a window of its own."""

from browser_case import BrowserTests
from screen_case import PHONE

SEEN = "document.querySelector('m-player .stage').classList.contains('active')"


class PictureInPictureTests(BrowserTests):
    leaves = "document.pictureInPictureElement === null"
    floats = "document.pictureInPictureElement === document.querySelector('m-player video')"

    def button(self, page, name):
        page.page.locator("m-player .stage").hover()
        return page.page.locator(f"m-player [aria-label='{name}']")

    def test_a_button_and_a_key_put_the_picture_into_a_window_of_its_own(self):
        ann, ben = self.two_watching()
        self.button(ann, "Picture in picture").click()
        ann.wait(self.floats, "the picture has a window")
        self.assertEqual(self.button(ann, "Back into the page").count(), 1)
        self.assertEqual(ann.accessibility_faults(), [])
        # The window's own controls are wishes to the group, like all of an element's.
        ann.ask("document.querySelector('video').pause()")
        ben.wait_phase("paused")
        ann.page.focus("#main")
        ann.page.keyboard.press("p")
        ann.wait(self.leaves, "the key takes it back")
        ann.page.keyboard.press("p")
        ann.wait(self.floats, "and out again")
        ann.end_for_everybody()
        ann.wait(self.leaves, "the session's end closes the window")

    def test_the_keyboard_gets_there_and_german_names_it(self):
        ann = self.page("Ann", locale="de-DE").come_in()
        self.page("Ben").come_in()
        ann.choose(self.serving.films.address("film.webm"))
        button = self.button(ann, "Bild im Bild")
        button.focus()
        ann.page.keyboard.press("Enter")
        ann.wait(self.floats, "the picture has a window")
        self.assertEqual(self.button(ann, "Zurück in die Seite").count(), 1)
        self.assertTrue(ann.ask("document.activeElement.matches('m-player button')"), "the focus stays")

    def test_a_browser_without_it_shows_no_button(self):
        script = "Object.defineProperty(Document.prototype, 'pictureInPictureEnabled', { get: () => false });"
        ann, ben = self.page("Ann", script=script).come_in(), self.page("Ben").come_in()
        ben.choose(self.serving.films.address("film.webm"))
        ann.wait_joined()
        self.assertFalse(self.button(ann, "Picture in picture").is_visible())
        ann.page.focus("#main")
        ann.page.keyboard.press("p")
        self.assertTrue(ann.ask(self.leaves))


class SteeringTests(BrowserTests):
    def test_without_the_server_the_own_film_is_paused_moved_and_played_on(self):
        ann, _ = self.two_watching()
        ann.wait("document.querySelector('.sync').textContent !== ''", "Ann reads how far she is from Ben")
        self.serving.kill_server()
        ann.wait("!matinee.isOnline", "Ann notices")
        self.assertEqual(ann.page.text_content(".sync"), "", "nobody knows it any more")
        ann.page.focus("#main")
        ann.page.keyboard.press("Space")
        ann.wait("document.querySelector('video').paused", "her own film is paused")
        ann.page.wait_for_selector(".controls .big[aria-label=Play]", state="attached")
        before = ann.position()
        ann.page.keyboard.press("ArrowRight")
        ann.wait(f"Math.abs(document.querySelector('video').currentTime - {before + 10}) < 0.1", "ten seconds on from where it stands")
        ann.page.keyboard.press("Space")
        ann.wait_running()
        ann.page.wait_for_selector(".controls .big[aria-label=Pause]", state="attached")
        self.serving.start()
        ann.wait("matinee.isOnline", "Ann is back", 30)

    def test_an_arrow_before_the_own_film_is_open_moves_everybody_by_ten_seconds(self):
        ann, ben = self.two_watching()
        ann.ask("matinee.seek(40_000_000).then(() => null)")
        ann.wait("matinee.session.timeline.phase === 'playing' && matinee.session.timeline.mediaTime >= 40_000_000", "all are at 40 s")
        # Ben loads the page again, and his film does not come.
        ben.page.route("**/film.webm", lambda route: None)
        ben.page.reload(wait_until="commit")
        ben.page.wait_for_selector("m-player:not([hidden])")
        ben.wait("matinee.session.own.item && matinee.position !== null", "Ben is back")
        self.assertFalse(ben.ask("matinee.player.isLoaded"))
        ben.page.keyboard.press("ArrowRight")
        ann.wait("matinee.session.timeline.mediaTime >= 50_000_000", "Ann is ten seconds further")

    def test_the_keys_of_who_may_not_steer_ask_for_nothing(self):
        ann, ben = self.two_watching()
        ann.page.select_option("#control", "hostsOnly")
        ben.page.wait_for_selector("text=Only hosts steer.")
        ben.ask("document.activeElement.blur()")
        for key in ("ArrowLeft", "ArrowRight", "Space"):
            ben.page.keyboard.press(key)
        ben.ask("matinee.request('status').then(() => null)")
        self.assertEqual(ben.page.locator(".toast >> text=That did not work").count(), 0)

    def test_a_live_film_has_an_end_only_while_its_window_is_known(self):
        script = "Object.defineProperty(HTMLMediaElement.prototype, 'duration', { get: () => Infinity });"
        ann, ben = self.page("Ann", script=script).come_in(), self.page("Ben", script=script).come_in()
        ann.choose(self.serving.films.address("film.webm"))
        ben.wait_joined()
        ann.wait("document.querySelector('m-player .clock').textContent === '0:00'", "the clock has no length")
        self.assertFalse(ann.page.locator("m-player .speed").is_visible(), "what is live has a speed of its own")
        self.assertTrue(ann.page.is_disabled("m-player .place"))
        ann.ask("""matinee.request('transition', { item: matinee.session.item,
          seekWindow: { start: 0, end: 80_000_000 } }).then(() => null)""")
        ann.wait(r"/ \/ 1:2\d$/.test(document.querySelector('m-player .clock').textContent)", "the window's end is shown")
        self.assertFalse(ann.page.is_disabled("m-player .place"))


class SpeedTests(BrowserTests):
    RUNS_AT = "matinee.session.timeline.rate === {0} && Math.abs(document.querySelector('video').playbackRate - {0}) < 0.06 * {0}"

    def wait_at(self, rate, *pages):
        for page in pages:
            page.wait(self.RUNS_AT.format(rate), f"all watch at {rate}")

    def test_who_steers_chooses_the_speed_of_everybody(self):
        ann, ben = self.two_watching()
        ann.page.locator("m-player .stage").hover()
        ann.page.click("m-player .speed")
        self.assertEqual(ann.ask("document.activeElement.textContent"), "1×")
        self.assertEqual(ann.accessibility_faults(), [])
        ann.page.click(".menu >> text=1.5×")
        self.wait_at(1.5, ann, ben)
        self.assertEqual(ben.ask("document.querySelector('m-player .speed').ariaLabel"), "Speed: 1.5×")
        ben.page.wait_for_selector("m-chat >> text=Ann set the speed to 1.5×")
        ben.page.focus("#main")
        ben.page.keyboard.press("<")
        self.wait_at(1.25, ann, ben)
        ben.page.keyboard.press(">")
        self.wait_at(1.5, ann, ben)

    def test_who_may_not_steer_reads_it_only(self):
        ann, ben = self.two_watching()
        ann.page.select_option("#control", "hostsOnly")
        ben.wait("document.querySelector('m-player .speed').disabled", "a guest cannot press it")
        ben.page.focus("#main")
        ben.page.keyboard.press(">")
        ann.ask("matinee.setRate(0.5).then(() => null)")
        ben.wait("document.querySelector('m-player .speed').textContent === '0.5×'", "a guest reads it")


class KeyboardTests(BrowserTests):
    def wait_at(self, page, seconds, key):
        page.wait(f"Math.abs(matinee.session.timeline.mediaTime - {seconds}e6) < 1e6", f"{seconds} s by {key}")

    def test_the_bar_moves_everybody_by_steps(self):
        ann, ben = self.two_at_the_start()
        ann.wait("!document.querySelector('m-player .place').disabled", "the bar's range is known")
        ann.page.focus("m-player .place")
        for key, seconds in (("ArrowRight", 10), ("ArrowUp", 20), ("ArrowDown", 10), ("PageUp", 70), ("ArrowLeft", 60),
                             ("PageDown", 0), ("End", 90), ("Home", 0)):
            ann.page.keyboard.press(key)
            self.wait_at(ann, seconds, key)
            self.wait_at(ben, seconds, key)
        self.assertTrue(ann.ask("document.activeElement.matches('m-player .place')"), "the focus stays")

    def test_after_a_press_on_the_bar_space_and_the_arrows_steer(self):
        ann, ben = self.two_at_the_start()
        ann.wait("!document.querySelector('m-player .place').disabled", "the bar's range is known")
        ann.page.click("m-player .place")
        self.wait_at(ben, 45, "the mouse")
        ann.page.keyboard.press("ArrowRight")
        self.wait_at(ben, 55, "an arrow")
        ann.page.keyboard.press("Space")
        ben.wait_running()


class FullScreenTests(BrowserTests):
    """What is told while the film fills the screen, and how that ends."""

    fills = """document.fullscreenElement !== null && (() => {
      const { width, height } = document.querySelector("m-player .stage").getBoundingClientRect();
      return width === innerWidth && height === innerHeight;
    })()"""

    def at(self, page, selector):
        """Whether this is what a press in its middle would meet."""
        return page.ask("""(selector) => {
          const one = document.querySelector(selector);
          const box = one.getBoundingClientRect();
          return one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
        }""", selector)

    def test_what_is_told_is_seen_and_the_session_s_end_leaves_it(self):
        ann, _ = self.two_watching()
        ann.page.focus("#main")
        ann.page.keyboard.press("f")
        ann.wait(self.fills, "the film fills the screen")
        ann.ask("() => { matinee.pause = () => Promise.reject(new Error('no')); }")
        ann.page.keyboard.press("Space")
        ann.page.wait_for_selector(".toast >> text=That did not work: no")
        self.assertFalse(ann.page.locator("m-chat").is_visible(), "the rest of the page is not seen")
        ann.page.locator("m-player [aria-label=React]").press("Enter")
        self.assertTrue(self.at(ann, ".menu"), "a menu can be used")
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector(".float >> text=❤️")
        ann.ask("matinee.request('end').then(() => null)")
        ann.wait("document.fullscreenElement === null", "the page is back")
        self.assertTrue(ann.page.locator("m-people").is_visible(), "with all that belongs to it")

    def test_a_lost_connection_is_seen(self):
        ann, _ = self.two_watching()
        ann.page.focus("#main")
        ann.page.keyboard.press("f")
        ann.wait(self.fills, "the film fills the screen")
        ann.context.set_offline(True)
        ann.page.wait_for_selector("#link-state >> text=Reconnecting")
        self.assertTrue(self.at(ann, "#link-state"), "nothing lies over it")


class ControlsTests(BrowserTests):
    def middle(self, page, selector):
        box = page.page.locator(selector).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def show_all(self, page):
        """Moves the mouse over the film, wherever it was."""
        x, y = self.middle(page, "m-player .stage")
        page.page.mouse.move(x + 1, y)
        page.page.mouse.move(x, y)

    def test_they_go_while_the_film_runs_and_come_with_the_mouse_or_the_focus(self):
        ann, ben = self.two_watching()
        self.show_all(ann)
        ann.page.click(".controls [aria-label=Mute]")
        ann.page.mouse.move(5, 5)
        for page in (ann, ben):
            page.wait(f"!{SEEN}", f"{page.name}'s picture is free")
        self.assertEqual(ann.ask("getComputedStyle(document.querySelector('.stage')).cursor"), "none")
        ann.wait("getComputedStyle(document.querySelector('.controls')).opacity === '0'", "nothing covers it")
        self.show_all(ann)
        ann.wait(SEEN, "the mouse shows them")
        ben.page.locator(".controls .big").focus()
        ben.wait(SEEN, "the focus shows them")
        ben.page.keyboard.press("Enter")
        ann.wait_phase("paused")
        ann.wait(SEEN, "a film that stands shows them")

    def test_a_finger_presses_nothing_that_it_does_not_see(self):
        self.two_watching()
        cem = self.page("Cem", **PHONE).come_in()
        cem.wait_running()
        for place in ("m-player .place", "m-player .stage", ".controls .big"):
            with self.subTest(place):
                cem.wait(f"!{SEEN}", "the picture is free")
                before = cem.ask("matinee.session.timeline.seq")
                cem.page.touchscreen.tap(*self.middle(cem, place))
                cem.wait(SEEN, "a tap shows them")
                cem.ask("matinee.request('status').then(() => null)")
                self.assertEqual(cem.ask("matinee.session.timeline.seq"), before, "and does nothing else")

    def test_a_long_press_counts_whatever_is_drawn_meanwhile(self):
        ann, _ = self.two_watching()
        self.show_all(ann)
        ann.page.mouse.move(*self.middle(ann, ".controls [aria-label=Mute]"))
        ann.page.mouse.down()
        ann.ask("document.querySelector('m-player').draw()")
        ann.page.mouse.up()
        ann.page.wait_for_selector(".controls [aria-label='Sound on']", state="attached")
        ann.page.mouse.down()
        # The picture that is pressed becomes another one.
        ann.ask("() => { document.querySelector('video').muted = false; }")
        ann.page.wait_for_selector(".controls [aria-label=Mute]", state="attached")
        ann.page.mouse.up()
        ann.wait("document.querySelector('video').muted", "the press is the last word")

    def test_the_sound_comes_back_as_loud_as_it_was(self):
        ann, _ = self.two_watching()
        slide = """values => {
          const slider = document.querySelector(".loudness");
          for (const value of values) { slider.value = value; slider.dispatchEvent(new Event("input")); }
          slider.dispatchEvent(new Event("change"));
        }"""
        ann.ask(slide, [0.6])
        ann.ask(slide, [0.3, 0.05, 0])
        ann.page.locator(".controls [aria-label='Sound on']").press("Enter")
        ann.wait("(({ muted, volume }) => !muted && volume === 0.6)(document.querySelector('video'))", "it is heard")
        ann.wait("document.querySelector('.loudness').value === '0.6'", "the slider shows it")

    def test_the_sound_is_as_loud_as_it_was_after_the_page_is_loaded_again(self):
        ann, _ = self.two_at_the_start()
        ann.ask("() => { Object.assign(document.querySelector('video'), { volume: 0.3, muted: true }); }")
        ann.wait("localStorage.getItem('matinee.muted') === 'true'", "the browser keeps it")
        ann.page.reload()
        ann.wait_joined()
        self.assertEqual(ann.ask("(({ muted, volume }) => [muted, volume])(document.querySelector('video'))"), [True, 0.3])
        ann.page.locator(".controls [aria-label='Sound on']").press("Enter")
        ann.wait("document.querySelector('.loudness').value === '0.3'", "the slider shows it")

    def test_a_lock_screen_has_the_film_s_title(self):
        ann, _ = self.two_watching()
        shown = "(({ metadata, playbackState }) => [metadata.title, metadata.artist, playbackState])(navigator.mediaSession)"
        self.assertEqual(ann.ask(shown), ["film", "friday", "playing"])
        ann.ask("matinee.request('end').then(() => null)")
        ann.wait("navigator.mediaSession.metadata === null", "and none after the session's end")

    def test_in_forced_colours_the_controls_have_a_ground_and_the_bar_an_edge(self):
        ann = self.page("Ann", forced_colors="active").come_in()
        self.page("Ben").come_in()
        ann.choose(self.serving.films.address("film.webm"))
        style = lambda part, name: ann.ask(f"getComputedStyle(document.querySelector('.controls{part}')).{name}")
        self.assertNotIn("rgba", style("", "backgroundColor"))
        self.assertEqual(style(" .place", "borderTopWidth"), "1px")

    def test_the_next_film_is_not_in_sync_before_it_is_there(self):
        ann, ben = self.two_watching()
        ben.wait("document.querySelector('.sync').textContent !== ''", "Ben reads how far he is from Ann")
        ann.ask("matinee.watch({ url: 'own.webm', title: 'own' }).then(() => null)")
        ben.page.wait_for_selector("text=Everybody needs their own copy of own")
        self.assertEqual(ben.page.text_content(".sync"), "")

    def test_the_slider_of_the_loudness_has_a_name_of_its_own(self):
        ann, _ = self.two_at_the_start()
        names = "[...document.querySelectorAll('m-player .controls input')].map((one) => one.ariaLabel).join()"
        self.assertEqual(ann.ask(names), "Position,Volume")

    def test_a_phone_s_screen_has_room_for_all_of_them(self):
        _, ben = self.two_watching()
        for width, height in ((320, 640), (390, 780), (640, 360)):
            with self.subTest(width):
                ben.page.set_viewport_size({"width": width, "height": height})
                outside = ben.ask("""() => {
                  const stage = document.querySelector("m-player .stage").getBoundingClientRect();
                  return [...document.querySelectorAll(".controls button:not([hidden]), .controls .clock")].filter((one) => {
                    const box = one.getBoundingClientRect();
                    return box.left < stage.left || box.right > stage.right || box.top < stage.top || box.bottom > stage.bottom;
                  }).map((one) => one.ariaLabel ?? one.className);
                }""")
                self.assertEqual(outside, [])
