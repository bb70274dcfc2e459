"""Reads levels from a file."""


def load(path):
    """Reads lines of "article count"."""
    with open(path) as file:
        pairs = [line.split() for line in file]
    return {article: int(count) for article, count in pairs}
