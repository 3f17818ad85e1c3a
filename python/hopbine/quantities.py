"""Numbers as people read them."""


def show_bytes(n: float) -> str:
    """'12.5 MiB'; exact below a KiB."""
    for unit, size in (("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if n >= size:
            return f"{n / size:.4g} {unit}"
    return f"{n:.4g} B"


def show_pct(x: float | None) -> str:
    """Signed per cent, or '-'."""
    return "-" if x is None else f"{x:+.1f} %"
