"""Somebody who has the page open in a browser, whatever drives it: what they see and play."""

import time

#: How long something may take, in seconds, that tests wait for without measuring it.
PATIENCE = 60.0


def wait_until(is_so, what, patience=PATIENCE):
    """Waits for what has to become true; fails with its name."""
    end = time.monotonic() + patience
    while True:
        value = is_so()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {patience} s: {what}")
        time.sleep(0.02)


class Visitor:
    """Subclasses open the page, `ask` it, type and click."""

    name = ""

    def ask(self, expression, value=None):
        """What an expression is, or what the function returns that it is, or what either promises."""
        raise NotImplementedError

    def fill(self, selector, text):
        raise NotImplementedError

    def click(self, selector):
        raise NotImplementedError

    def come_in(self):
        self.fill("#name", self.name)
        self.click(".welcome .primary")
        self.wait("matinee.group !== null", f"{self.name} is in the group")
        return self

    def wait(self, expression, what, patience=PATIENCE):
        wait_until(lambda: self.ask(f"Boolean(globalThis.matinee && ({expression}))"), what, patience)

    def choose(self, address):
        self.wait("matinee.eligibility.eligible", f"{self.name} may start something")
        self.fill("#address", address)
        self.click("m-start .primary")
        self.wait_joined()

    def wait_joined(self):
        self.wait("matinee.session && matinee.session.own.item", f"{self.name} has the film open")

    def wait_phase(self, phase, patience=PATIENCE):
        self.wait(f"matinee.session && matinee.session.timeline.phase === '{phase}'",
                  f"{self.name} sees the film {phase}", patience)

    def wait_running(self, patience=PATIENCE):
        self.wait("!document.querySelector('video').paused", f"{self.name}'s film runs", patience)

    def position(self):
        """Where the element stands, in seconds."""
        return self.ask("document.querySelector('video').currentTime")

    def start_sampling(self):
        """Reads [wall clock, position] every 20 ms, each pair in one task of the browser."""
        self.ask("""() => {
          const video = document.querySelector('video');
          window.samples = [];
          window.sampler = setInterval(() => {
            if (video.paused || video.seeking) return;
            const before = performance.timeOrigin + performance.now();
            const position = video.currentTime * 1000;
            samples.push([(before + performance.timeOrigin + performance.now()) / 2, position]);
          }, 20);
        }""")

    def samples(self):
        return self.ask("() => { clearInterval(sampler); return samples; }")
