"""Levels of stock by article."""


class OutOfStock(Exception):
    """There are fewer pieces than were asked for."""


def take(levels, article, count):
    """Returns the levels after pieces were taken."""
    left = levels.get(article, 0) - count
    if left < 0:
        raise OutOfStock(article)
    return {**levels, article: left}


def reorder(levels, wanted):
    """Lists how many pieces of each article are missing."""
    return dict(wanted)
