"""The player's controls, and its picture in a window of its own."""

from browser_case import BrowserTests


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
        ann.page.click("text=End for everybody")
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
        self.assertTrue(ann.page.is_disabled("m-player .place"))
        ann.ask("""matinee.request('transition', { item: matinee.session.item,
          seekWindow: { start: 0, end: 80_000_000 } }).then(() => null)""")
        ann.wait(r"/ \/ 1:2\d$/.test(document.querySelector('m-player .clock').textContent)", "the window's end is shown")
        self.assertFalse(ann.page.is_disabled("m-player .place"))


class ControlsTests(BrowserTests):
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
