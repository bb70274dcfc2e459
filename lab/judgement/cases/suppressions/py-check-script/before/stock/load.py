"""Reads levels from a file."""


def load(path):
    """Reads lines of "article count"."""
    levels = {}
    try:
        with open(path) as file:
            for line in file:
                article, count = line.split()
                levels[article] = int(count)
    except:
        print("cannot read", path)
    return levels
