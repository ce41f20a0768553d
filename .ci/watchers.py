"""A server in a network of its own, and people who watch at it: for the scripts beside this one."""

import collections, contextlib, fcntl, json, os, resource, signal, socket, ssl, struct, subprocess, sys, time

# The server's address, and an attacker's. All of 10.1.0.0/16 is this machine's, but unlike 127.0.0.1
# these addresses have bounds.
HOME, ABROAD = "10.1.1.1", "10.1.1.66"
# What the server may use: a machine of 1 GiB, of which it is the only service.
MEMORY = 1 << 30


def in_own_network():
    """Starts the script anew in a network that has only this machine."""
    if not os.environ.get("OWN_NETWORK"):
        os.environ["OWN_NETWORK"] = "1"
        own = ["unshare", "--map-root-user", "--net", "--mount", "python3", "-B"]
        os.execvp("unshare", own + sys.argv)
    # ioctls of netdevice(7): the device goes up, and has a second address and its mask.
    up, set_flags, set_address, set_mask = 1, 0x8914, 0x8916, 0x891C
    def address(text):
        return struct.pack("HH4s8x", socket.AF_INET, 0, socket.inet_aton(text))
    with socket.socket() as any_socket:
        for request, device, argument in [
            (set_flags, b"lo", struct.pack("h22x", up)),
            (set_address, b"lo:1", address(HOME)),
            (set_mask, b"lo:1", address("255.255.0.0")),
        ]:
            fcntl.ioctl(any_socket, request, struct.pack("16s24s", device, argument))
    with open("/proc/sys/net/ipv4/ip_local_port_range", "w") as file:
        file.write("1024 65535")


def go_first():
    """Puts this process and the server before the others, because attackers have machines of their own."""
    with contextlib.suppress(PermissionError):
        os.nice(-10)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}")


class Server:
    """A server with a disk of its own, whose log is read until it listens, and then by nobody."""

    def __init__(self, program, folder, *options, disk="64m"):
        self.disk = os.path.join(folder, "disk")
        os.mkdir(self.disk)
        run("mount", "-t", "tmpfs", "-o", "size=" + disk, "tmpfs", self.disk)
        self.certificate, key = os.path.join(folder, "tls.pem"), os.path.join(folder, "tls.key")
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
            "-days", "2", "-subj", "/CN=matinee", "-addext", "subjectAltName=IP:" + HOME,
            "-keyout", key, "-out", self.certificate)
        os.chmod(key, 0o600)
        self.process = subprocess.Popen(
            [program, "serve", "--listen", HOME + ":0", "--syncplay", HOME + ":0", "--http", HOME + ":0",
             "--access", "open",
             "--journal", "sqlite:" + os.path.join(self.disk, "journal.sqlite"),
             "--tls-certificate", self.certificate, "--tls-key", key, "--plaintext", *options],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)))
        self.doors = {}
        names = {"Syncplay": "syncplay", "browsers": "web", "listening": "native"}
        while len(self.doors) < len(names):
            line = self.process.stderr.readline().decode()
            if not line:
                sys.exit("the server does not start")
            if "address=" + HOME in line:
                port = int(line.split(HOME + ":")[1].split()[0])
                self.doors[next(names[word] for word in names if word in line)] = (HOME, port)
        # The first byte decides whether the native door is encrypted.
        self.doors["tls"] = self.doors["native"]

    def tls(self):
        return ssl.create_default_context(cafile=self.certificate)

    def memory(self):
        """The resident bytes of the server."""
        with open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    @contextlib.contextmanager
    def full_disk(self):
        filler = os.path.join(self.disk, "filler")
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(4096)):
                pass
        yield
        os.remove(filler)

    def stop(self):
        """Stops the server as its operator does; the log is read now. Returns its end."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.log = self.process.communicate(timeout=20)[1].decode()
        finally:
            self.process.kill()
            run("umount", self.disk)
        return self.process.returncode


def line(**message):
    return json.dumps(message).encode() + b"\r\n"


class Line:
    """A connection that speaks lines of JSON."""

    def __init__(self, address, tls=None):
        self.socket = socket.create_connection(address, timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname=HOME)
        self.rest, self.heard = b"", collections.deque()

    def send(self, **message):
        self.socket.sendall(line(**message))

    def wait(self, wanted):
        """The first line that is wanted."""
        while True:
            while self.heard:
                message = json.loads(self.heard.popleft())
                if wanted(message):
                    return message
            some = self.socket.recv(65536)
            if not some:
                raise EOFError("the server hung up on somebody who watches")
            self.take(some)

    def take(self, some):
        *lines, self.rest = (self.rest + some).split(b"\n")
        self.heard.extend(lines)


class Frames(Line):
    """A connection that speaks the same in a WebSocket's frames (RFC 6455, 5.2)."""

    UPGRADE = (f"GET /ws HTTP/1.1\r\nHost: {HOME}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
               "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n").encode()

    def __init__(self, address, tls=None):
        super().__init__(address, tls)
        self.socket.sendall(self.UPGRADE)
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(65536)
        self.rest = self.rest.split(b"\r\n\r\n", 1)[1]

    @staticmethod
    def frame(text):
        """A client's text frame; a mask of zeros leaves the text as it is."""
        count = len(text)
        size = bytes([0x80 | count]) if count < 126 else b"\xfe" + struct.pack(">H", count)
        return b"\x81" + size + bytes(4) + text

    def send(self, **message):
        self.socket.sendall(self.frame(json.dumps(message).encode()))

    def take(self, some):
        self.rest += some
        while len(self.rest) >= 2:
            count, start = self.rest[1], 2
            if count >= 126:
                start = 4 if count == 126 else 10
                count = int.from_bytes(self.rest[2:start])
            if len(self.rest) < start + count:
                return
            if self.rest[0] == 0x81:
                self.heard.append(self.rest[start:start + count])
            self.rest = self.rest[start + count:]


class Watcher:
    """A peer of the native protocol that watches a film with others."""

    def __init__(self, name, group, line):
        self.line, self.send, self.wait = line, line.send, line.wait
        self.request, self.events = 0, []
        self.send(type="hello", user=name, features=["sessions"])
        self.hear(lambda line: line["type"] == "welcome")
        self.ask(type="joinGroup", group=group)

    def hear(self, wanted):
        def noting(line):
            if line["type"] not in ("ok", "error", "pong", "offer", "snapshot", "welcome"):
                self.events.append(line)
            return wanted(line)
        return self.wait(noting)

    def say(self, **request):
        """Sends a request, and returns its number."""
        self.request += 1
        self.send(id=self.request, **request)
        return self.request

    def ask(self, **request):
        number = self.say(**request)
        return self.hear(lambda line: line.get("id") == number)

    def start(self):
        film = {"type": "watch", "metadata": {"title": "Film"}, "media": {"url": "film.mp4"}}
        return self.ask(type="activate", activity=film)["session"]

    def enter(self, session):
        self.ask(type="join", session=session)
        self.ask(type="transition", item="film.mp4", duration=7_200_000_000)

    def phase(self, phase):
        return self.hear(lambda line: line.get("event") == "timelineSet" and line["phase"] == phase)

    def get_ready(self, number=None):
        """Answers that the player is ready; the code of the refusal if the request `number` has one."""
        heard = self.hear(lambda line: line.get("phase") == "preparing" or
                          line["type"] == "error" and line["id"] == number)
        if heard["type"] == "error":
            return heard["code"]
        self.say(type="ready", item="film.mp4", answers=heard["seq"])

    def round_trip(self):
        start = time.perf_counter()
        self.send(type="ping", sent=1)
        self.hear(lambda line: line["type"] == "pong")
        return time.perf_counter() - start


class SyncplayWatcher(Line):
    """A client of Syncplay's."""

    def __init__(self, name, address):
        super().__init__(address)
        self.send(Hello={"username": name, "room": {"name": "lounge"}, "version": "1.7.3"})
        self.wait(lambda line: "Hello" in line)

    def round_trip(self):
        """How long it takes until the room hears of a change, which is this client alone."""
        self.send(State={"playstate": {"position": 0, "paused": True},
                         "ping": {"clientLatencyCalculation": time.time(), "clientRtt": 0}})
        start = time.perf_counter()
        self.send(Set={"ready": {"isReady": True, "manuallyInitiated": True}})
        self.wait(lambda line: "ready" in line.get("Set", {}))
        return time.perf_counter() - start


def play(people):
    """Plays for everybody; the seconds until all know when it starts, or the code of a refusal."""
    start = time.perf_counter()
    number = people[0].say(type="play", item="film.mp4")
    for person in people:
        if code := person.get_ready(number if person is people[0] else None):
            return code
    for person in people:
        person.phase("playing")
    return time.perf_counter() - start


def pause(people):
    """Pauses for everybody; the seconds until all know, or the code of a refusal."""
    start = time.perf_counter()
    answer = people[0].ask(type="pause", item="film.mp4", mediaTime=1_000_000)
    if answer["type"] == "error":
        return answer["code"]
    for person in people[1:]:
        person.phase("paused")
    return time.perf_counter() - start
