"""Films of the server's own folder: chosen from the list, fetched in parts, and by participants only."""

import pathlib
import shutil
import urllib.error
import urllib.request

from browser_case import BrowserTests


class MediaTests(BrowserTests):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = pathlib.Path(cls.shared.name) / "films"
        (folder / "Season 1").mkdir(parents=True)
        shutil.copy(cls.film, folder / "Season 1" / "Zoë & Max.webm")
        shutil.copy(cls.film, folder / ".hidden.webm")
        cls.options = ["--media", str(folder)]

    def test_a_film_is_chosen_from_the_list_and_both_play_it(self):
        ann, ben = self.page("Ann").come_in(), self.page("Ben").come_in()
        ann.page.click("m-start .library summary")
        titles = ann.page.locator("m-start .media button").all_inner_texts()
        self.assertEqual(titles, ["Season 1 / Zoë & Max"])
        self.assertEqual(ann.accessibility_faults(), [])
        ann.page.click("m-start .media button")
        ben.wait_joined()
        ann.page.click("text=Start together")
        for page in (ann, ben):
            page.wait_running()
        address = ben.ask("new URL(document.querySelector('video').currentSrc).href")
        self.assertIn("/media/s-", address)
        # Far ahead, where nothing is buffered: the player fetches that part.
        ann.ask("matinee.seek(70_000_000)")
        ben.wait("document.querySelector('video').currentTime > 69 && !document.querySelector('video').seeking",
                 "the film is near its end")
        self.assertEqual(self.status(address), 200)
        ann.ask("matinee.request('end', {})")
        ben.wait("matinee.session === null", "the session is over")
        self.assertEqual(self.status(address), 403)

    @staticmethod
    def status(address):
        try:
            return urllib.request.urlopen(address).status
        except urllib.error.HTTPError as error:
            return error.code
