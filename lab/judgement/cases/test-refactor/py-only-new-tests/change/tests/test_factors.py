import unittest

from units.length import to_metres


class FactorsTest(unittest.TestCase):
    def test_kilometres(self):
        self.assertEqual(to_metres(2, "km"), 2000)

    def test_centimetres(self):
        self.assertAlmostEqual(to_metres(50, "cm"), 0.5)
