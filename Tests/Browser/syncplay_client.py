"""Somebody who watches with Debian's Syncplay client and a real mpv, which nobody sees or hears."""

import json
import os
import pathlib
import socket
import subprocess
import tempfile


class Player:
    """An mpv, over its own socket: its keys, and where it stands."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rw")

    def order(self, *command):
        """What the player answers, which tells other things in between."""
        self.lines.write(json.dumps({"command": command, "request_id": 7}) + "\n")
        self.lines.flush()
        while True:
            answer = json.loads(self.lines.readline())
            if answer.get("request_id") == 7:
                return answer.get("data")

    def get(self, name):
        return self.order("get_property", name)

    def close(self):
        self.lines.close()
        self.socket.close()


class SyncplayClient:
    """Neither asks questions nor touches the user's own files."""

    def __init__(self, name, port, film, group="friday"):
        self.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder.name)
        self.socket_path = folder / "player.socket"
        # The client knows its player by the program's name. It does not end it when it is killed itself.
        player = folder / "mpv"
        player.write_text('#!/bin/sh\nexec setpriv --pdeathsig KILL mpv "$@"\n')
        player.chmod(0o700)
        arguments = ["--config=no", "--vo=null", "--ao=null", "--ytdl=no", f"--input-ipc-server={self.socket_path}"]
        # Without the last setting, play means "I am ready" while somebody is not.
        (folder / "syncplay.ini").write_text(f"""[server_data]
host = 127.0.0.1
port = {port}
[client_settings]
name = {name}
room = {group}
playerpath = {player}
perplayerarguments = {{'{player}': {arguments}}}
mediasearchdirectories = ['{film.parent}']
forceguiprompt = False
readyatstart = True
autoplayinitialstate = False
unpauseaction = Always
[general]
language = en
checkforupdatesautomatically = False
""")
        self.program = subprocess.Popen(
            ["syncplay", "--no-gui", "--no-store", film.name], cwd=film.parent, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"})

    @property
    def has_player(self):
        return self.socket_path.exists()

    def stop(self):
        self.program.kill()
        self.program.communicate()
        self.folder.cleanup()
