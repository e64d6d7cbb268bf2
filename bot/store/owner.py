"""The name of a process in the database, and whether a process of that name certainly lives no more."""

import os
import secrets
import socket


def process_name() -> str:
    """host/pid-namespace/pid/chance: says of a process on the same host whether it still lives."""
    try:
        namespace = os.readlink("/proc/self/ns/pid").strip("pid:[]")
    except OSError:
        namespace = "-"
    return f"{socket.gethostname()[:60]}/{namespace}/{os.getpid()}/{secrets.token_hex(4)}"


def is_dead(owner: str, me: str) -> bool:
    """Whether an owner is certainly gone: same host and namespace, and its pid is free or ours. Else the lease
    decides."""
    theirs, mine = owner.split("/"), me.split("/")
    if len(theirs) != 4 or theirs[:2] != mine[:2] or owner == me:
        return False
    if theirs[2] == mine[2]:
        return True
    try:
        os.kill(int(theirs[2]), 0)
    except ProcessLookupError:
        return True
    except (OSError, ValueError):
        return False
    return False
