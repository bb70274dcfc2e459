"""Lengths in metres."""

FACTORS = {"m": 1.0, "km": 1000.0, "cm": 0.01}


def to_metres(value, unit):
    """Converts to metres; an unknown unit is a KeyError."""
    return value * FACTORS[unit]
