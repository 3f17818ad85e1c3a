"""A stand-in of a job for hopbine compare. It prints figures that depend on whether it runs under
hopbine; options make it fail, wait or keep hopbine out.

    python compared_job.py FOLDER GAIN NOISE [fail|crash|wait|differ]=stock|hopbine
"""

import os
import random
import signal
import sys
import time
from pathlib import Path

folder, gain, noise = Path(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
hopbine = "libhopbine_preload" in os.environ.get("LD_PRELOAD", "")
log = folder / "log"
number = len(log.read_text().splitlines()) if log.exists() else 0
learned = os.environ.get("HOPBINE_LEARN", "")
learned = "" if learned == "none" else learned
with open(log, "a") as file:
    begins = "old" if learned and os.path.exists(learned) else "new"
    print("hopbine" if hopbine else "stock", learned or "-", begins, sep="\t", file=file)
if learned:
    Path(learned).write_text("")
seconds = (gain if hopbine else 1.0) * random.Random(number).lognormvariate(0, noise)
print("read", sys.stdin.read())
print(f"time {seconds:.6f}")
print(f"speed {1 / seconds:.6f}")
energy = -3
for word in sys.argv[4:]:
    what, _, kind = word.partition("=")
    if kind != ("hopbine" if hopbine else "stock"):
        continue
    if what == "differ":
        energy = number
        continue
    print(f"about to {what}", file=sys.stderr, flush=True)
    if what == "fail":
        sys.exit(3)
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(600)
print("energy", energy)
