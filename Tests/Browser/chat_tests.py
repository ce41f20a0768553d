"""What people say: the lines, where the log stands, who may speak, and whose words are whose."""

import re

from browser_case import BrowserTests
from visitor import wait_until


class ChatTests(BrowserTests):
    #: Whether the log shows its last line.
    AT_END = """() => { const log = document.querySelector("m-chat .log");
        return log.scrollTop > 0 && log.scrollHeight - log.scrollTop - log.clientHeight < 2; }"""

    def say(self, page, said):
        page.page.fill("#say", said)
        page.page.keyboard.press("Enter")

    def test_the_chat_is_kept_for_this_visit_and_counts_what_nobody_saw(self):
        ann, ben = self.two_at_the_start()
        ben.page.set_viewport_size({"width": 390, "height": 500})
        ben.ask("scrollTo(0, 0)")
        for said in ("Popcorn?", "Sweet or salty?"):
            ann.page.fill("#say", said)
            ann.page.keyboard.press("Enter")
        ben.page.wait_for_selector(".to-chat >> text=2")
        self.assertTrue(ben.ask("document.title").startswith("(2) "))
        ben.page.click(".to-chat")
        ben.wait("document.querySelector('.to-chat').hidden", "they are seen")
        ben.page.reload()
        ben.page.wait_for_selector("m-chat >> text=Sweet or salty?")
        ben.ask("matinee.chat('Both.')")
        ann.page.wait_for_selector("m-chat >> text=Both.")
        # What the server keeps of the chat does not double what this tab has kept.
        self.assertEqual(ben.page.locator("m-chat >> text=Popcorn?").count(), 1)

    def test_addresses_are_links_and_nothing_else_is(self):
        ann, ben = self.two_at_the_start()
        self.say(ann, "Look: https://example.org/a?b=c. <img src=x onerror=alert(1)> javascript:alert(1)")
        link = ben.page.locator("m-chat .said a")
        link.wait_for()
        self.assertEqual([link.get_attribute(name) for name in ("href", "rel", "target")],
                         ["https://example.org/a?b=c", "noopener noreferrer", "_blank"])
        self.assertEqual(ben.page.locator("m-chat .said img").count(), 0)
        self.assertEqual(ben.accessibility_faults(), [])

    def test_what_was_done_is_told_in_the_language_of_now(self):
        ann, ben = self.two_at_the_start()
        self.say(ann, "Popcorn?")
        ben.page.click("text=I'm ready")
        ann.page.wait_for_selector("m-chat >> text=Ben is ready")
        ann.page.click("[aria-label='Settings']")
        ann.page.select_option("#language", "de")
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_selector("m-chat >> text=Ben ist bereit")
        self.assertEqual(ann.page.locator("m-chat >> text=Ben is ready").count(), 0)
        self.assertEqual(ann.page.locator("m-chat >> text=Popcorn?").count(), 1)
        ann.page.reload()
        ann.page.wait_for_selector("m-chat >> text=Ben ist bereit")

    def test_the_chat_goes_on_when_the_tab_has_no_room_for_it(self):
        ann, ben = self.two_at_the_start()
        ann.ask("() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; }")
        ben.ask("matinee.chat('Popcorn?').then(() => null)")
        ann.page.wait_for_selector("m-chat >> text=Popcorn?")

    def test_who_comes_later_reads_what_was_said(self):
        ann, ben = self.two_at_the_start()
        ann.ask("matinee.chat('Popcorn?')")
        ben.page.wait_for_selector("m-chat >> text=Popcorn?")
        ben.ask("matinee.chat('Salty.')")
        cid = self.page("Cid").come_in()
        cid.page.wait_for_selector("m-chat >> text=Salty.")
        self.assertEqual(cid.page.locator("m-chat .said b").all_inner_texts(), ["Ann", "Ben"])
        self.assertEqual(cid.page.locator(".to-chat").is_visible(), False)

    def test_the_log_stands_at_its_end_after_the_page_is_loaded_again(self):
        ann, ben = self.two_at_the_start()
        for number in range(30):
            ann.ask("number => matinee.chat(`line ${number}`).then(() => null)", number)
        ben.page.wait_for_selector("m-chat >> text=line 29")
        ben.page.reload()
        ben.page.wait_for_selector("m-chat >> text=line 29")
        ben.wait(f"({self.AT_END})()", "Ben's log is at its end")
        ann.ask("matinee.chat('the newest').then(() => null)")
        ben.page.wait_for_selector("m-chat >> text=the newest")
        ben.wait(f"({self.AT_END})()", "Ben's log follows")

    def test_what_comes_while_one_reads_further_up_counts_as_unread_and_one_s_own_line_leads_back(self):
        ann, ben = self.two_at_the_start()
        for number in range(30):
            ann.ask("number => matinee.chat(`line ${number}`).then(() => null)", number)
        ben.wait(f"({self.AT_END})()", "Ben's log is at its end")
        ben.ask("document.querySelector('m-chat .log').scrollTop = 0")
        ben.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))")
        ann.ask("matinee.chat('the newest').then(() => null)")
        ben.page.wait_for_selector("m-chat h2 >> text=1 new")
        self.assertEqual(ben.ask("document.querySelector('m-chat .log').scrollTop"), 0)
        self.say(ben, "I am back")
        ben.wait(f"({self.AT_END})()", "Ben's log is at its end")
        ben.wait("document.querySelector('m-chat h2 .count').textContent === ''", "all is read")

    def test_a_line_on_its_way_is_shown_and_what_is_written_meanwhile_is_kept(self):
        ann, _ = self.two_at_the_start()
        ann.ask("""() => { matinee.chat = () => new Promise((done, fail) => { globalThis.answer = { done, fail }; }); }""")
        self.say(ann, "first words")
        ann.page.wait_for_selector("m-chat .sending >> text=first words")
        ann.page.fill("#say", "second words")
        ann.ask("answer.fail(new Error('no connection'))")
        ann.page.wait_for_selector(".toast >> text=no connection")
        self.assertEqual(ann.page.input_value("#say"), "first words second words")
        self.assertEqual(ann.page.locator(".sending").count(), 0)

    def test_who_may_speak_again_has_the_field_again(self):
        ann, ben = self.two_at_the_start()
        field = "document.querySelector('#say').disabled"
        set_role = """role => {
            const ben = [...matinee.session.participants.values()].find((one) => one.name === "Ben");
            return matinee.request("setRole", { participant: ben.participant, role }).then(() => null);
        }"""
        ann.ask(set_role, "listener")
        ben.wait(field, "Ben may not speak")
        ann.ask(set_role, "guest")
        ben.wait(f"!{field}", "Ben may speak")

    def test_a_name_that_turns_the_direction_turns_no_sentence(self):
        ann, _ = self.two_at_the_start()
        self.page("Eve\u202e").come_in().wait_joined()
        ann.page.wait_for_selector("m-chat .deed >> text=Eve")
        deeds = ann.page.locator("m-chat .deed").all_inner_texts()
        self.assertFalse(any(re.search("[\u202a-\u202e]", deed) for deed in deeds), deeds)
        hebrew = "\u05d3\u05e0\u05d4"
        self.page(hebrew).come_in().wait_joined()
        wait_until(lambda: any(f"\u2068{hebrew}\u2069" in deed for deed in ann.page.locator("m-chat .deed").all_inner_texts()),
                   "the name has a direction of its own")
