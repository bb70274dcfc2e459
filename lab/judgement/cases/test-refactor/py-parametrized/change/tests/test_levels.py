import pytest

from stock.levels import OutOfStock, take


@pytest.mark.parametrize(
    ("before", "count", "after"),
    [(5, 2, 3), (5, 5, 0)],
)
def test_takes_pieces(before, count, after):
    assert take({"nut": before}, "nut", count) == {"nut": after}


def test_refuses_too_many():
    with pytest.raises(OutOfStock):
        take({"nut": 1}, "nut", 2)
