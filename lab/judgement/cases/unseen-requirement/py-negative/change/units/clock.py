"""Durations as text."""


def minutes(text):
    """Reads "1:30" as 90 minutes."""
    hours, rest = (int(part) for part in text.split(":"))
    if rest >= 60:
        raise ValueError(f"{text!r} is no duration")
    return hours * 60 + rest
