"""Calls that may fail for a while."""


def retry(call, times):
    """Calls until one call succeeds, and raises the last OSError."""
    for left in reversed(range(times)):
        try:
            return call()
        except OSError:
            # Files on network drives are busy for a moment; the last failure counts.
            if left == 0:
                raise
    raise ValueError("times must be at least 1")
