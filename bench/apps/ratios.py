# SPDX-License-Identifier: BSD-3-Clause
"""How much slower adapted runs are than native ones, and how much of that chance explains."""
import math
import random
import statistics

DRAWS = 2000
QUANTILE = 0.95


def ratio(native, adapted):
    return statistics.median(adapted) / statistics.median(native)


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def draws_of_native_against_itself(native):
    """Ratios of the medians of two samples, both drawn anew from the native runs."""
    generator = random.Random(len(native))

    def median():
        return statistics.median(generator.choices(native, k=len(native)))
    return [median() / median() for _ in range(DRAWS)]


def high(ratios):
    """How far above 1 a ratio is in all but a few draws."""
    return max(0.0, sorted(ratios)[math.ceil(QUANTILE * len(ratios)) - 1] - 1)


def spread(native):
    return high(draws_of_native_against_itself(native))


def spread_of_geometric_mean(natives):
    """The same for the geometric mean over several programs' native runs."""
    draws = [draws_of_native_against_itself(native) for native in natives]
    for number, column in enumerate(draws):
        random.Random(number).shuffle(column)  # the programs' draws have nothing to do with one another
    return high([geometric_mean(row) for row in zip(*draws)])

