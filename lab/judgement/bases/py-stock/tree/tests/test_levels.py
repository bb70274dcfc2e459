import pytest

from stock.levels import OutOfStock, take


def test_takes_pieces():
    assert take({"nut": 5}, "nut", 2) == {"nut": 3}


def test_refuses_too_many():
    with pytest.raises(OutOfStock):
        take({"nut": 1}, "nut", 2)
