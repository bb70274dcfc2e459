"""Durations as text."""


def minutes(text):
    """Reads "1:30" as 90 minutes; a text without a colon is a ValueError."""
    hours, rest = text.split(":")
    return int(hours) * 60 + int(rest)
