"""What tests of whole screens need: each is compared with a kept picture, and axe finds no fault on it."""

from browser_case import BrowserTests

LAPTOP = {"viewport": {"width": 1280, "height": 800}}
TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
PHONE = {"is_mobile": True, "has_touch": True, "viewport": {"width": 390, "height": 780}}
ACROSS = {**PHONE, "viewport": {"width": 780, "height": 390}}
#: Parts that are others each time, because times go on and players differ.
CHANGING = "video, .clock, input.place, .sync, .floats, .toasts, .state, .code"
#: What is written in place of a port, a key, a code or a time.
WRITTEN = {".link-text": "https://watch.example/friday#4f7k2m9qxw", ".pair-code": "4f7k 2m9q",
           ".pair-code + .hint": "It is good until 8:15 PM.", ".notices .hint": "1/9/26, 8:15 PM"}


class ScreenTests(BrowserTests):
    def check(self, page, screen):
        """The screen is as it was, and axe finds no fault."""
        # Pages scroll to what is written.
        page.ask("scrollTo({ top: 0, behavior: 'instant' })")
        # The chat may or may not tell who was there first.
        page.ask("for (const deed of document.querySelectorAll('m-chat .deed')) deed.remove()")
        self.compare_picture(page, f"screen-{screen.replace(': ', '-').replace(' ', '-')}", without=CHANGING)
        with self.subTest(screen):
            self.assertEqual(page.accessibility_faults(), [])

    def check_sizes(self, page, screen):
        """Checks it in a window, and in one as narrow as a phone."""
        self.check(page, screen)
        page.page.set_viewport_size(PHONE["viewport"])
        self.check(page, f"{screen} on a phone")
        page.page.set_viewport_size(LAPTOP["viewport"])

    def shot(self, page, without):
        # The controls of a film that plays go three seconds after the mouse last moved.
        for x in (641, 640):
            page.page.mouse.move(x, 250)
        page.ask("""written => {
          for (const [part, words] of Object.entries(written)) {
            for (const one of document.querySelectorAll(part)) one.textContent = words;
          }
        }""", WRITTEN)
        return super().shot(page, without)

    def check_opened(self, page, screen, *clicks):
        """Presses these, checks what opens, and closes it by the keyboard: the focus is back where it was."""
        for selector in clicks:
            page.page.click(selector)
        self.check(page, screen)
        # As every few seconds: what opened it is drawn anew.
        page.ask("document.querySelector('m-people').draw()")
        page.page.keyboard.press("Escape")
        page.wait(f"document.activeElement.matches({clicks[0]!r})", f"the focus is back after {screen}")

    def add_to_queue(self, page, name):
        page.page.fill("#next", self.serving.films.address(f"{name}.webm"))
        page.page.click("m-queue form button")
        page.page.wait_for_selector(f"m-queue .title >> text={name}")
