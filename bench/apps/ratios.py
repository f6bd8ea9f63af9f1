# SPDX-License-Identifier: BSD-3-Clause
"""How much slower adapted runs are than native ones, and between which bounds that is certain.

A round runs both, one right after the other, and gives one ratio: what slows the machine down for longer than
that slows both. A program's ratio is the median of its rounds' ratios. Bounds are found by drawing the rounds anew.
"""
import math
import random
import statistics

DRAWS = 2000


def logarithms(native, adapted):
    """The logarithms of the ratios of all rounds."""
    return [math.log(ours / theirs) for theirs, ours in zip(native, adapted)]


def mean_ratio(programs):
    """The geometric mean over programs, each a list of logarithms, of their ratios."""
    return math.exp(statistics.fmean(map(statistics.median, programs)))


def fewest(doubt):
    """The least number of rounds that prove something: fewer lie by chance alone on one side of the true ratio in more than that
    share of the cases."""
    return math.ceil(1 - math.log2(doubt))


def bounds(programs, doubt):
    """Between these the geometric mean lies, but for `doubt`, the share of the cases in which it does not; None: there are
    too few rounds to say."""
    if sum(map(len, programs)) < fewest(doubt):
        return None
    generator = random.Random(len(programs))

    def drawn(rounds):
        return statistics.median(generator.choices(rounds, k=len(rounds)))
    draws = sorted(statistics.fmean(map(drawn, programs)) for _ in range(DRAWS))
    outside = int(DRAWS * doubt / 2)
    return math.exp(draws[outside]), math.exp(draws[-1 - outside])


def deviation(rounds):
    """The spread of a program's rounds: the distance of the quartiles, so that a few outliers do not count."""
    low, _, high = statistics.quantiles(rounds, n=4, method="inclusive")
    return high - low


def least_certain(programs):
    """The index of the program whose next round makes the mean more certain than any other's."""
    return max(range(len(programs)), key=lambda i: deviation(programs[i]) ** 2 / (len(programs[i]) * (len(programs[i]) + 1)))


def looks(first, most):
    """After how many rounds of each program one looks: twice as many each time, and at last after `most`."""
    found = [first]
    while found[-1] < most:
        found.append(min(2 * found[-1], most))
    return found
