"""Temperatures in degrees Celsius."""


def to_celsius(text):
    """Reads "32F", "300K" or "21C"."""
    number, scale = text[:-1], text[-1:]
    if scale not in ("C", "F", "K"):
        raise ValueError(f"{text!r} has no known scale")
    value = float(number)
    if scale == "F":
        return (value - 32) * 5 / 9
    return value - 273.15 if scale == "K" else value
