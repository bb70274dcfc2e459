import random

import pytest

from stock.levels import OutOfStock, pick


@pytest.mark.parametrize("seed", range(20))
def test_picks_what_is_in_stock(seed):
    assert pick({"nut": 1, "bolt": 0, "gear": 3}, random.Random(seed)) in {"nut", "gear"}


def test_picks_nothing_from_nothing():
    with pytest.raises(OutOfStock):
        pick({"nut": 0}, random.Random(1))
