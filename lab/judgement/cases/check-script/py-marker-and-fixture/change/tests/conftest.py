import pytest


@pytest.fixture
def levels():
    return {"nut": 5}
