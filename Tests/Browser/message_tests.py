"""In-app messages of every kind, in a real browser, from a real server's campaigns."""

from message_case import ACROSS, PHONE, MessageTests
from screen_case import TELEVISION

#: Campaigns, and what comes of closing each as its author allows.
KINDS = [
    ("slideup", "escape"), ("slideup-top", "escape"), ("modal", "closeButton"),
    ("modal-colors", "closeButton"), ("modal-arabic", "closeButton"), ("modal-image", "closeButton"),
    ("full", "closeButton"), ("full-image", "closeButton"), ("html", "closeButton"), ("card", "closeButton"),
    ("banner", "escape"), ("image-only", "closeButton"), ("picker", "closeButton"),
    ("switches", "closeButton"), ("primer", "closeButton")]
#: What the page leaves between a message and its edge, besides what the device keeps clear; px.
MARGIN = 12
LONG = "Something that is new, and takes a while to tell. " * 40


class LookTests(MessageTests):
    """Every kind, compared with the pictures that are kept, and looked at by axe."""

    def look(self, suffix, kinds, **options):
        ann = self.viewer(**options)
        for campaign in kinds:
            with self.subTest(campaign=campaign):
                self.show(ann, campaign)
                ann.page.mouse.move(1, 1)
                self.check_picture(ann, f"{campaign}{suffix}")
                self.assertEqual(ann.accessibility_faults(), [])
                ann.ask("matinee.messages.dismiss()")
                self.wait_gone(ann)

    def test_every_kind_in_light_surroundings(self):
        self.look("", [campaign for campaign, _ in KINDS])

    def test_in_dark_surroundings(self):
        self.look("-dark", ["slideup", "modal", "modal-colors", "full", "banner", "switches"], color_scheme="dark")

    def test_on_a_phone_held_across(self):
        self.look("-across", ["slideup", "modal", "full", "full-image", "card", "html"], viewport=ACROSS)

    def test_in_a_large_window_a_full_screen_is_a_dialog(self):
        self.look("-large", ["full", "full-image"], viewport={"width": 800, "height": 640})

    def test_a_video(self):
        for suffix, scheme in [("", "light"), ("-dark", "dark")]:
            ann = self.viewer(f"Ann{suffix}", color_scheme=scheme)
            url = self.serving.films.address("film.webm")
            self.show(ann, "video", name="Video", properties={"url": url})
            # It stands at a known frame; what the browser draws over it, such as its wheel of waiting, is not ours.
            ann.ask("() => { const video = document.querySelector('m-message video'); "
                    "video.pause(); video.controls = false; video.currentTime = 1; }")
            ann.wait("(video => !video.seeking && video.readyState > 2)(document.querySelector('m-message video'))", "its frame")
            ann.page.mouse.move(1, 1)
            self.check_picture(ann, f"video{suffix}")
            self.assertEqual(ann.accessibility_faults(), [])

    # Proves: B12
    def test_what_is_longer_than_a_small_window_scrolls_and_its_buttons_stay(self):
        ann = self.viewer(viewport={"width": 568, "height": 320})
        message = self.show(ann, "modal-long", name="Modal Long", properties={"text": LONG})
        for part in (".close", "[data-button='0']", "[data-button='1']"):
            box = message.locator(part).bounding_box()
            self.assertTrue(box["y"] >= 0 and box["y"] + box["height"] <= 320, part)
        self.assertTrue(message.locator(".scroller").evaluate("one => one.scrollHeight > one.clientHeight"))
        self.assertEqual(ann.accessibility_faults(), [])

    def test_colours_follow_the_surroundings_while_it_is_on_screen(self):
        ann = self.viewer()
        message = self.show(ann, "modal-colors")
        background = lambda: message.evaluate("one => getComputedStyle(one).backgroundColor")
        self.assertEqual(background(), "rgb(255, 244, 220)")
        # White on this orange cannot be read.
        ink = message.locator("[data-button='1']").evaluate("one => getComputedStyle(one).color")
        self.assertEqual(ink, "rgb(20, 18, 22)")
        ann.page.emulate_media(color_scheme="dark")
        ann.wait("getComputedStyle(document.querySelector('.matinee-message')).backgroundColor === 'rgb(16, 36, 58)'", "the dark theme")
        self.assertEqual(ann.reports.count("started"), 1)


class DeedTests(MessageTests):
    """Clicks, keys, swipes and turns, and what the server hears of them: everything once."""

    def test_every_kind_closes_as_its_author_allows_and_is_seen_once(self):
        ann = self.viewer()
        for campaign, reason in KINDS:
            with self.subTest(campaign=campaign):
                ann.reports.clear()
                message = self.show(ann, campaign)
                if reason == "escape":
                    ann.page.keyboard.press("Escape")
                else:
                    message.locator(".close").click()
                self.wait_gone(ann)
                self.wait_reports(ann, "started", "impression", f"dismissed {reason}")

    # Proves: B27
    def test_a_click_is_told_by_its_button_and_does_its_action(self):
        ann = self.viewer()
        ann.ask("matinee.addEventListener('messageClicked', ({ detail }) => { globalThis.clicked = [detail.button, detail.kind, detail.url]; })")
        for campaign, button, told in [
                ("modal", "1", ["1", "logEvent", None]), ("modal", "0", ["0", "close", None]),
                ("card", "primary", ["primary", "open", "https://example.org/shop"]),
                ("card", "secondary", ["secondary", "open", "https://example.org/later"])]:
            with self.subTest(campaign=campaign, button=button):
                ann.reports.clear()
                message = self.show(ann, campaign)
                self.catch_windows(ann)
                message.locator(f"[data-button='{button}']").click()
                self.wait_gone(ann)
                self.wait_reports(ann, "started", "impression", f"clicked {button}", f"dismissed action {button}")
                clicked = ann.ask("clicked")
                self.assertEqual([clicked[0], clicked[1], clicked[2]], told)
                if told[2] is not None:
                    self.assertEqual(ann.ask("opened"), told[2])
                if told[1] == "logEvent":
                    self.assertEqual([one["name"] for one in self.lines(ann, "logEvent")], ["Started"])

    def test_what_the_app_logs_by_hand_and_the_page_logs_too_counts_once(self):
        ann, _ = self.viewer("Ann", group="friday"), self.viewer("Ben", group="friday")
        ann.choose(self.serving.films.address("film.webm"))
        events = lambda: [one for one in self.lines(ann, "logEvent") if one["name"] == "SharePlay Event"]
        ann.wait_for(lambda: len(events()) == 1, "the page has logged the film")
        for logged in (1, 2):
            ann.ask("matinee.messages.log('SharePlay Event')")
            ann.ask(f"matinee.messages.log('Behind it {logged}')")
            ann.wait_for(lambda: self.lines(ann, "logEvent")[-1]["name"] == f"Behind it {logged}", "both were logged")
            self.assertEqual(len(events()), logged)

    def test_a_tap_on_the_body_counts_where_there_are_no_buttons(self):
        ann = self.viewer()
        self.catch_windows(ann)
        for campaign, place, url in [("slideup", "p", "https://example.org/tonight"),
                                     ("image-only", "img", "https://example.org/tower"), ("banner", "h2", "https://example.org/new")]:
            with self.subTest(campaign=campaign):
                ann.reports.clear()
                self.show(ann, campaign).locator(place).click()
                self.wait_gone(ann)
                self.wait_reports(ann, "started", "impression", "clicked", "dismissed action")
                self.assertEqual(ann.ask("opened"), url)
        ann.reports.clear()
        self.show(ann, "full").locator("h2").click()
        self.assertTrue(ann.page.is_visible(".matinee-message"))

    def test_a_tap_outside_closes_only_what_allows_it(self):
        ann = self.viewer()
        for campaign, closes in [("card", True), ("modal", False)]:
            self.show(ann, campaign)
            ann.page.mouse.click(5, 5)
            if closes:
                self.wait_gone(ann)
                self.wait_report(ann, "dismissed tapOutside")
        self.assertTrue(ann.page.is_visible(".matinee-message"))

    def swipe(self, page, way):
        box = page.page.locator(".matinee-message").bounding_box()
        x, y = box["x"] + 60, box["y"] + box["height"] / 2
        page.page.mouse.move(x, y)
        page.page.mouse.down()
        page.page.mouse.move(x, y + way, steps=5)
        page.page.mouse.up()

    def test_a_swipe_towards_its_edge_sends_it_away_and_another_does_not(self):
        ann = self.viewer()
        for campaign, away in [("slideup", 60), ("banner", -60)]:
            with self.subTest(campaign=campaign):
                ann.reports.clear()
                self.show(ann, campaign)
                self.swipe(ann, -away)
                self.assertIsNotNone(ann.ask("matinee.messages.visible"))
                self.swipe(ann, away)
                self.wait_gone(ann)
                self.wait_reports(ann, "started", "impression", "dismissed swipe")

    def test_the_keyboard_alone_is_enough(self):
        ann = self.viewer()
        ann.page.focus("[aria-label='Settings']")
        self.show(ann, "modal")
        reached = []
        for _ in range(3):
            ann.page.keyboard.press("Tab")
            reached.append(ann.ask("document.activeElement.dataset.button ?? document.activeElement.className"))
        self.assertEqual(reached, ["close", "0", "1"])
        ann.page.keyboard.press("Enter")
        self.wait_gone(ann)
        self.assertEqual(ann.ask("document.activeElement.getAttribute('aria-label')"), "Settings", "the focus is back")
        self.show(ann, "slideup-top")
        ann.page.focus(".invite")
        ann.page.keyboard.press("Escape")
        self.wait_gone(ann)

    def arrive(self, page, campaign, *arrows):
        """Shows a message, presses these arrows, and returns what each of them came to."""
        self.show(page, campaign)
        reached = []
        for arrow in arrows:
            page.page.keyboard.press(arrow)
            reached.append(page.ask("(one => one.dataset.button ?? (one.className || one.localName))(document.activeElement)"))
        return reached

    def test_the_arrows_of_a_remote_control_are_enough(self):
        ann = self.viewer(**TELEVISION)
        # Beneath a dialog of the page's own, whose buttons cannot be reached meanwhile.
        ann.page.click("[aria-label='Settings']")
        for campaign, arrows, reached in [
                ("modal", ["ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight"], ["close", "1", "0", "1"]),
                ("card", ["ArrowUp", "ArrowDown"], ["close", "primary"]),
                ("full-image", ["ArrowDown", "ArrowDown"], ["close", "1"]),
                ("html", ["ArrowDown"], ["close"])]:
            with self.subTest(campaign=campaign):
                self.assertEqual(self.arrive(ann, campaign, *arrows), reached)
                ann.page.keyboard.press("Enter")
                self.wait_gone(ann)

    def test_the_arrows_of_a_remote_control_choose_and_submit(self):
        ann = self.viewer(**TELEVISION)
        reached = self.arrive(ann, "picker", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown")
        self.assertEqual(reached, ["close", "select", "select", "select", "1"])
        ann.page.keyboard.press("Enter")
        self.wait_gone(ann)
        ann.wait_for(lambda: self.lines(ann, "setAttributes"), "it is kept")
        self.assertEqual(self.lines(ann, "setAttributes")[0]["attributes"], {"favorite_genre": "Comedy"})

    def test_the_arrows_scroll_a_long_text_before_they_leave_it(self):
        ann = self.viewer(viewport={"width": 568, "height": 320})
        self.show(ann, "modal-long", name="Modal Long", properties={"text": LONG})
        ann.wait("document.querySelector('.scroller').tabIndex === 0", "the text can have the focus")
        ann.page.keyboard.press("Tab")
        ann.page.keyboard.press("Tab")
        at_end = "(one => one.scrollTop + one.clientHeight + 1 >= one.scrollHeight)(document.querySelector('.scroller'))"
        for _ in range(200):
            self.assertTrue(ann.ask("document.activeElement.matches('.scroller')"))
            ann.page.keyboard.press("ArrowDown")
            if ann.ask(at_end):
                break
        ann.page.keyboard.press("ArrowDown")
        self.assertTrue(ann.ask("document.activeElement.matches('.action')"))

    def test_it_closes_by_itself_but_not_under_the_pointer(self):
        ann = self.viewer()
        self.show(ann, "slideup").hover()
        # Longer than it stays.
        ann.page.wait_for_timeout(5_500)
        self.assertTrue(ann.page.is_visible(".matinee-message"))
        ann.page.mouse.move(1, 1)
        self.wait_gone(ann)
        self.wait_report(ann, "dismissed automatic")

    @staticmethod
    def present(page, kind, after):
        """Shows a message of the app's own, which closes by itself after so many microseconds, or never."""
        page.page.emulate_media(reduced_motion="reduce")
        page.ask("""([kind, after]) => matinee.messages.present({ message: kind, kind, closing: { after },
          body: { type: 'text', header: 'Soon', message: 'It begins at eight.' } })""", [kind, after])
        page.page.wait_for_selector(".matinee-message")

    def test_a_dialog_closes_by_itself_but_not_while_the_person_is_in_it(self):
        ann = self.viewer()
        ann.page.mouse.move(1, 1)
        # Its backdrop is under the pointer, and the focus is on the dialog itself.
        self.present(ann, "card", 2_000_000)
        self.wait_gone(ann)
        for enter, leave in [(lambda: ann.page.hover(".matinee-message"), lambda: ann.page.mouse.move(1, 1)),
                             (lambda: ann.page.keyboard.press("Tab"), lambda: ann.page.keyboard.press("Escape"))]:
            self.present(ann, "card", 5_000_000)
            enter()
            # Longer than it stays.
            ann.page.wait_for_timeout(6_000)
            self.assertTrue(ann.page.is_visible(".matinee-message"))
            leave()
            self.wait_gone(ann)

    def test_at_an_edge_it_stays_in_sight_when_the_dialog_that_it_stands_in_goes(self):
        ann = self.viewer()
        for end in ("close", "remove"):
            with self.subTest(end=end):
                ann.ask("""() => {
                  const dialog = document.createElement('dialog');
                  dialog.className = 'own';
                  document.body.append(dialog);
                  dialog.showModal();
                }""")
                self.present(ann, "slideup", "never")
                self.assertTrue(ann.ask("document.querySelector('dialog.own m-message') !== null"))
                ann.ask("(end) => { document.querySelector('dialog.own')[end](); }", end)
                ann.wait("document.querySelector('body > m-message') !== null", "it stands on the page")
                self.assertTrue(ann.page.is_visible(".matinee-message"))
                self.assertEqual(ann.ask("matinee.messages.visible.message"), "slideup")
                ann.page.keyboard.press("Escape")
                self.wait_gone(ann)
                ann.ask("() => { document.querySelector('dialog.own')?.remove(); }")

    def test_one_for_an_upright_device_stays_upright_when_it_is_turned(self):
        ann = self.viewer()
        message = self.show(ann, "portrait-only")
        ann.page.set_viewport_size(ACROSS)
        ann.wait("document.querySelector('.matinee-message.turned')", "it is turned")
        self.check_picture(ann, "portrait-only-turned")
        self.assertTrue(message.locator(".close").is_visible())
        message.locator(".close").click()
        self.wait_gone(ann)
        self.ask_for(ann, "portrait-only")
        self.wait_report(ann, "refused orientation")
        ann.page.set_viewport_size(PHONE)
        # The page hears of the turn with the next frame.
        ann.wait("matchMedia('(orientation: portrait)').matches", "it is upright again")
        ann.ask("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))")
        self.show(ann, "portrait-only")

    def test_one_for_any_device_changes_its_picture_when_it_is_turned(self):
        ann = self.viewer()
        picture = self.show(ann, "full-image").locator("img")
        self.assertEqual(picture.get_attribute("alt"), "A tower at dusk")
        ann.page.set_viewport_size(ACROSS)
        ann.wait("document.querySelector('.matinee-message img').alt === 'Hills at dusk'", "the wide picture")
        self.assertEqual(ann.reports.count("impression"), 1)

    def test_a_control_is_counted_and_never_drawn_and_a_picture_that_is_not_there_is_refused(self):
        ann = self.viewer()
        self.ask_for(ann, "control", variant="none")
        self.wait_reports(ann, "started", "impression", "dismissed automatic")
        self.assertEqual(ann.page.locator("m-message").count(), 0)
        self.ask_for(ann, "broken-image")
        self.wait_report(ann, "refused assets")
        ann.complaints[:] = [line for line in ann.complaints if "404" not in line]

    # Proves: A27
    def test_a_message_lies_above_everything_else_on_the_page(self):
        ann = self.viewer()
        ann.page.click("[aria-label='Settings']")
        self.show(ann, "slideup")
        box = ann.page.locator(".matinee-message p").bounding_box()
        top = ann.ask(f"document.elementFromPoint({box['x'] + 5}, {box['y'] + 5}).closest('m-message') !== null")
        self.assertTrue(top)
        ann.page.locator(".matinee-message p").click(no_wait_after=True)
        self.wait_report(ann, "clicked")

    def test_who_writes_is_not_disturbed(self):
        ann = self.viewer(name="Ann", group="writers")
        self.viewer(name="Ben", group="writers")
        ann.page.wait_for_selector("#address")
        ann.page.focus("#address")
        self.ask_for(ann, "modal")
        self.wait_report(ann, "waiting")
        self.assertEqual(ann.page.locator("m-message").count(), 0)
        ann.ask("document.activeElement.blur()")
        ann.wait("document.querySelector('.matinee-message')", "it comes when the person is done")

    def test_what_waits_comes_one_after_the_other(self):
        ann = self.viewer()
        self.show(ann, "modal")
        for campaign in ("card", "banner"):
            self.ask_for(ann, campaign)
        ann.wait("matinee.messages.stack.length === 2", "two wait")
        for campaign in ("banner", "card"):
            ann.ask("matinee.messages.dismiss()")
            ann.wait(f"matinee.messages.visible?.campaign?.id === '{campaign}'", campaign)

    def test_a_page_that_comes_back_in_sight_hears_of_what_waits_for_that(self):
        ann = self.viewer()
        for hidden in (True, False):
            ann.ask("""(hidden) => {
              Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
              document.dispatchEvent(new Event('visibilitychange'));
            }""", hidden)
        ann.wait("matinee.messages.visible?.campaign?.id === 'back'", "the message for those who come back")
        self.wait_report(ann, "impression")


class AppTests(MessageTests):
    """What an app that uses matinee.js can do: hooks, views of its own, and those that come along."""

    # Proves: A6
    def test_hooks_are_called_in_order_and_may_change_what_is_shown(self):
        ann = self.viewer()
        ann.ask("""() => {
          globalThis.calls = [];
          const note = (name) => (subject) => { calls.push(name); };
          matinee.messages.delegate = {
            displayChoice: async () => { calls.push('displayChoice'); return 'now'; },
            prepare: (context) => { calls.push('prepare'); context.message.body.header = 'Mine'; context.edgeOffset = 40; return context; },
            willPresent: note('willPresent'), didPresent: note('didPresent'), impression: note('impression'),
            beforeEnter: (view) => { calls.push('beforeEnter'); globalThis.height = view.surface.getBoundingClientRect().height; view.edgeOffset = 64; view.edgeOffset = 64; },
            shouldProcess: (action, { buttonID }) => { calls.push(`shouldProcess ${action.type} ${buttonID}`); return false; },
            willDismiss: note('willDismiss'), didDismiss: note('didDismiss'),
            finished: (id, outcome) => { calls.push(`finished ${outcome.dismissedBy}`); },
          };
        }""")
        message = self.show(ann, "slideup")
        ann.wait("calls.includes('didPresent')", "it is there")
        self.assertEqual(message.locator("h2").text_content(), "Mine")
        self.assertGreater(ann.ask("height"), 40)
        box = message.bounding_box()
        self.assertAlmostEqual(PHONE["height"] - box["y"] - box["height"], 12 + 64, delta=1)
        ann.ask("() => { globalThis.open = () => { calls.push('opened'); }; }")
        message.locator("p").click()
        self.wait_gone(ann)
        self.assertEqual(ann.ask("calls"), [
            "displayChoice", "prepare", "willPresent", "beforeEnter", "impression", "didPresent",
            "shouldProcess sequence undefined", "willDismiss", "didDismiss", "finished action"])

    # Proves: A4, A5, A7
    def test_a_message_s_distance_from_its_edge_follows_the_device_unless_its_campaign_says_all_of_it(self):
        ann = self.viewer()
        ann.page.emulate_media(reduced_motion="reduce")
        for edge, (upright, turned) in {"top": (47, 0), "bottom": (34, 21)}.items():
            for extras, moved, added in (({}, None, 0), ({"edge_offset": 24}, None, 24), ({"edge_offset": 24}, 8, 8)):
                self.check_distances(ann, edge, extras, moved, MARGIN + upright + added, MARGIN + turned + added)
            for moved in (None, 8):
                self.check_distances(ann, edge, {"slideConstraint": 50}, moved, 50, 50)

    def check_distances(self, page, edge, extras, moved, upright, turned):
        """How far an app's own message is from its edge on an upright phone, and once that is turned."""
        with self.subTest(edge=edge, extras=extras, moved=moved):
            page.page.set_viewport_size(PHONE)
            self.keep_clear(page, top=47, bottom=34)
            self.present_at(page, edge, extras, moved)
            self.wait_distance(page, edge, upright)
            page.page.set_viewport_size(ACROSS)
            self.keep_clear(page, top=0, bottom=21)
            self.wait_distance(page, edge, turned)
        page.ask("matinee.messages.dismiss()")
        self.wait_gone(page)

    @staticmethod
    def keep_clear(page, **insets):
        """The device has a notch, and a bar of its own."""
        page.context.new_cdp_session(page.page).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})

    @staticmethod
    def present_at(page, edge, extras, moved):
        """Shows a message of the app's own, which the app moves, and does so again, or leaves where it is."""
        page.ask("""([edge, extras, moved]) => {
          matinee.messages.delegate = { beforeEnter: (view) => {
            if (moved !== null) [view.edgeOffset, view.edgeOffset] = [moved, moved];
          } };
          matinee.messages.present({ message: 'eight', kind: 'slideup', surface: edge, extras,
            body: { type: 'text', message: 'At eight?' }, closing: { after: 'never' } });
        }""", [edge, extras, moved])
        page.page.wait_for_selector(".matinee-message")

    @staticmethod
    def wait_distance(page, edge, expected):
        seen = """(edge) => {
          const box = document.querySelector('.matinee-message').getBoundingClientRect();
          return edge === 'top' ? box.top : innerHeight - box.bottom;
        }"""
        page.wait_for(lambda: abs(page.ask(seen, edge) - expected) <= 1,
                      f"{expected} px from the {edge}, not {page.ask(seen, edge)}", 5)

    def test_an_app_puts_a_message_off_or_drops_it(self):
        ann = self.viewer()
        ann.ask("matinee.messages.delegate = { displayChoice: (message) => message.kind === 'modal' ? 'later' : 'discard' }")
        self.ask_for(ann, "modal")
        self.wait_report(ann, "waiting")
        self.ask_for(ann, "card")
        self.wait_report(ann, "refused choice")
        ann.ask("matinee.messages.delegate = {}")
        self.assertEqual(ann.ask("matinee.messages.presentNext()"), "presented")
        self.assertEqual(ann.ask("matinee.messages.visible.campaign.id"), "modal")

    # Proves: F6, F20
    def test_an_app_s_view_takes_the_place_of_a_kind_s(self):
        ann = self.viewer()
        usual = self.show(ann, "card").screenshot()
        ann.ask("matinee.messages.dismiss()")
        self.wait_gone(ann)
        ann.ask("""() => {
          matinee.messages.registerView('ours', (shown, view) => {
            const content = document.createElement('div');
            const button = document.createElement('button');
            button.textContent = shown.context.message.body.header + ', as we say it';
            button.onclick = () => view.press({ button: 'primary' });
            content.append(button);
            return content;
          });
          matinee.messages.useView('ours', 'card');
          globalThis.open = (url) => { globalThis.opened = url; };
        }""")
        message = self.show(ann, "card")
        self.assertNotEqual(message.screenshot(), usual)
        message.get_by_text("Half price, as we say it").click()
        self.wait_gone(ann)
        self.assertEqual(ann.ask("opened"), "https://example.org/shop")
        self.show(ann, "banner")
        self.assertEqual(ann.page.locator("m-message-text").count(), 1, "other kinds keep their view")

    def test_the_views_that_come_along_keep_what_is_chosen(self):
        ann = self.viewer()
        message = self.show(ann, "picker")
        submit = message.locator(".action.first")
        self.assertTrue(submit.is_disabled(), "nothing is chosen")
        message.locator("select").select_option("Comedy")
        submit.click()
        self.wait_gone(ann)
        message = self.show(ann, "switches")
        message.get_by_text("Offers").click()
        message.get_by_role("switch").nth(0).press("Space")
        message.locator(".action.first").click()
        self.wait_gone(ann)
        ann.wait_for(lambda: len(self.lines(ann, "setAttributes")) == 2, "both are kept")
        kept = [one["attributes"] for one in self.lines(ann, "setAttributes")]
        self.assertEqual(kept, [{"favorite_genre": "Comedy"}, {"topics": ["New films", "Friends who are watching"]}])

    def test_a_primer_comes_before_the_browser_s_own_question(self):
        ann = self.viewer()
        ann.ask("() => { Notification.requestPermission = async () => { globalThis.asked = true; return 'default'; }; }")
        self.show(ann, "primer").locator("[data-button='0']").click()
        self.wait_gone(ann)
        self.assertIsNone(ann.ask("globalThis.asked ?? null"))
        self.show(ann, "primer").locator("[data-button='1']").click()
        ann.wait("globalThis.asked === true", "the browser asks")

    # Proves: S12
    def test_a_video_has_the_browser_s_own_player(self):
        ann = self.viewer()
        message = self.show(ann, "video", name="Video", properties={"url": self.serving.films.address("film.webm")})
        ann.wait("!document.querySelector('m-message video').paused", "it plays")
        video = message.locator("video")
        self.assertTrue(video.evaluate("one => one.controls && one.playsInline"))
        self.assertEqual(message.locator(".aside").count(), int(ann.ask("document.pictureInPictureEnabled")))
        self.assertEqual(ann.accessibility_faults(), [])
        message.locator(".close").click()
        self.wait_gone(ann)
        self.ask_for(ann, "video", name="Video", properties={"url": "javascript:alert(1)"})
        self.assertEqual(ann.page.locator("m-message").count(), 0)
