"""Runs a program for which a disk hangs.

hanging_disk.py CALLS NAME PROGRAM [ARGUMENT ...] becomes the program. From then on, these calls, such
as read,close, never return for a file of this name. The kernel asks a second process about each such
call (seccomp_unotify(2)), which takes no rights; that process lets those for other files go on.
"""

import ctypes
import fcntl
import os
import platform
import signal
import socket
import struct
import sys

# The numbers of seccomp, pread64 and close.
SECCOMP, PREAD, CLOSE = {"x86_64": (317, 17, 3), "aarch64": (277, 67, 57)}[platform.machine()]
CALLS = {"read": PREAD, "close": CLOSE}
PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_NEW_LISTENER = 1 << 3
SECCOMP_RET_ALLOW = 0x7FFF0000
SECCOMP_RET_USER_NOTIF = 0x7FC00000
SECCOMP_IOCTL_NOTIF_RECV = 0xC0502100
SECCOMP_IOCTL_NOTIF_SEND = 0xC0182101
SECCOMP_USER_NOTIF_FLAG_CONTINUE = 1


def listener():
    """Makes the kernel ask about both calls; returns the descriptor by which it does."""
    load_number, jump_equal, give = 0x20, 0x15, 0x06
    steps = b"".join(
        struct.pack("HBBI", *step)
        for step in [
            (load_number, 0, 0, 0),
            (jump_equal, 2, 0, PREAD),
            (jump_equal, 1, 0, CLOSE),
            (give, 0, 0, SECCOMP_RET_ALLOW),
            (give, 0, 0, SECCOMP_RET_USER_NOTIF),
        ]
    )
    memory = ctypes.create_string_buffer(steps)
    program = struct.pack("HxxxxxxP", len(steps) // 8, ctypes.addressof(memory))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
    descriptor = libc.syscall(
        SECCOMP, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, program
    )
    if descriptor < 0:
        raise OSError(ctypes.get_errno(), "seccomp")
    return descriptor


def answer(listener, calls, name):
    """Lets every call go on but these calls for a file of this name, which it never answers."""
    while True:
        notice = bytearray(80)
        try:
            fcntl.ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, notice)
            number, process = struct.unpack_from("QI", notice)
            (call,) = struct.unpack_from("i", notice, 16)
            (file,) = struct.unpack_from("Q", notice, 32)
            try:
                path = os.readlink(f"/proc/{process}/fd/{file}")
            except OSError:
                path = ""
            if call not in calls or os.path.basename(path) != name:
                go_on = struct.pack("Qqii", number, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE)
                fcntl.ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, go_on)
        except FileNotFoundError:
            # The caller has died meanwhile, or a signal has interrupted it.
            continue
        except OSError:
            return


def main():
    calls = [CALLS[call] for call in sys.argv[1].split(",")]
    name, program = sys.argv[2], sys.argv[3:]
    here, there = socket.socketpair()
    asker = os.getpid()
    if os.fork() == 0:
        here.close()
        # The tests read these to their end.
        for output in (1, 2):
            os.close(output)
        # It ends with the program.
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != asker:
            return
        _, descriptors, _, _ = socket.recv_fds(there, 1, 1)
        there.close()
        answer(descriptors[0], calls, name)
        return
    there.close()
    descriptor = listener()
    socket.send_fds(here, [b"."], [descriptor])
    os.execvp(program[0], program)


main()
