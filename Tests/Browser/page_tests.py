"""Messages that are pages of HTML: what they may do by the bridge, and that they get nothing else."""

import json

from message_case import MessageTests

#: A browser's words about what its policy refused, which a hostile page is meant to bring about.
REFUSALS = ("Content Security Policy", "allow-popups", "Refused to", "sandboxed", "Unsafe attempt", "Failed to load resource", "Blocked")


class PageTests(MessageTests):
    def inside(self, page):
        page.page.wait_for_selector("m-message-page[shown]")
        return page.page.frame_locator("m-message-page iframe")

    # Proves: A26
    def test_a_page_acts_by_the_bridge(self):
        ann = self.viewer()
        self.show(ann, "html")
        frame = self.inside(ann)
        for name in ("event", "attribute", "purchase", "list", "click", "body-click"):
            frame.locator(f"#{name}").click()
        self.wait_reports(ann, "started", "impression", "clicked first", "clicked")
        ann.wait_for(lambda: self.lines(ann, "setMembership"), "the last word")
        lines = [{key: value for key, value in one.items() if key not in ("id", "sequence")}
                 for one in ann.reports if not isinstance(one, str) and one.get("name") != "SharePlay Event"]
        self.assertEqual(lines, [
            {"type": "logEvent", "name": "Pressed", "properties": {"where": "page", "times": 2}},
            {"type": "setAttributes", "attributes": {"taste": ["noir", "comedy"]}},
            {"type": "logPurchase", "product": "ticket", "properties": {"price": 9.5, "currency": "EUR", "quantity": 1}},
            {"type": "setMembership", "list": "early birds", "member": True}])
        frame.locator("#close").click()
        self.wait_gone(ann)
        self.wait_reports(ann, "started", "impression", "clicked first", "clicked", "dismissed closeButton")

    def test_a_page_that_asks_for_a_mail_address_as_braze_s_do_sets_it_and_closes(self):
        ann = self.viewer()
        self.show(ann, "html-braze")
        self.inside(ann).locator("#send").click()
        self.wait_gone(ann)
        self.wait_report(ann, "dismissed closeButton")
        [line] = self.lines(ann, "setAttributes")
        self.assertEqual(line["attributes"], {"email": "ann@example.org"})

    def test_links_open_outside_the_frame_and_say_what_was_clicked(self):
        ann = self.viewer()
        ann.ask("matinee.addEventListener('action', ({ detail }) => { (globalThis.actions ??= []).push(detail); })")
        self.catch_windows(ann)
        for link, stays, report in [("beside", True, "clicked"), ("inside", False, "clicked")]:
            self.show(ann, "html")
            self.inside(ann).locator(f"#{link}").click()
            self.wait_report(ann, report)
            self.assertEqual(ann.page.locator("m-message").count() == 1, stays)
            ann.ask("matinee.messages.dismiss()")
        self.assertEqual(ann.ask("actions[0]"), {"type": "open", "url": "https://example.org/beside", "inApp": False})

    def test_escape_in_the_page_closes_it(self):
        ann = self.viewer()
        self.show(ann, "html")
        # Not a key of the driver's: it waits for the frame's word, and the frame goes with the key.
        self.inside(ann).locator("#event").evaluate("""button => setTimeout(() =>
          button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true })))""")
        self.wait_gone(ann)
        self.wait_report(ann, "dismissed escape")

    def test_without_leave_no_script_of_the_page_runs(self):
        ann = self.viewer()
        self.show(ann, "html-still")
        frame = self.inside(ann)
        frame.locator("#still").click()
        self.assertEqual(frame.locator("#still").text_content(), "Nothing runs here")
        self.forget_refusals(ann)
        frame.locator("#out").click()
        self.wait_gone(ann)

    def test_a_hostile_page_gets_nothing(self):
        ann = self.viewer()
        address = ann.page.url
        self.show(ann, "html-hostile")
        found = self.inside(ann).locator("#found")
        found.filter(has_text="window").wait_for()
        results = json.loads(found.text_content())
        self.assertEqual(len(results), 13)
        for name, result in results.items():
            with self.subTest(attempt=name):
                self.assertTrue(result.startswith("refused: "), result)
        self.assertEqual(ann.page.url, address)
        self.assertEqual(len(ann.context.pages), 1)
        self.assertEqual(ann.stolen, [])
        self.assertEqual([one for one in ann.reports if not isinstance(one, str)], [], "words that are not in order are none")
        self.forget_refusals(ann)

    def test_a_page_leads_elsewhere_only_when_the_person_presses(self):
        ann = self.viewer()
        places = []
        ann.page.on("framenavigated", lambda frame: places.append(frame.url) if frame == ann.page.main_frame else None)
        self.ask_for(ann, "html-wandering")
        # Nothing is asked of the page until its script has run: to the browser, a question of the driver is a press.
        ann.page.wait_for_timeout(8_000)
        self.wait_report(ann, "dismissed action")
        self.show(ann, "html-leading")
        self.assertEqual(places, [], "the script took nobody anywhere")
        self.inside(ann).locator("#on").click(no_wait_after=True)
        ann.page.wait_for_url("**/elsewhere")

    def forget_refusals(self, page):
        """What is refused to the page in the frame is a complaint of the browser's, and meant to be."""
        page.complaints[:] = [line for line in page.complaints if not any(word in line for word in REFUSALS)]


class LandingTests(MessageTests):
    """A browser that lacks something: old, or a film that it cannot play."""

    def test_a_browser_that_is_too_old_is_told_so_in_two_languages(self):
        for lacking in ("WebSocket", "HTMLDialogElement"):
            page = self.page("Ann", script=f"delete globalThis.{lacking}")
            page.page.wait_for_selector("#landing:not([hidden])")
            self.assertIn("Dieser Browser ist zu alt", page.page.text_content("#landing"))
            self.assertEqual(page.page.locator("m-welcome").count(), 0)
            self.assertEqual(page.accessibility_faults(), [])

    def test_a_browser_that_keeps_nothing_for_the_page_is_told_so_in_two_languages(self):
        page = self.page("Ann", script="""for (const name of ["localStorage", "sessionStorage"]) {
          Object.defineProperty(globalThis, name, { configurable: true, get() { throw new DOMException("blocked", "SecurityError"); } });
        }""")
        page.page.wait_for_selector("#blocked:not([hidden])")
        self.assertIn("Dieser Browser blockiert hier Cookies", page.page.text_content("#blocked"))
        self.assertEqual(page.page.locator("m-welcome").count(), 0)
        self.assertEqual(page.accessibility_faults(), [])

    # Proves: S4
    def test_who_cannot_play_a_film_is_shown_where_else_it_is(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        ann.ask("""url => { matinee.request('activate', { activity: { type: 'watch', media: { url },
          metadata: { title: 'Sintel', kind: 'watchTogether', fallbackURL: 'https://example.org/sintel' } } }); }""",
                self.serving.films.address("missing.webm"))
        link = ben.page.locator("a", has_text="Watch it elsewhere")
        link.wait_for()
        ben.page.wait_for_selector("m-chat >> text=Ann cannot play it")
        ben.page.wait_for_selector(".people .state >> text=cannot play it")
        self.assertEqual(link.get_attribute("href"), "https://example.org/sintel")
        for page in (ann, ben):
            page.complaints[:] = [line for line in page.complaints if "404" not in line]
