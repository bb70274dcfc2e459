"""Lengths in metres."""

FACTORS = {"m": 1.0, "km": 1000.0, "cm": 0.01, "inch": 0.0254, "foot": 0.3048, "yard": 0.9144, "mile": 1609.344}


def to_metres(value, unit):
    """Converts to metres; an unknown unit is a KeyError."""
    return value * FACTORS[unit]
