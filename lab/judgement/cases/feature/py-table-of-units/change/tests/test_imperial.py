import unittest

from units.length import to_metres


class ImperialTest(unittest.TestCase):
    def test_factors(self):
        self.assertAlmostEqual(to_metres(1, "inch"), 0.0254)
        self.assertAlmostEqual(to_metres(1, "foot"), 0.3048)
        self.assertAlmostEqual(to_metres(1, "yard"), 0.9144)
        self.assertAlmostEqual(to_metres(1, "mile"), 1609.344)
