"""Drawn tests: the same cases in every run of `make test`; `scripts/drawn` draws fresh ones."""

import os

from hypothesis import HealthCheck, settings

#: HOPBINE_DRAWN=fixed (default) or fresh. Machines that test differ in speed, so no case has a
#: deadline.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.register_profile(
    "fresh",
    derandomize=False,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HOPBINE_DRAWN", "fixed"))
