"""In-app messages in windows of every size, with large letters, beside a notch, and on an app's own page."""

from browser_case import launch
from message_case import ACROSS, PHONE, MessageTests
from screen_case import TELEVISION

SMALL = {"width": 320, "height": 568}
SMALL_ACROSS = {"width": 568, "height": 320}
#: A window of 1280 by 1024 px at 400 %, as WCAG 2.2 has it (1.4.10).
ZOOMED = {"width": 320, "height": 256}
WIDE_PICTURE = {"url": "https://pictures.example/wide.png", "alternativeText": "Hills at dusk"}
BUTTONS = [{"id": "0", "text": "Nicht jetzt"}, {"id": "1", "text": "Benachrichtigungseinstellungen öffnen"}]
HEADER = "What would you like to watch with us tomorrow evening, and on Friday?"
#: Which texts meet the button that closes.
COVERED = """() => {
  const close = document.querySelector('.matinee-message .close').getBoundingClientRect();
  return [...document.querySelectorAll('.matinee-message .words')].filter((words) => {
    const range = document.createRange();
    range.selectNodeContents(words);
    return [...range.getClientRects()].some((line) => line.right > close.left && line.left < close.right
      && line.bottom > close.top && line.top < close.bottom);
  }).map((words) => words.textContent);
}"""


class FitTests(MessageTests):
    def present(self, page, kind="modal", image=None, header=HEADER, alignment="center", **fields):
        """Shows a message of the app's own."""
        page.page.emulate_media(reduced_motion="reduce")
        page.ask("(message) => { matinee.messages.present(message); }", {
            "message": kind, "kind": kind, "closing": {"after": "never", "byButton": True}, **fields,
            "body": {"type": "text", "header": header, "message": "We tell you when your group begins. " * 3,
                     "image": image, "headerAlignment": alignment, "messageAlignment": alignment}})
        page.page.wait_for_selector(".matinee-message")
        page.wait("[...document.querySelectorAll('.matinee-message img')].every(one => one.complete)", "its pictures")
        return page.page.locator(".matinee-message")

    def dismiss(self, page):
        page.ask("matinee.messages.dismiss()")
        self.wait_gone(page)

    def assert_inside(self, inner, outer, what=None):
        for side, size in (("x", "width"), ("y", "height")):
            self.assertGreaterEqual(inner[side], outer[side] - 1, what)
            self.assertLessEqual(inner[side] + inner[size], outer[side] + outer[size] + 1, what)

    def assert_reachable(self, page, message):
        """Each button comes into sight with the focus, and has its words within it."""
        for button in message.locator("[data-button]").all():
            if button.is_enabled():
                button.focus()
            else:
                button.scroll_into_view_if_needed()
            words = button.text_content()
            self.assert_inside(button.bounding_box(), message.bounding_box(), words)
            self.assert_inside(message.bounding_box(), {"x": 0, "y": 0, **page.page.viewport_size}, words)
            self.assertTrue(button.evaluate("one => one.scrollWidth <= one.clientWidth"), words)

    def test_buttons_have_their_words_within_them_and_can_be_reached(self):
        ann = self.viewer()
        picker = {"extras": {"view_type": "picker", "attribute_key": "taste"}, "header": "What do you like best, when it rains?"}
        for size in (SMALL, SMALL_ACROSS, ZOOMED, TELEVISION["viewport"]):
            ann.page.set_viewport_size(size)
            for kind, fields in [("modal", {}), ("modal", {"image": WIDE_PICTURE}), ("full", {"image": WIDE_PICTURE}), ("modal", picker)]:
                with self.subTest(size=size, kind=kind, fields=fields):
                    self.assert_reachable(ann, self.present(ann, kind, buttons=BUTTONS, language="de", **fields))
                    self.dismiss(ann)

    def test_with_letters_twice_as_large_all_of_it_can_be_reached(self):
        browser = launch("--blink-settings=defaultFontSize=32")
        self.addCleanup(browser.close)
        ann = self.viewer(browser=browser, viewport=SMALL_ACROSS)
        self.assertEqual(ann.ask("getComputedStyle(document.body).fontSize"), "32px")
        for kind, image in (("modal", None), ("card", WIDE_PICTURE)):
            message = self.present(ann, kind, image, buttons=BUTTONS)
            self.assertEqual(message.evaluate("one => getComputedStyle(one).fontSize"), "32px")
            self.assert_reachable(ann, message)
            self.dismiss(ann)
        for campaign in ("picker", "switches"):
            self.assert_reachable(ann, self.show(ann, campaign))
            self.dismiss(ann)

    def test_no_words_lie_under_the_button_that_closes(self):
        ann = self.viewer()
        for size in (PHONE, SMALL, ACROSS, SMALL_ACROSS, ZOOMED, {"width": 1280, "height": 800}):
            ann.page.set_viewport_size(size)
            for kind in ("modal", "card", "full"):
                for image in (None, WIDE_PICTURE):
                    for alignment, language in (("leading", "en"), ("center", "en"), ("trailing", "en"), ("leading", "ar")):
                        with self.subTest(size=size, kind=kind, image=image, alignment=alignment, language=language):
                            for header in (HEADER, None):
                                self.present(ann, kind, image, header, alignment, language=language)
                                self.assertEqual(ann.ask(COVERED), [])
                                self.dismiss(ann)

    def test_what_the_device_keeps_clear_has_nothing_to_press(self):
        ann = self.viewer()
        session = ann.context.new_cdp_session(ann.page)
        for size, insets in ((PHONE, {"top": 59, "bottom": 34}), (ACROSS, {"left": 59, "right": 59, "bottom": 21})):
            ann.page.set_viewport_size(size)
            session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
            top, left = insets.get("top", 0), insets.get("left", 0)
            clear = {"x": left, "y": top, "width": size["width"] - left - insets.get("right", 0),
                     "height": size["height"] - top - insets["bottom"]}
            for campaign in ("full", "full-image", "html", "switches", "modal-long"):
                with self.subTest(size=size, campaign=campaign):
                    message = self.show(ann, campaign, **self.long_text(campaign))
                    for button in message.locator("button").all():
                        self.assert_inside(button.bounding_box(), clear)
                    self.dismiss(ann)

    @staticmethod
    def long_text(campaign):
        return {"name": "Modal Long", "properties": {"text": "Something new. " * 100}} if campaign == "modal-long" else {}

    def test_a_text_that_scrolls_can_have_the_focus_and_another_cannot(self):
        ann = self.viewer(viewport=SMALL_ACROSS)
        self.show(ann, "modal-long", **self.long_text("modal-long"))
        can_have_focus = "document.querySelector('.scroller').hasAttribute('tabindex')"
        ann.wait(can_have_focus, "it scrolls")
        ann.page.set_viewport_size({"width": 1280, "height": 1600})
        ann.wait(f"!{can_have_focus}", "all of it is in sight")

    def test_at_an_edge_a_long_text_is_all_there_under_the_pointer(self):
        ann = self.viewer(viewport={"width": 1280, "height": 800})
        message = self.present(ann, "slideup", header=None, closing={"after": "never"})
        ann.ask("document.querySelector('.matinee-message p').textContent = 'Tonight at eight we watch Sintel. '.repeat(12)")
        hidden = "(one => one.scrollHeight - one.clientHeight)(document.querySelector('.matinee-message p'))"
        self.assertGreater(ann.ask(hidden), 20)
        message.hover()
        ann.wait(f"{hidden} <= 1", "the rest of it")

    def test_on_a_television_it_is_as_large_as_its_letters(self):
        ann = self.viewer(**TELEVISION)
        for kind, width in (("modal", 500), ("full", 650), ("slideup", 600)):
            self.assertAlmostEqual(self.present(ann, kind).bounding_box()["width"], width, delta=1)
            self.dismiss(ann)

    def test_what_an_app_does_to_its_own_buttons_and_headers_leaves_a_message_alone(self):
        ann = self.viewer()
        ann.ask("""() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync('button, h2, p { text-transform: uppercase; } button { letter-spacing: 4px; display: inline-flex; }');
          document.adoptedStyleSheets = [sheet];
        }""")
        message = self.present(ann, buttons=BUTTONS)
        for part in ("h2", "p", "[data-button='0']"):
            style = message.locator(part).evaluate("""(one) => {
              const { textTransform, letterSpacing } = getComputedStyle(one);
              return [textTransform, letterSpacing];
            }""")
            self.assertEqual(style[0], "none", part)
            self.assertNotEqual(style[1], "4px", part)

    def test_a_view_of_an_app_s_own_keeps_clear_of_the_button_that_closes(self):
        ann = self.viewer()
        ann.ask("""() => {
          matinee.messages.registerView('quiz', (shown, view) => {
            const content = document.createElement('div');
            const button = document.createElement('button');
            button.textContent = shown.context.message.body.header;
            button.onclick = () => view.press({ button: '1' });
            content.append(button);
            return content;
          });
          matinee.messages.useView('quiz', 'card');
        }""")
        message = self.present(ann, "card", header="At eight?", buttons=[{"id": "1", "text": "Yes"}])
        button = message.locator("div > button")
        self.assert_inside(button.bounding_box(), message.bounding_box())
        close = message.locator(".close").bounding_box()
        self.assertGreaterEqual(button.bounding_box()["y"], close["y"] + close["height"])
        button.click()
        self.wait_gone(ann)

    def test_a_page_of_html_without_its_frame_is_refused_and_never_seen(self):
        ann = self.viewer()
        ann.context.route("**/message-frame.html", lambda route: route.fulfill(status=404, body="There is no such page."))
        self.ask_for(ann, "html")
        ann.page.wait_for_selector("m-message-page iframe", state="attached")
        self.assertFalse(ann.page.is_visible("m-message-page iframe"))
        self.wait_gone(ann)
        self.wait_reports(ann, "started", "refused invalidContent")
        ann.complaints[:] = [line for line in ann.complaints if "404" not in line]
