import unittest

from units.clock import minutes


class ClockTest(unittest.TestCase):
    def test_reads_hours_and_minutes(self):
        self.assertEqual(minutes("1:30"), 90)
