"""Levels of stock by article."""


class OutOfStock(Exception):
    """There are fewer pieces than were asked for."""


def take(levels, article, count):
    """Returns the levels after pieces were taken."""
    left = levels.get(article, 0) - count
    if left < 0:
        raise OutOfStock(article)
    return {**levels, article: left}


def pick(levels, random):
    """Returns an article that is in stock."""
    articles = sorted(article for article, count in levels.items() if count > 0)
    if not articles:
        raise OutOfStock("everything")
    return random.choice(articles)
