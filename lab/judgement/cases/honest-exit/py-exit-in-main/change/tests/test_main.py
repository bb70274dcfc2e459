import io
import unittest
from contextlib import redirect_stderr, redirect_stdout

from units.__main__ import main


class MainTest(unittest.TestCase):
    def test_prints_metres(self):
        with redirect_stdout(io.StringIO()) as out:
            self.assertEqual(main(["2", "km"]), 0)
        self.assertEqual(out.getvalue(), "2000.0\n")

    def test_names_an_unknown_unit(self):
        with redirect_stderr(io.StringIO()) as err:
            self.assertEqual(main(["2", "yd"]), 2)
        self.assertIn("yd", err.getvalue())
