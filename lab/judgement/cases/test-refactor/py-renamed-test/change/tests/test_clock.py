import unittest

from units.clock import minutes


class ClockTest(unittest.TestCase):
    def test_reads_a_duration(self):
        self.assertEqual(minutes("1:30"), 90)
