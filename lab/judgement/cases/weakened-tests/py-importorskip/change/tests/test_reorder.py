import pytest

pytest.importorskip("stock_levels_native")

from stock.levels import reorder


def test_lists_what_is_low():
    assert reorder({"nut": 2, "bolt": 9}, {"nut": 5, "bolt": 5}) == {"nut": 3}


def test_lists_what_is_missing():
    assert reorder({}, {"gear": 4}) == {"gear": 4}
