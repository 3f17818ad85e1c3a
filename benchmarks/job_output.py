"""What a job of a measuring program prints."""

import subprocess


def output_of(job: list[str], environment: dict[str, str]) -> str:
    """Standard output of a job. CalledProcessError when it fails."""
    done = subprocess.run(
        job,
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
        env=environment,
    )
    return done.stdout
