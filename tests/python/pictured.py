"""What tests read out of figures."""


def texts(figure):
    """All that is written in a figure."""
    return [
        t.get_text()
        for t in figure.findobj(lambda artist: hasattr(artist, "get_text"))
        if t.get_text()
    ]


def bars(figure):
    """Where each bar begins."""
    return [round(float(bar.get_x()), 6) for bar in figure.axes[0].patches]
