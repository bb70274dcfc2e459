import unittest

from units.temperature import to_celsius


class TemperatureTest(unittest.TestCase):
    def test_freezing_point(self):
        self.assertEqual(to_celsius("32F"), 0)

    def test_boiling_point(self):
        self.assertEqual(to_celsius("212F"), 100)

    def test_kelvin(self):
        self.assertAlmostEqual(to_celsius("300K"), 26.85)
