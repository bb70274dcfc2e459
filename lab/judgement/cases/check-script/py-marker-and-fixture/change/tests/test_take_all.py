import pytest

from stock.levels import take


@pytest.mark.slow
def test_takes_all_one_by_one(levels):
    for _ in range(5):
        levels = take(levels, "nut", 1)
    assert levels == {"nut": 0}
