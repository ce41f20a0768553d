"""The group's screens: the link, the start, reactions, roles, the queue, and files of one's own."""

import pathlib
import shutil
import subprocess
import time

from browser_case import BrowserTests


def read_code(page, folder):
    """What Debian's reader of QR codes reads on the screen."""
    picture = pathlib.Path(folder) / "code.png"
    page.page.locator("svg.code").screenshot(path=str(picture))
    output = subprocess.run(["zbarimg", "--quiet", "--raw", str(picture)], capture_output=True, text=True, check=True)
    return output.stdout.strip()


class LinkTests(BrowserTests):
    access = "keys"

    def test_the_code_on_the_screen_leads_into_the_group(self):
        ann = self.page("Ann", key=self.serving.founding_key()).come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        ann.page.wait_for_selector("m-start svg.code")
        link = self.serving.link("friday", ann.ask("matinee.groupKey"))
        self.assertEqual(read_code(ann, self.folder.name), link)
        ben = self.page("Ben", key=link.split("#")[1]).come_in()
        ann.wait("matinee.group.members.size === 2", "Ben is here")
        ben.page.click("[data-key=invite]")
        self.assertEqual(read_code(ben, self.folder.name), link)

    def test_the_links_that_the_commands_print_open_the_page(self):
        origin = f"http://127.0.0.1:{self.serving.port}"
        owner = ("invite", "--access-key-file", str(self.serving.access_key), "--page", origin)
        founding = self.serving.run(*owner).split()[-1]
        self.assertIn(f"\n  {founding}\n", self.serving.log(), "the first start prints it, too")
        ann = self.page("Ann", link=founding)
        ann.page.fill("#group", "friday")
        ann.come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        cat = self.serving.join_with_mpv("Cat", link=self.serving.native_link("friday", ann.ask("matinee.groupKey")))
        self.addCleanup(cat.communicate)
        self.addCleanup(cat.terminate)
        ann.wait("matinee.group.members.size === 2", "Cat is in the group by the command line")
        printed = self.serving.run("invite", "friday", "--as", "Cat", "--page", origin).split()[-1]
        self.assertTrue(printed.startswith(f"{origin}/friday#"), printed)
        ben = self.page("Ben", link=printed).come_in()
        ben.wait("matinee.group.members.size === 3", "Ben is with Ann and Cat")

    def test_who_was_asked_for_the_whole_link_opens_it_in_the_same_tab(self):
        ann = self.page("Ann", key=self.serving.founding_key()).come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        ben = self.page("Ben")
        ben.page.fill("#name", "Ben")
        ben.page.click(".welcome .primary")
        ben.page.wait_for_selector("text=This group wants its key")
        # It differs only behind the # from where the tab is: the page loads itself anew.
        with ben.page.expect_event("load"):
            ben.page.goto(self.serving.link("friday", ann.ask("matinee.groupKey")))
        ben.wait("matinee.group !== null", "Ben is in")

    def test_who_is_removed_from_the_group_is_told(self):
        ann = self.page("Ann", key=self.serving.founding_key()).come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        ben = self.page("Ben", key=ann.ask("matinee.groupKey")).come_in()
        ben.page.wait_for_selector("[aria-label='Notifications: 0']")
        ann.page.click("[aria-label='More about Ben']")
        ann.page.click("[role=menu] >> text=Remove from the group for good")
        ann.page.click("text=Press once more to remove Ben")
        ben.page.wait_for_selector(".trouble >> text=You are no longer in this group.")
        self.assertFalse(ben.page.is_visible("m-tray"), "the bell goes with the client")
        self.assertEqual(ben.accessibility_faults(), [])

    def test_a_phone_shares_the_link_and_others_copy_it(self):
        ann = self.page("Ann", key=self.serving.founding_key())
        ann.page.add_init_script("navigator.share = async (shared) => { globalThis.shared = shared; }")
        ann.page.reload()
        ann.come_in()
        ann.wait("matinee.groupKey", "Ann learns the group's key")
        ann.page.click("[data-key='share link']")
        ann.wait("shared.url.endsWith(matinee.groupKey)", "the link is shared with its key")
        ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
        ann.page.click("[data-key='copy link']")
        self.assertEqual(ann.ask("navigator.clipboard.readText()"), ann.ask("shared.url"))


class StartTests(BrowserTests):
    def at_the_countdown(self, page, deed):
        """Does something in a page as soon as it shows the countdown, which a busy driver may see too late."""
        page.ask(f"""() => new MutationObserver((_, watch) => {{
          if (document.querySelector('.seconds') === null) return;
          watch.disconnect();
          {deed}
        }}).observe(document.body, {{ childList: true, subtree: true }})""")

    def test_all_are_ready_and_a_countdown_starts_the_film_for_everybody(self):
        ann, ben = self.two_at_the_start()
        for page in (ann, ben):
            self.at_the_countdown(page, "window.counted = performance.now();")
            page.ask("""() => document.querySelector('video').addEventListener(
              'playing', () => { window.ran ??= performance.now(); })""")
        ann.page.click("text=Start when all are ready")
        ben.page.wait_for_selector("text=Ann starts when all are ready: 1 of 2")
        ben.page.click("text=I'm ready")
        for page in (ann, ben):
            page.wait("window.counted && window.ran", f"{page.name} sees the countdown, and the film runs")
            self.assertGreater(page.ask("ran - counted"), 1500)
        ann.wait_running()
        ben.wait_running()
        self.assertEqual(ben.ask("matinee.countdown.shown"), None)

    def test_who_is_not_ready_stops_it_and_anybody_takes_it_back(self):
        ann, ben = self.two_at_the_start()
        ben.page.click("text=I'm ready")
        self.at_the_countdown(ben, "matinee.request('setReadyToStart', { ready: false });")
        ann.page.click("text=Start when all are ready")
        ann.wait("[...matinee.session.participants.values()].every((one) => (one.ready === true) === (one.name === 'Ann'))",
                 "only Ann is ready")
        for page in (ann, ben):
            page.page.wait_for_selector("text=Ann starts when all are ready: 1 of 2")
        self.at_the_countdown(ann, "window.counted = performance.now();")
        self.at_the_countdown(
            ben, "[...document.querySelectorAll('button')].find(one => one.textContent.includes('Not yet')).click();")
        ben.page.click("text=I'm ready")
        ann.wait("window.counted", "Ann sees the countdown")
        ann.page.wait_for_selector("text=Start when all are ready")
        time.sleep(3.2)
        self.assertTrue(ann.ask("document.querySelector('video').paused"))


class TogetherTests(BrowserTests):
    def test_reactions_float_over_everybody_s_film(self):
        ann, ben = self.two_watching()
        ben.page.click("[aria-label='React with 👏']")
        for page in (ann, ben):
            page.page.wait_for_selector(".float >> text=👏")
            page.page.wait_for_selector("m-chat >> text=Ben: 👏")
        ann.page.locator("m-player .stage").hover()
        ann.page.click("m-player [aria-label=React]")
        ann.page.keyboard.press("ArrowDown")
        ann.page.keyboard.press("Enter")
        ben.page.wait_for_selector(".float >> text=😂")
        ben.ask("matinee.request('send', { payload: { reaction: '<b>no emoji</b>' } })")
        ben.ask("matinee.chat('done')")
        ann.page.wait_for_selector("m-chat >> text=done")
        self.assertNotIn("no emoji", ann.page.inner_text("body"))
        ann.wait("document.querySelectorAll('.float').length === 0", "they are gone")

    def test_reactions_stand_still_for_who_wants_no_motion(self):
        ann, ben = self.two_watching()
        ann.page.emulate_media(reduced_motion="reduce")
        ben.page.click("[aria-label='React with 🎬']")
        ann.page.wait_for_selector(".float >> text=🎬")
        self.assertEqual(ann.ask("getComputedStyle(document.querySelector('.float')).animationName"), "none")

    def test_who_comes_later_loads_what_was_given(self):
        ann, ben = self.two_at_the_start()
        data = [number % 251 for number in range(100_000)]
        ann.ask("""async (data) => {
            const { addAttachment } = await import("/attachments.js");
            await addAttachment(matinee, Uint8Array.from(data), { name: "map" });
        }""", data)
        cid = self.page("Cid").come_in()
        for page in (ben, cid):
            page.wait("matinee.session?.attachments.length === 1", f"{page.name} has the list")
            self.assertEqual(page.ask("matinee.session.attachments[0].metadata.name"), "map")
            loaded = page.ask("""async () => {
                const { loadAttachment } = await import("/attachments.js");
                return [...await loadAttachment(matinee, matinee.session.attachments[0])];
            }""")
            self.assertEqual(loaded, data)
        ann.ask("""async () => {
            const { removeAttachment } = await import("/attachments.js");
            await removeAttachment(matinee, matinee.session.attachments[0].attachment);
        }""")
        cid.wait("matinee.session.attachments.length === 0", "Cid's list is empty")

    def test_a_list_that_is_open_stays_open_while_others_come_and_get_ready(self):
        ann, ben = self.two_at_the_start()
        ann.ask("""() => {
          globalThis.taken = 0;
          new MutationObserver((changes) => {
            for (const { removedNodes } of changes) for (const one of removedNodes) {
              if (one.querySelector("#control, #waiting") !== null) globalThis.taken += 1;
            }
          }).observe(document.querySelector("m-people"), { childList: true });
        }""")
        ben.page.click("text=I'm ready")
        ann.page.wait_for_selector("text=1 of 2 ready")
        self.page("Cid").come_in()
        ann.wait("matinee.group.members.size === 3", "Cid is here")
        ann.ask("document.querySelector('m-people').draw()")
        self.assertEqual(ann.ask("globalThis.taken"), 0)
        ann.page.select_option("#control", "hostsOnly")
        ben.page.wait_for_selector("text=Only hosts steer.")
        self.assertEqual(ann.page.input_value("#control"), "hostsOnly")

    def test_a_host_gives_roles_takes_the_steering_and_removes(self):
        ann, ben = self.two_at_the_start()
        ann.page.select_option("#control", "hostsOnly")
        ben.page.wait_for_selector("text=Only hosts steer.")
        self.assertTrue(ben.ask("document.querySelector('m-player .big').disabled"))
        self.press(ann, "Ben", "Make co-host")
        ben.wait("matinee.session.own.role === 'coHost'", "Ben is co-host")
        self.assertFalse(ben.ask("document.querySelector('m-player .big').disabled"))
        ann.page.click("[aria-label='More about Ben']")
        ann.page.click("text=Remove from the session")
        ann.page.click("text=Press once more to remove Ben")
        ben.page.wait_for_selector(".toast >> text=Ann removed you from the session.")
        self.assertFalse(ben.page.is_visible("dialog"))
        ann.page.wait_for_selector("m-chat >> text=Ann removed Ben")
        self.assertEqual(ann.page.locator("m-chat >> text=Ann left").count(), 0)
        self.press(ann, "Ben", "Invite to watch along")
        ann.page.wait_for_selector(".toast >> text=Ben is invited")
        ben.page.wait_for_selector("[aria-label='Notifications: 1']")
        ben.page.click("[aria-label='Notifications: 1']")
        ben.page.click(".tray >> text=Watch along")
        ben.wait_joined()
        ben.page.wait_for_selector("[aria-label='Notifications: 0']")

    def test_who_is_banned_is_told_so_and_is_neither_offered_the_way_back_nor_invited(self):
        ann, ben = self.two_at_the_start()
        self.press(ann, "Ben", "Remove, and do not let back in")
        ann.page.click("text=Press once more to remove Ben")
        ben.page.wait_for_selector("m-start >> text=A host does not let you back in.")
        self.assertEqual(ben.page.locator("[data-key='way back'], #address").count(), 0)
        self.assertEqual(ben.accessibility_faults(), [])
        self.press(ann, "Ben", "Invite to watch along")
        ann.page.wait_for_selector(".toast >> text=That did not work: a host does not let them back in")
        # A page that is loaded again does not know it before it tries.
        ben.page.reload()
        ben.page.click("text=Watch with the others again")
        ben.page.wait_for_selector(".toast >> text=That did not work: a host does not let you back in")
        ben.page.wait_for_selector("[data-key='way back']", state="detached")

    def test_who_inherits_the_hosting_is_told_to_everybody(self):
        ann, ben = self.two_at_the_start()
        ann.ask("matinee.leave().then(() => null)")
        ben.page.wait_for_selector("m-chat >> text=Ben: host from now on")

    def test_a_notification_shows_all_of_its_texts_and_its_title_leads_to_its_place(self):
        ann = self.page("Ann").come_in()
        ann.page.wait_for_selector("[aria-label='Notifications: 0']")
        ann.ask("() => { navigator.setAppBadge = async (count) => { globalThis.badge = count; }; }")
        ann.ask("matinee.tray.followGroup(true).then(() => null)")
        ann.ask("""matinee.request('publish', { topic: `group/${matinee.group.id}`, data: { url: '/icon.svg#secret' },
            alert: { title: 'Shop', subtitle: 'Today', body: 'Half price' } }).then(() => null)""")
        ann.page.wait_for_selector(".toast >> text=Shop: Today: Half price")
        ann.page.click("[aria-label='Notifications: 1']")
        self.assertEqual(ann.ask("badge"), 1)
        texts = ann.page.locator(".tray li p:not(.hint)").all_text_contents()
        self.assertEqual(texts, ["Today", "Half price"])
        link = ann.page.locator(".tray li a")
        self.assertEqual(link.evaluate("(one) => [one.textContent, one.href]"), ["Shop", f"http://127.0.0.1:{self.serving.port}/icon.svg"])

    def test_who_shows_another_s_name_is_told_apart_by_the_user(self):
        ann = self.page("Ann").come_in()
        self.assertEqual(ann.ask("document.querySelectorAll('.marks').length"), 1)
        self.page("Ann\u200b").come_in()
        ann.page.wait_for_selector(".marks >> text=user “ann” · you")
        # What nobody sees is written out.
        self.assertIn("user “Ann\\u200b”", ann.page.locator(".marks").all_inner_texts())

    def press(self, page, person, deed):
        page.page.click(f"[aria-label='More about {person}']")
        page.page.click(f"[role=menu] >> text={deed}")


class QueueTests(BrowserTests):
    titles = "[...document.querySelectorAll('m-queue .title')].map(one => one.textContent).join()"

    def filled(self):
        ann, ben = self.two_at_the_start()
        for name in ("two", "three"):
            ann.page.fill("#next", self.serving.films.address(f"{name}.webm"))
            ann.page.click("m-queue form button")
            ben.page.wait_for_selector(f"m-queue >> text={name}")
        return ann, ben

    def wait_order(self, page, order):
        page.wait(f"{self.titles} === '{order}'", f"{page.name} sees {order}")

    def test_entries_are_dragged_by_mouse_and_moved_by_keys(self):
        ann, ben = self.filled()
        self.drag(ann, "three", "film")
        self.wait_order(ben, "three,film,two")
        grip = ann.page.locator("[aria-label^='Move three']")
        grip.focus()
        ann.page.keyboard.press("ArrowDown")
        self.wait_order(ann, "film,three,two")
        ann.page.keyboard.press("ArrowDown")
        self.wait_order(ben, "film,two,three")
        self.assertEqual(ann.ask("document.activeElement.ariaLabel"), "Move three: arrow keys, or drag")
        self.assertEqual(ann.page.inner_text("#spoken"), "three is now number 3 of 3")

    def drag(self, page, entry, onto):
        box = lambda title: page.page.locator(f"[aria-label^='Move {title}']").bounding_box()
        start, end = box(entry), box(onto)
        page.page.mouse.move(start["x"] + 10, start["y"] + 10)
        page.page.mouse.down()
        page.page.mouse.move(end["x"] + 10, end["y"] + 20, steps=6)
        page.page.mouse.move(end["x"] + 10, end["y"] + 2, steps=2)
        page.page.mouse.up()

    def test_the_chat_tells_what_people_do_with_the_queue(self):
        ann, ben = self.filled()
        ben.page.wait_for_selector("m-chat >> text=Ann added two")
        ben.page.focus("[aria-label^='Move three']")
        ben.page.keyboard.press("ArrowUp")
        ann.page.wait_for_selector("m-chat >> text=Ben moved three")
        ann.page.click("[aria-label='More about two']")
        ann.page.click("[role=menu] >> text=Remove")
        ben.page.wait_for_selector("m-chat >> text=Ann took two out")
        ann.page.click("[aria-label='Play three now']")
        ben.wait("document.title === 'three · Matinee'", "the tab has the film's title")
        self.assertEqual(ben.page.inner_text("m-player .title"), "three")
        ben.ask("matinee.request('setActivity', { activity: { ...matinee.session.activity, media: { url: '/media/film.webm', title: 'four' } } })"
                ".then(() => null)")
        ann.wait("document.title === 'four · Matinee'", "and follows it")

    def long(self):
        """Ten entries, of which a few are to be seen."""
        ann, ben = self.two_at_the_start()
        ann.ask("""matinee.request('insert', { media: Array.from({ length: 9 }, (_, index) =>
          ({ url: `/media/${index}.webm`, title: `film ${index}` })) }).then(() => null)""")
        for page in (ann, ben):
            page.wait("document.querySelectorAll('.queue li').length === 10", f"{page.name} sees all of them")
        return ann, ben

    def test_a_long_queue_scrolls_to_what_is_current_and_then_where_a_person_wants(self):
        ann, ben = self.long()
        scrolled = "document.querySelector('.queue').scrollTop"
        self.assertEqual(ben.ask(scrolled), 0)
        entry = ann.ask("matinee.session.queue.entries[7].entry")
        ann.ask("entry => matinee.request('select', { entry }).then(() => null)", entry)
        ben.wait(f"{scrolled} > 100", "what is current is in sight")
        ben.ask("() => { document.querySelector('.queue').scrollTop = 40; }")
        ann.ask("matinee.request('setRepeat', { repeat: 'all' }).then(() => null)")
        ben.page.wait_for_selector("[data-key=repeat][aria-pressed=true]")
        self.assertEqual(ben.ask(scrolled), 40)
        # Also while a button that is out of sight there has the focus.
        ben.ask("() => { document.querySelector('.queue .grip').focus(); document.querySelector('.queue').scrollTop = 200; }")
        ann.ask("matinee.request('setRepeat', { repeat: 'off' }).then(() => null)")
        ben.page.wait_for_selector("[data-key=repeat][aria-pressed=false]")
        self.assertEqual(ben.ask(scrolled), 200)
        self.assertTrue(ben.ask("document.activeElement.matches('.queue .grip')"))
        ann.ask("matinee.request('setControl', { control: 'hostsOnly' }).then(() => null)")
        ben.page.wait_for_selector(".queue[tabindex='0']")
        self.assertEqual(ben.accessibility_faults(), [])

    def test_a_long_queue_scrolls_under_an_entry_that_is_dragged(self):
        ann, ben = self.long()
        ann.page.locator("m-queue").scroll_into_view_if_needed()
        grip, queue = (ann.page.locator(one).first.bounding_box() for one in (".queue .grip", ".queue"))
        bottom = queue["y"] + queue["height"]
        ann.page.mouse.move(grip["x"] + 10, grip["y"] + 10)
        ann.page.mouse.down()
        # It is held still there.
        ann.page.mouse.move(grip["x"] + 10, bottom - 2)
        ann.wait("(({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight >= scrollHeight - 1)"
                 "(document.querySelector('.queue'))", "the list is at its end")
        ann.page.mouse.up()
        ben.wait("matinee.session.queue.entries.at(-1).title === document.querySelector('m-player .title').textContent",
                 "the first is the last")

    def test_a_finger_drags_too(self):
        ann, _ = self.filled()
        phone = self.page("Cem", is_mobile=True, has_touch=True, viewport={"width": 390, "height": 900}).come_in()
        phone.wait_joined()
        grip = phone.page.locator("[aria-label^='Move two']")
        grip.scroll_into_view_if_needed()
        box = grip.bounding_box()
        touch = phone.context.new_cdp_session(phone.page)
        place = {"x": box["x"] + 12, "y": box["y"] + 12}
        touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [place]})
        for way in (20, 40, 64):
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{**place, "y": place["y"] + way}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.wait_order(ann, "film,three,two")

    def test_the_queue_is_shuffled_and_begins_again_for_everybody(self):
        ann, ben = self.filled()
        is_on = "(key) => document.querySelector(`m-queue [data-key='${key}']`)?.ariaPressed"
        self.assertEqual([ben.ask(is_on, key) for key in ("shuffle", "repeat")], ["false", "false"])
        ann.page.click("[aria-label='Play three now']")
        ben.wait("matinee.session.queue.currentEntry.title === 'three'", "three is current")
        ann.page.click("[aria-label='Repeat the queue']")
        ben.wait("document.querySelector('m-queue li:has(.now):not([aria-current]) .title').textContent === 'film'", "film is next")
        ben.page.wait_for_selector("m-chat >> text=Ann: after the last film, the first one follows")
        ben.page.click("[aria-label='Shuffle the queue']")
        ann.wait("matinee.session.queue.isShuffled && matinee.session.queue.entries[0].title === 'three'", "three is first")
        ann.page.click("[aria-label='Shuffle the queue'][aria-pressed=true]")
        self.wait_order(ben, "film,two,three")
        ben.page.click("[aria-label='Repeat the queue']")
        ann.wait("matinee.session.queue.repeat === 'off'", "nothing follows the last")
        ann.ask("matinee.request('setControl', { control: 'hostsOnly' }).then(() => null)")
        ben.page.wait_for_selector("[data-key=shuffle]", state="detached")

    def test_what_plays_next_is_marked_and_entries_go(self):
        ann, ben = self.filled()
        marked = "document.querySelector('m-queue li:has(.now):not([aria-current]) .title').textContent"
        self.assertEqual(ben.ask(marked), "two")
        ann.page.click("[aria-label='More about two']")
        ann.page.click("[role=menu] >> text=Remove")
        self.wait_order(ben, "film,three")
        ben.wait(f"{marked} === 'three'", "three is next")
        ben.page.click("[aria-label='More about three']")
        ben.page.keyboard.press("Enter")
        self.wait_order(ann, "three,film")
        ann.page.click("[aria-label='Play three now']")
        ben.wait("matinee.session.queue.currentEntry.title === 'three'", "three is current")


class OwnFileTests(BrowserTests):
    def test_a_file_of_one_s_own_plays_for_those_who_have_it_and_is_compared(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        requests = []
        for page in (ann, ben):
            page.page.on("request", lambda request: requests.append((request.method, request.url)))
        folder = pathlib.Path(self.folder.name)
        own, renamed, other = folder / "My Film.webm", folder / "my copy" / "My_Film.webm", folder / "Other.webm"
        renamed.parent.mkdir()
        for copy in (own, renamed):
            shutil.copy(self.film, copy)
        other.write_bytes(b"no film")
        ann.page.set_input_files("#own", str(own))
        ann.wait_joined()
        ben.page.wait_for_selector("text=Everybody needs their own copy of My Film.webm")
        ben.page.set_viewport_size({"width": 390, "height": 780})
        ben.page.set_input_files("#copy", str(other))
        ben.page.wait_for_selector("text=This is not the same file: its name and size are others.")
        self.assertFalse(ben.page.is_visible(".controls"), "nothing lies over the question")
        ben.page.set_input_files("#copy", str(renamed))
        ben.wait_joined()
        ann.page.click("text=Start together")
        ann.wait_running()
        ben.wait_running()
        self.assertTrue(all(method == "GET" for method, _ in requests), requests)

    def test_a_copy_of_another_film_of_the_same_name_is_not_taken_for_it(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        longer = pathlib.Path(self.folder.name) / "Season 2" / self.film.name
        longer.parent.mkdir()
        longer.write_bytes(self.film.read_bytes() + bytes(8))
        ann.page.set_input_files("#own", str(self.film))
        ben.page.set_input_files("#copy", str(self.film))
        ben.wait_joined()
        ann.ask("matinee.request('end').then(() => null)")
        ann.wait("matinee.session === null", "the first film is over")
        ann.page.set_input_files("#own", str(longer))
        ben.page.wait_for_selector("text=Everybody needs their own copy")
        ben.page.set_input_files("#copy", str(longer))
        ben.wait_joined()

    def test_a_file_of_one_s_own_is_the_next_film(self):
        ann, ben = self.two_at_the_start()
        own = pathlib.Path(self.folder.name) / "Second.webm"
        shutil.copy(self.film, own)
        ann.page.set_input_files("#next-own", str(own))
        ben.page.wait_for_selector("m-queue .title >> text=Second.webm")
        self.assertEqual(ann.accessibility_faults(), [])
        ann.page.click("[aria-label='Play Second.webm now']")
        ben.page.wait_for_selector("text=Everybody needs their own copy of Second.webm")
        ann.wait_joined()
        self.assertEqual(ann.page.locator("#copy").count(), 0, "Ann has hers")
        ben.page.set_input_files("#copy", str(own))
        ben.wait_joined()

    def test_the_question_for_a_copy_keeps_the_focus_whatever_others_do(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        ann.page.set_input_files("#own", str(self.film))
        ann.wait_joined()
        field = ben.page.locator("#copy")
        field.focus()
        ben.ask("() => { globalThis.field = document.activeElement; }")
        ann.page.click("text=I'm ready")
        ben.wait("[...matinee.session.participants.values()].some(({ ready }) => ready === true)", "Ben hears of it")
        self.assertTrue(ben.ask("document.activeElement === field"), "it is not even put there anew")
        other = pathlib.Path(self.folder.name) / "Other.webm"
        other.write_bytes(b"no film")
        field.set_input_files(str(other))
        ben.page.wait_for_selector("text=This is not the same file")
        self.assertTrue(ben.ask("document.activeElement.matches('#copy')"), "another question has it, too")

    def test_the_question_for_a_copy_goes_with_its_film(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        ann.page.set_input_files("#own", str(self.film))
        ann.wait_joined()
        ben.page.wait_for_selector("text=Everybody needs their own copy")
        ann.ask("(url) => matinee.watch({ url }).then(() => null)", self.serving.films.address("film.webm"))
        ben.wait_joined()
        ben.page.wait_for_selector("text=Everybody needs their own copy", state="detached")

    def test_a_copy_that_cannot_be_played_is_replaced_by_another_one(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        other = pathlib.Path(self.folder.name) / "Other.webm"
        other.write_bytes(b"no film")
        ann.page.set_input_files("#own", str(self.film))
        ann.wait_joined()
        ben.page.set_input_files("#copy", str(other))
        ben.page.click("text=Use it anyway")
        ben.page.wait_for_selector("text=This browser cannot play film.webm.")
        ben.page.set_input_files("#copy", str(self.film))
        ben.wait_joined()
        ben.page.wait_for_selector("text=This browser cannot play", state="detached")

    def test_nobody_waits_for_who_is_loaded_again_without_the_copy(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        ann.page.set_input_files("#own", str(self.film))
        ben.page.set_input_files("#copy", str(self.film))
        ben.wait_joined()
        ann.page.reload()
        ann.page.wait_for_selector("text=Everybody needs their own copy")
        ben.wait("[...matinee.session.participants.values()].some(({ name, item }) => name === 'Ann' && item === undefined)",
                 "Ann has no film open")
        ben.page.click("text=Start together")
        ben.wait_running()

    def test_a_copy_of_another_length_is_told(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.wait("matinee.eligibility.eligible", "Ann may start something")
        folder = pathlib.Path(self.folder.name)
        long, short = folder / "film.webm", folder / "short.webm"
        shutil.copy(self.film, long)
        subprocess.run(["ffmpeg", "-v", "error", "-i", str(long), "-t", "30", "-c", "copy", str(short)], check=True)
        ann.page.set_input_files("#own", str(long))
        ann.wait_joined()
        ben.page.set_input_files("#copy", str(short))
        ben.page.click("text=Use it anyway")
        ben.wait_joined()
        ben.page.wait_for_selector("text=Your copy has another length: 0:30 instead of 1:30.")
        ann.page.wait_for_selector("text=Ben has a copy of another length: 0:30 instead of 1:30.")


class AudienceTests(BrowserTests):
    options = ("--named-places", "2")

    def test_who_finds_no_named_place_watches_along(self):
        ann, _ = self.two_watching()
        cid = self.page("Cid").come_in()
        cid.wait("matinee.session?.isSpectator && matinee.group.members.size === 2", "Cid is a spectator")
        cid.wait_running()
        time.sleep(1)
        median, _ = self.apart(ann, cid)
        self.assertLessEqual(median, 40)
        for page in (ann, cid):
            page.page.wait_for_selector("text=Watching besides: 1")
        self.assertTrue(cid.page.is_disabled("#say"))
        self.assertTrue(cid.page.is_disabled(".controls .big"))
        self.assertEqual(cid.accessibility_faults(), [])
        ann.page.fill("#say", "Popcorn?")
        ann.page.keyboard.press("Enter")
        cid.page.wait_for_selector("m-chat >> text=Popcorn?")

    def test_a_spectator_comes_anew_after_the_server_was_killed_and_watches_on(self):
        ann, ben = self.two_watching()
        cid = self.page("Cid").come_in()
        cid.wait("matinee.session?.isSpectator", "Cid is a spectator")
        cid.wait_running()
        session = cid.ask("matinee.session.id")
        cid.ask("""() => {
          const video = document.querySelector('video');
          globalThis.stops = 0;
          for (const name of ['pause', 'emptied']) video.addEventListener(name, () => { globalThis.stops += 1; });
        }""")
        self.serving.kill_server()
        cid.wait("!matinee.isOnline", "Cid notices")
        self.serving.start()
        for page in (ann, ben, cid):
            page.wait(f"matinee.isOnline && matinee.session.id === '{session}'", f"{page.name} is back", 20)
        cid.page.wait_for_selector("text=Watching besides: 1")
        self.assertEqual(cid.ask("globalThis.stops"), 0, "the film went on")
        ann.page.locator("m-player .stage").hover()
        ann.page.click(".controls .big")
        cid.wait_phase("paused")
        cid.wait("document.querySelector('video').paused", "Cid's film is paused")
