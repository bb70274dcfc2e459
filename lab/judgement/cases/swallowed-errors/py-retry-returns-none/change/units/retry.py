"""Calls that may fail for a while."""


def retry(call, times):
    """Calls until one call succeeds."""
    for _ in range(times):
        try:
            return call()
        except Exception:
            pass
    return None
