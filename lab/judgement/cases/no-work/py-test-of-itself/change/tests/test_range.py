import unittest


def in_range(text):
    hours, rest = (int(part) for part in text.split(":"))
    return hours >= 0 and 0 <= rest < 60


class RangeTest(unittest.TestCase):
    def test_refuses_too_many_minutes(self):
        self.assertFalse(in_range("1:60"))

    def test_refuses_negative_numbers(self):
        self.assertFalse(in_range("-1:10"))
