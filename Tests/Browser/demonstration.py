"""Two pages, each in a Chromium of its own, and an mpv watch one film: scripts/demo browser.

Everybody is behind a network of their own. Each position is read where it is made: in the page, and
over mpv's own socket. `matinee demo --recording` draws what was read and says how far apart they
were, as it does for every demonstration.
"""

import argparse
import contextlib
import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types

from evening import CHROMIUM, FREELY, PROGRAM, SWITCHES, Page, Serving, free_port, wait_until
from network import Network
from playwright.sync_api import sync_playwright

FILM = "By the sea.webm"
# One way, in milliseconds ± 10.
DELAYS = {"Ann": 10, "Dora": 60, "Ben": 150}
# Where the group seeks to, in seconds: beyond what Ben has loaded by then.
FAR = 240
SECONDS = 300

SAMPLER = """() => {
  const video = document.querySelector('video');
  const readings = globalThis.readings = [];
  let frame = null;
  const look = (_, shown) => {
    frame = shown.mediaTime;
    video.requestVideoFrameCallback(look);
  };
  video.requestVideoFrameCallback(look);
  setInterval(() => {
    if (video.seeking || video.readyState < 2) return;
    const before = performance.now();
    // What stands still is at the frame that is seen.
    const place = video.paused && frame !== null ? frame : video.currentTime;
    const at = performance.timeOrigin + (before + performance.now()) / 2;
    readings.push([at * 1000, place * 1e6, frame === null ? null : frame * 1e6].map(
      (number) => number === null ? null : Math.round(number)));
  }, 20);
}"""


def make_film(path):
    """A sun that goes round over the sea, with a tone: ten seconds, thirty times."""
    sky = ("gradients=size=640x360:rate=25:speed=0.00001:nb_colors=4:c0=0x1d2951:c1=0x7a3b6d"
           ":c2=0xe07a5f:c3=0xf6cf92:x0=320:y0=0:x1=320:y1=250")
    sun = ("color=0xfff1c9:size=96x96:rate=25,format=yuva420p,geq=lum='lum(X,Y)':cb='cb(X,Y)'"
           ":cr='cr(X,Y)':a='255*clip(46-hypot(X-48,Y-48),0,1)'")
    world = ("[0][1]overlay=x='272-200*cos(2*PI*t/10)':y='150-110*sin(2*PI*t/10)',"
             "drawbox=y=250:h=110:color=0x16223f:t=fill,drawbox=y=250:h=2:color=0xf6cf92:t=fill,"
             "format=yuv420p")
    round_trip = path.with_name("round.webm")
    ffmpeg = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
    subprocess.run(
        [*ffmpeg, "-f", "lavfi", "-i", sky, "-f", "lavfi", "-i", sun, "-filter_complex", world,
         "-t", "10", "-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "400k",
         "-g", "25", str(round_trip)], check=True)
    # The sound is made in one piece: where pieces of it meet, players disagree by 20 ms.
    subprocess.run(
        [*ffmpeg, "-stream_loop", "29", "-i", str(round_trip),
         "-f", "lavfi", "-i", "sine=frequency=220:sample_rate=48000", "-map", "0:v", "-map", "1:a",
         "-t", str(SECONDS), "-c:v", "copy", "-c:a", "libvorbis", str(path)], check=True)


class Playhead(threading.Thread):
    """Reads where an mpv is, every 20 ms."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.readings = []
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rw")
        self.is_over = threading.Event()

    def ask(self, name):
        self.lines.write(json.dumps({"command": ["get_property", name], "request_id": 7}) + "\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline())
            if answer.get("request_id") == 7:
                return answer.get("data")

    def run(self):
        with contextlib.suppress(OSError, ValueError):
            while not self.is_over.wait(0.02):
                before = time.time()
                sound = self.ask("audio-pts")
                after = time.time()
                frame = self.ask("time-pos")
                # What stands still is at the frame that is seen; without sound it seeks.
                place = frame if self.ask("pause") else sound
                if place is not None and after - before < 0.005:
                    at = (before + after) / 2
                    self.readings.append(
                        [microseconds(at), microseconds(place),
                         None if frame is None else microseconds(frame)])

    def stop(self):
        self.is_over.set()
        self.join()
        self.socket.close()


def microseconds(seconds):
    return round(seconds * 1_000_000)


def socket_of_mpv(client):
    """The socket of the mpv that a `matinee join` has started."""
    for children in pathlib.Path(f"/proc/{client.pid}/task").glob("*/children"):
        for child in children.read_text().split():
            for word in pathlib.Path(f"/proc/{child}/cmdline").read_text().split("\0"):
                option, _, path = word.partition("=")
                if option == "--input-ipc-server" and pathlib.Path(path).exists():
                    return path
    return None


class Demonstration:
    """One evening; what happens is printed and recorded as it happens."""

    def __init__(self, output, playwright, pace, closing):
        self.output, self.playwright, self.pace, self.closing = output, playwright, pace, closing
        self.lines = []
        self.pictures = 0
        self.pages = []
        self.playhead = None
        folder = pathlib.Path(closing.enter_context(tempfile.TemporaryDirectory()))
        self.serving = Serving(folder)
        closing.callback(self.serving.stop)
        make_film(self.serving.media / FILM)
        self.serving.start()
        self.address = self.serving.films.address(FILM.replace(" ", "%20"))
        # Ben's download takes a way of its own, so that it can stall; it is quick enough to begin at
        # once, and not so quick that he has all of the film by the time of the seek.
        self.rate = (self.serving.media / FILM).stat().st_size / SECONDS
        self.download = self.network(self.serving.films.server.server_port, 0)
        self.download.pace = 20 * self.rate
        films = f"127.0.0.1:{self.serving.films.server.server_port}"
        self.browsers = {
            "Ann": self.launch(),
            "Ben": self.launch(f"--host-resolver-rules=MAP {films} 127.0.0.1:{self.download.port}")}
        self.begun = time.time()

    def network(self, port, delay):
        network = Network(free_port(), port, delay)
        self.closing.callback(network.stop)
        return network

    def launch(self, *switches):
        browser = self.playwright.chromium.launch(
            executable_path=CHROMIUM, args=[*SWITCHES, FREELY, *switches])
        self.closing.callback(browser.close)
        return browser

    # What is recorded.

    def tell(self, person, did, phase=None, verb=None):
        """A press of a person, which may begin a phase."""
        line = {"at": microseconds(time.time()), "person": person, "did": did}
        line |= {"phase": phase} if phase else {}
        line |= {"verb": verb} if verb else {}
        self.lines.append(line)
        self.show(f"{person:<5} > {did}")

    def begin(self, phase):
        self.lines.append({"at": microseconds(time.time()), "phase": phase})

    def show(self, text):
        print(f"{time.time() - self.begun:7.3f}  {text}", flush=True)

    def last(self, seconds):
        time.sleep(seconds * self.pace)

    def take_pictures(self, what):
        """A picture of each page."""
        self.pictures += 1
        for page in self.pages:
            page.shot(self.output / f"{self.pictures}-{what}-{page.name.lower()}.png")

    def save(self):
        for page in self.pages:
            self.add(page.name, page.ask("readings"))
        self.playhead.stop()
        self.add("Dora", self.playhead.readings)
        self.lines.sort(key=lambda line: line["at"])
        self.lines = [{"at": microseconds(self.begun), "recording": "browser"}, *self.lines,
                      {"at": microseconds(time.time()), "end": True}]
        path = self.output / "recording.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in self.lines))
        return path

    def add(self, person, readings):
        for at, place, frame in readings:
            line = {"at": at, "person": person, "place": place}
            self.lines.append(line if frame is None else line | {"frame": frame})

    # Who takes part.

    def open_page(self, name):
        way = self.network(self.serving.port, DELAYS[name])
        # The page is reached through the person's own network.
        door = types.SimpleNamespace(link=lambda group, _: f"http://127.0.0.1:{way.port}/{group}")
        return Page(self.browsers[name], door, name, viewport={"width": 1280, "height": 900})

    def let_in(self, page):
        page.come_in()
        self.pages.append(page)

    def open_mpv(self, name):
        way = self.network(self.serving.line_port, DELAYS[name])
        client = self.serving.join_with_mpv(name, port=way.port)
        self.closing.callback(client.communicate)
        self.closing.callback(client.terminate)
        return client

    # What happens.

    def run(self):
        ann, ben = self.open_page("Ann"), self.open_page("Ben")
        self.let_in(ann)
        dora = self.open_mpv("Dora")
        ann.wait("matinee.eligibility.eligible", "Dora is in the group", 60)
        ann.choose(self.address)
        ann.ask(SAMPLER)
        ann.wait("[...matinee.session.participants.values()].filter(one => one.item).length === 2",
                 "Ann and Dora have the film open", 30)
        self.show("Ann and Dora have the film open")
        self.playhead = Playhead(
            wait_until(lambda: socket_of_mpv(dora), "Dora's mpv is found"))
        self.playhead.start()
        ann.ask("matinee.chat('Popcorn is ready.')")
        self.take_pictures("before")
        self.start(ann, "Ann", "start")
        self.last(3)
        self.begin("playing")
        self.last(5)
        self.come_late(ben)
        self.begin("playing, all three")
        self.last(2)
        ben.ask("matinee.chat('Sorry, the bus. What a sky!')")
        self.last(4)
        ann.wait("(document.querySelector('video').currentTime % 10 - 2.5) ** 2 < 1", "the sun is high")
        self.take_pictures("playing")
        self.pause(dora)
        self.start(ben, "Ben", "start again")
        self.last(2)
        self.seek(ann)
        self.stall(ben)
        self.begin("playing after it")
        self.last(5)
        self.take_pictures("end")

    def start(self, page, name, phase):
        self.tell(name, "play", phase)
        page.ask("void matinee.play()")
        for one in self.pages:
            one.wait_running()

    def come_late(self, page):
        page.page.fill("#name", page.name)
        self.tell("Ben", "join", "late page")
        self.let_in(page)
        page.wait("document.querySelector('video')", "Ben has the player")
        page.ask(SAMPLER)
        page.wait_running()
        self.show("Ben watches along")
        self.download.pace = 3 * self.rate
        self.last(4)

    def pause(self, mpv):
        self.tell("Dora", "pause", "pause")
        mpv.stdin.write(b"pause\n")
        mpv.stdin.flush()
        for page in self.pages:
            page.wait_phase("paused")
            page.wait("!document.querySelector('video').seeking", "the seek is over")
        time.sleep(1)
        self.take_pictures("paused")

    def seek(self, page):
        self.tell("Ann", f"seek {FAR}", "seek")
        # From here on Ben has little in advance.
        self.download.pace = 1.3 * self.rate
        page.ask(f"void matinee.seek({microseconds(FAR)})")
        for one in self.pages:
            one.wait("((film) => film.currentTime > %d && !film.seeking && film.readyState > 2)"
                     "(document.querySelector('video'))" % FAR, "the seek is over")
        self.last(4)

    def stall(self, page):
        self.tell("Ben", "download stalls", "stalled download", verb="stall 3")
        self.download.is_held = True
        page.wait("document.querySelector('video').readyState < 3", "Ben's film stops", 30)
        self.show("Ben's film stops")
        self.last(3)
        self.tell("Ben", "download goes on")
        self.download.is_held, self.download.pace = False, None
        page.wait("document.querySelector('video').readyState >= 3", "Ben's film goes on", 15)
        self.last(6)


def figures(recording, plot):
    """The table of `matinee demo`, which draws the plot, too."""
    return subprocess.run(
        [PROGRAM, "demo", "--recording", str(recording), "--plot", str(plot)],
        capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(prog="scripts/demo browser", description=__doc__)
    parser.add_argument("--output", metavar="DIR", type=pathlib.Path, required=True,
                        help="where the pictures, the figures and the plot go")
    parser.add_argument("--short", action="store_true", help="half as long")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as closing:
        playwright = closing.enter_context(sync_playwright())
        evening = Demonstration(options.output, playwright, 0.5 if options.short else 1, closing)
        try:
            evening.run()
        except AssertionError as error:
            sys.exit(f"demo: {error}")
        recording = evening.save()
    table = figures(recording, options.output / "apart.svg")
    (options.output / "figures.txt").write_text(table)
    print(table, end="")
    print(f"The pictures and the plot are in {options.output}.")


if __name__ == "__main__":
    main()
