import unittest

from units.retry import retry


class RetryTest(unittest.TestCase):
    def test_calls_until_it_succeeds(self):
        answers = iter([OSError("busy"), OSError("busy"), "done"])

        def flaky():
            answer = next(answers)
            if isinstance(answer, OSError):
                raise answer
            return answer

        self.assertEqual(retry(flaky, 3), "done")
