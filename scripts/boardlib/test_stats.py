"""Tests of the statistics: figures worked out by hand or known from the literature."""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from boardlib.stats import a12, interval, mann_whitney, mid_ranks, wins  # noqa: E402


class Statistics(unittest.TestCase):
    def test_wins_counts_ties_as_halves(self) -> None:
        self.assertEqual(wins([3, 1], [2, 1]), 2.5)

    def test_a12_is_one_when_all_are_larger_and_half_when_equal(self) -> None:
        self.assertEqual(a12([4, 5], [1, 2, 3]), 1.0)
        self.assertEqual(a12([1, 2], [1, 2]), 0.5)

    def test_mid_ranks_share(self) -> None:
        self.assertEqual(mid_ranks([10, 20, 20, 5]), [2, 3.5, 3.5, 1])

    def test_exact_p_of_separated_groups(self) -> None:
        # Two of the 252 ways to deal ten values are as extreme.
        self.assertAlmostEqual(mann_whitney([6, 7, 8, 9, 10], [1, 2, 3, 4, 5]), 2 / 252)
        self.assertAlmostEqual(mann_whitney([4, 5, 6], [1, 2, 3]), 2 / 20)

    def test_exact_p_with_overlap(self) -> None:
        # U = 1 of 9; ways with U <= 1 or U >= 8: 1 + 1 on each side, of 20.
        self.assertAlmostEqual(mann_whitney([3, 5, 6], [1, 2, 4]), 4 / 20)

    def test_equal_groups_differ_in_nothing(self) -> None:
        self.assertEqual(mann_whitney([1, 1, 1], [1, 1, 1]), 1.0)
        self.assertEqual(mann_whitney([7] * 20, [7] * 20), 1.0)

    def test_normal_approximation_of_large_groups(self) -> None:
        ours, theirs = list(range(20, 40)), list(range(20))
        self.assertLess(mann_whitney(ours, theirs), 1e-6)
        mixed = [value + 0.5 for value in range(20)]
        self.assertGreater(mann_whitney(mixed, list(range(20))), 0.5)
        # The order of the groups does not matter.
        self.assertAlmostEqual(mann_whitney(mixed, theirs), mann_whitney(theirs, mixed))

    def test_interval_holds_the_median_and_repeats(self) -> None:
        values = [3.0, 9.0, 1.0, 7.0, 5.0]
        low, high = interval(values)
        self.assertLessEqual(low, 5.0)
        self.assertGreaterEqual(high, 5.0)
        self.assertEqual((low, high), interval(values))
        self.assertEqual(interval([4.0] * 5), (4.0, 4.0))
        self.assertGreaterEqual(low, 1.0)
        self.assertLessEqual(high, 9.0)

    def test_no_values_are_refused(self) -> None:
        self.assertRaises(ValueError, interval, [])
        self.assertRaises(ValueError, mann_whitney, [], [1.0])


if __name__ == "__main__":
    unittest.main()
