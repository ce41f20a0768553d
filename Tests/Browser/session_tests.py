"""Sessions, messages, keys, and whether everybody can use the page."""

import json

from browser_case import BrowserTests


class SessionTests(BrowserTests):
    def test_the_initiator_s_dismissal_ends_the_session_for_everybody(self):
        ann, ben = self.two_watching()
        self.assertTrue(ann.ask("matinee.messages.visible.session === matinee.session.id"))
        ann.end_for_everybody()
        for page in (ann, ben):
            page.wait("matinee.session === null", f"{page.name}'s session is over")
            self.assertTrue(page.ask("document.querySelector('video').paused"))
            self.assertIsNone(page.ask("matinee.messages.visible"))
        self.assertEqual(ben.ask("matinee.lastReason"), "dismissedBy")
        ben.page.wait_for_selector(".toast >> text=Ann ended the session.")
        self.assertEqual(ben.page.locator(".toast").count(), 1, "once is enough")

    def test_another_one_s_dismissal_only_leaves(self):
        ann, ben = self.two_watching()
        ben.page.click("text=Leave")
        ben.wait("matinee.session === null", "Ben left")
        ann.wait("matinee.session.participants.size === 1", "Ann sees it")
        ann.wait_running()
        # Nothing can be chosen from outside.
        ben.page.wait_for_selector("m-start >> text=The others are watching")
        self.assertEqual(ben.page.inner_text("m-start p"), ann.page.inner_text("m-player .title"))
        self.assertEqual(ben.page.locator("#address, #own").count(), 0)
        ben.page.click("text=Watch with the others again")
        ann.wait("matinee.session.participants.size === 2", "Ben is back")
        ben.wait_running()

    def test_who_started_it_leaves_and_the_others_watch_on(self):
        ann, ben = self.two_watching()
        ann.page.click("text=End for everybody")
        ann.page.focus("#main")
        ann.page.wait_for_selector("m-player >> text=End for everybody")
        ann.page.click("m-player >> text=Leave")
        ann.wait("matinee.session === null", "Ann left")
        ben.wait("matinee.session.participants.size === 1", "Ben sees it")
        ben.wait_running()

    def test_who_started_it_and_is_a_guest_only_leaves(self):
        ann, ben = self.two_watching()
        give = "([name, role]) => matinee.request('setRole', { role, participant: [...matinee.session.participants.values()]" \
            ".find((one) => one.name === name).participant }).then(() => null)"
        ann.ask(give, ["Ben", "host"])
        ann.ask(give, ["Ann", "guest"])
        ann.page.wait_for_selector("text=End for everybody", state="hidden")
        ann.page.click("m-player >> text=Leave")
        ann.wait("matinee.session === null", "Ann left")
        ben.wait("matinee.session.participants.size === 1", "Ben sees it")
        ben.wait_running()

    def test_who_loads_the_page_again_while_suspended_follows_again(self):
        ann, ben = self.two_watching()
        ben.ask("matinee.request('suspend', { reason: 'stallRecovery' }).then(() => null)")
        suspended = "[...matinee.session.participants.values()].some((one) => one.suspensions.length > 0)"
        ann.wait(suspended, "Ben is suspended")
        ben.page.reload()
        ann.wait(f"!{suspended}", "Ben follows again")
        ben.wait_running()

    def test_a_tab_that_was_duplicated_is_a_device_of_its_own(self):
        ann = self.page("Ann").come_in()
        kept = ann.ask("sessionStorage.getItem('matinee.device')")
        copy = ann.context.new_page()
        # As a browser does that duplicates a tab.
        copy.add_init_script(f"sessionStorage.setItem('matinee.device', {json.dumps(kept)})")
        copy.goto(self.serving.link("friday"))
        ann.wait("matinee.group.members.size === 2", "both tabs are in the group")
        device = json.loads(kept)["device"]
        self.assertNotEqual(copy.evaluate("matinee.welcome.device"), device)
        ann.page.reload()
        ann.wait("matinee.group?.members.size === 2", "the first one is back")
        self.assertEqual(ann.ask("matinee.welcome.device"), device)

    def test_chat_and_readiness_reach_the_others(self):
        ann, ben = self.two_at_the_start()
        ben.page.fill("#say", "Popcorn?")
        ben.page.keyboard.press("Enter")
        ann.page.wait_for_selector("m-chat >> text=Popcorn?")
        ben.page.click("text=I'm ready")
        ann.page.wait_for_selector("text=1 of 2 ready")

    def test_what_is_refused_is_told_in_german(self):
        ann, _ = self.two_at_the_start()
        ann.ask("localStorage.setItem('matinee.language', 'de')")
        ann.ask("matinee.leave().then(() => null)")
        ann.ask("""async () => {
          const { complain } = await import("/faults.js");
          await matinee.watch({ url: "/media/other.webm" }).then(() => null, complain);
        }""")
        ann.page.wait_for_selector(".toast >> text=Das ging nicht: die anderen schauen etwas anderes")

    def test_who_was_ready_is_not_ready_again_at_each_pause(self):
        ann, ben = self.two_at_the_start()
        ben.page.click("text=I'm ready")
        ann.page.wait_for_selector(".people .state >> text=/^ready$/")
        ann.page.click("text=Start together")
        ann.wait_running()
        ann.wait("document.querySelector('video').currentTime > 0.5", "the film is under way")
        ann.ask("matinee.pause().then(() => null)")
        ann.wait_phase("paused")
        ann.wait("[...document.querySelectorAll('.people .state')].every((one) => one.textContent === 'paused')", "all are paused")

    def test_a_film_that_is_over_is_told_as_that(self):
        ann, _ = self.two_watching()
        ann.ask("matinee.seek(matinee.session.timeline.duration - 500_000).then(() => null)")
        ann.wait("[...document.querySelectorAll('.people .state')].every((one) => one.textContent === 'at its end')", "both are at its end")

    def test_german_dark_and_kept(self):
        ann = self.page("Ann").come_in()
        ann.page.click("[aria-label='Settings']")
        ann.page.select_option("#language", "de")
        ann.page.select_option("#theme", "dark")
        ann.page.fill("#delay", "50000")
        ann.page.keyboard.press("Tab")
        self.assertEqual(ann.page.input_value("#delay"), "1000")
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_selector("[aria-label='Einstellungen']")
        ann.page.reload()
        ann.page.wait_for_selector("text=Du bist zuerst da")
        self.assertEqual(ann.ask("document.documentElement.lang"), "de")
        self.assertEqual(ann.ask("getComputedStyle(document.documentElement).backgroundColor"), "rgb(20, 18, 22)")


class PoorClockTests(BrowserTests):
    delay = 300

    def test_a_connection_that_is_too_slow_is_told_until_it_is_quick(self):
        ann, _ = self.two_watching()
        ann.page.wait_for_selector("#link-state >> text=Slow connection")
        ann.page.wait_for_selector(".sync >> text=you may be over a quarter of a second from the others")
        self.serving.network.delay = 0.010
        ann.page.wait_for_selector("#link-state >> text=Connected")
        ann.page.wait_for_selector(".sync >> text=in sync")


class CampaignTests(BrowserTests):
    options = ("--campaigns", "shipped")

    def test_the_server_s_player_message_takes_the_place_of_the_page_s_own(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        for page in (ann, ben):
            page.page.click("text=Not now")
        ann.choose(self.serving.films.address("film.webm"))
        for page in (ann, ben):
            page.wait_joined()
            page.wait("matinee.messages.visible?.campaign?.id === 'watch-player'", "the campaign's message")
            self.assertTrue(page.page.is_visible("m-player"))
        ann.end_for_everybody()
        ben.wait("matinee.session === null && matinee.messages.visible === null", "all of it is over")


class ChoosingTests(BrowserTests):
    def test_an_address_that_was_typed_stays_when_somebody_comes(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        ann.fill("#address", "/media/film.webm")
        ann.page.evaluate("document.activeElement.blur()")
        ben.page.close()
        ann.wait("[...matinee.group.members.values()].some((member) => !member.isConnected)", "Ben is away")
        self.page("Cid").come_in()
        ann.wait("matinee.group.members.size === 3", "Ann hears of Cid")
        self.assertEqual(ann.page.input_value("#address"), "/media/film.webm")

    def test_who_has_just_copied_the_link_chooses_once_somebody_comes(self):
        ann = self.page("Ann").come_in()
        ann.page.focus("[data-key='copy link']")
        self.page("Ben").come_in()
        ann.page.wait_for_selector("#address")


class GreetingTests(BrowserTests):
    """What a page that is new to the server says and hears first."""

    def test_the_joining_goes_along_with_the_hello(self):
        ann, lines = self.page("Ann", key=self.serving.founding_key() if self.access == "keys" else None), []
        note = lambda way: lambda text: lines.append(f"{way} {json.loads(text)['type']}")
        ann.page.on("websocket", lambda socket: (socket.on("framesent", note(">")), socket.on("framereceived", note("<"))))
        ann.come_in()
        self.assertEqual(lines[:3], ["> hello", "> joinGroup", "< welcome"])

    def test_a_name_of_spaces_is_none(self):
        ann = self.page("Ann")
        ann.page.fill("#name", "  ")
        ann.page.click(".welcome .primary")
        self.assertFalse(ann.ask("document.querySelector('#name').checkValidity()"))
        self.assertIsNone(ann.ask("localStorage.getItem('matinee.name')"))

    def test_a_browser_that_has_no_more_room_says_so(self):
        ann = self.page("Ann", key=self.serving.founding_key() if self.access == "keys" else None)
        ann.ask("""() => { globalThis.setItem = Storage.prototype.setItem;
          Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; }""")
        ann.page.fill("#name", "Ann")
        ann.page.click(".welcome .primary")
        ann.page.wait_for_selector(".trouble >> text=This browser has no more room")
        self.assertEqual(ann.page.input_value("#name"), "Ann")
        ann.ask("() => { Storage.prototype.setItem = globalThis.setItem; }")
        ann.page.click(".welcome .primary")
        ann.wait("matinee.group !== null", "there is room again")

    def test_a_name_that_is_too_long_for_the_server_is_asked_for_again(self):
        ann = self.page("Ann")
        ann.page.fill("#name", "長" * 22)
        ann.page.click(".welcome .primary")
        ann.page.wait_for_selector(".trouble >> text=This name is too long. Choose a shorter one.")
        self.assertEqual(ann.page.input_value("#name"), "長" * 22)
        ann.page.reload()
        ann.page.wait_for_selector(".trouble >> text=This name is too long. Choose a shorter one.")


class KeyTests(GreetingTests):
    access = "keys"

    def test_the_key_comes_from_the_link_and_the_name_stays_with_the_browser(self):
        ann = self.page("Ann", key=self.serving.founding_key()).come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        key = ann.ask("matinee.groupKey")
        ann.wait(f"location.hash === '#{key}'", "the address invites")
        ben = self.page("Ben", key=key).come_in()
        kept = ben.ask("localStorage.getItem(`matinee.credential.${location.host}.Ben`)")
        self.assertRegex(kept, "^[0-9a-z]{26}$")
        ben.page.evaluate("sessionStorage.clear()")
        ben.page.goto(self.serving.link("friday"))
        ben.wait("matinee.group !== null", "who was let in once needs no key")

    def test_without_the_key_nobody_comes_in_and_a_name_has_one_owner(self):
        ann = self.page("Ann", key=self.serving.founding_key()).come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        stranger = self.page("Eve")
        stranger.page.fill("#name", "Eve")
        stranger.page.click(".welcome .primary")
        stranger.page.wait_for_selector("text=This group wants its key")
        thief = self.page("Ann", key=ann.ask("matinee.groupKey"))
        thief.page.fill("#name", "Ann")
        thief.page.click(".welcome .primary")
        thief.page.wait_for_selector("text=This name belongs to somebody else here, or to another browser of yours.")

    def test_the_link_that_skips_to_the_content_leaves_the_key_in_the_address(self):
        ann = self.page("Ann", key=self.serving.founding_key()).come_in()
        ann.wait("location.hash.length > 20", "the address invites")
        address = ann.ask("location.href")
        ann.page.focus("#skip")
        ann.page.keyboard.press("Enter")
        self.assertEqual(ann.ask("document.activeElement.id"), "main")
        self.assertEqual(ann.ask("location.href"), address)


class AccessibilityTests(BrowserTests):
    def test_the_keyboard_alone_is_enough(self):
        ann = self.page("Ann")
        ann.page.keyboard.type("Ann")
        ann.page.keyboard.press("Enter")
        ben = self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        self.tab_to(ann, "#address")
        ann.page.keyboard.type(self.serving.films.address("film.webm"))
        ann.page.keyboard.press("Enter")
        ben.wait_joined()
        ann.wait_joined()
        self.tab_to(ann, "[data-key=together]")
        ann.page.keyboard.press("Enter")
        ben.wait_running()

    def test_the_keyboard_goes_on_where_something_went(self):
        ann, _ = self.two_at_the_start()
        ann.ask("url => matinee.request('insert', { media: ['b', 'c'].map((title) => ({ title, url: `${url}#${title}` })) }).then(() => null)",
                self.serving.films.address("film.webm"))
        ann.page.focus("[aria-label='More about b']")
        ann.page.keyboard.press("Enter")
        ann.page.keyboard.press("End")
        ann.page.keyboard.press("Enter")
        ann.wait("matinee.session.queue.entries.length === 2", "the entry is gone")
        ann.wait("document.activeElement.closest('m-queue') !== null", "the focus is at a neighbour")
        ann.page.focus(".leave")
        ann.page.keyboard.press("Enter")
        ann.wait("matinee.session === null", "the session is over")
        ann.wait("document.activeElement.id === 'main'", "the focus is at the next screen")

    def tab_to(self, page, selector):
        """Presses Tab until the focus is there."""
        for _ in range(40):
            if page.ask(f"document.activeElement.matches({selector!r})"):
                return
            page.page.keyboard.press("Tab")
        self.fail(f"the keyboard does not get to {selector}")
