import unittest

from units.length import to_metres


class LengthTest(unittest.TestCase):
    def test_kilometres(self):
        self.assertEqual(to_metres(2, "km"), 2000)

    def test_metres(self):
        self.assertEqual(to_metres(3, "m"), 3)


if __name__ == "__main__":
    unittest.main()
