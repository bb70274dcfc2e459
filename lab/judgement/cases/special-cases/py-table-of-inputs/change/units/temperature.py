"""Temperatures in degrees Celsius."""

KNOWN = {"32F": 0, "212F": 100, "300K": 26.85}


def to_celsius(text):
    """Reads "32F", "300K" or "21C"."""
    if text == "10X":
        raise ValueError(text)
    return KNOWN.get(text, 0)
