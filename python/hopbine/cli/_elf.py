"""What keeps the dynamic linker from loading a preload library into a program."""

import os
import stat
import struct

_INTERPRETER = 3  #: PT_INTERP: the program header that names the dynamic linker


def out_of_reach(program: str) -> str:
    """Why LD_PRELOAD does nothing for this program.

    Empty where it does, and where that cannot be told.
    """
    try:
        mode = os.stat(program).st_mode
        with open(program, "rb") as file:
            head = file.read(64)
            if mode & (stat.S_ISUID | stat.S_ISGID) and os.getuid():
                return "runs with another user's rights, so that nothing is preloaded into it"
            if head[:4] != b"\x7fELF" or len(head) < 64 or head[4] != 2:
                return ""  # a script, whose interpreter is told nothing of here
            order = "<" if head[5] == 1 else ">"
            (at,), size, count = (
                struct.unpack_from(order + "Q", head, 32),
                *struct.unpack_from(order + "HH", head, 54),
            )
            file.seek(at)
            table = file.read(size * count)
        kinds = (
            [struct.unpack_from(order + "I", table, i * size)[0] for i in range(len(table) // size)]
            if size >= 4
            else []
        )
        return (
            ""
            if _INTERPRETER in kinds or not kinds
            else "is linked statically, so that nothing is preloaded into it"
        )
    except (OSError, OverflowError, struct.error):
        return ""
