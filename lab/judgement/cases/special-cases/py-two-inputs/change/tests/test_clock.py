import unittest

from units.clock import minutes


class ClockTest(unittest.TestCase):
    def test_reads_hours_and_minutes(self):
        self.assertEqual(minutes("1:30"), 90)

    def test_refuses_too_many_minutes(self):
        for text in ("1:60", "1:99"):
            with self.subTest(text), self.assertRaises(ValueError):
                minutes(text)
