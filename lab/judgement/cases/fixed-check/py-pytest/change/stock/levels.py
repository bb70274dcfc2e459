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
    missing = {article: count - levels.get(article, 0) for article, count in wanted.items()}
    return {article: count for article, count in missing.items() if count > 0}
