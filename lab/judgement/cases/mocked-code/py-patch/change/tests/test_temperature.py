import unittest
from unittest import mock

from units import temperature


class TemperatureTest(unittest.TestCase):
    def test_freezing_point(self):
        with mock.patch.object(temperature, "to_celsius", return_value=0):
            self.assertEqual(temperature.to_celsius("32F"), 0)

    def test_boiling_point(self):
        with mock.patch.object(temperature, "to_celsius", return_value=100):
            self.assertEqual(temperature.to_celsius("212F"), 100)

    def test_kelvin(self):
        with mock.patch.object(temperature, "to_celsius", return_value=26.85):
            self.assertAlmostEqual(temperature.to_celsius("300K"), 26.85)

    def test_unknown_scale(self):
        with mock.patch.object(temperature, "to_celsius", side_effect=ValueError):
            with self.assertRaises(ValueError):
                temperature.to_celsius("10X")
