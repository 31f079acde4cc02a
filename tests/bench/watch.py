#!/usr/bin/env python3
"""watch.py [TRAININGS] -- what `senteval watch` and `compare --gate` promise, by simulation (NumPy, SciPy).

Checkpoints of equal worth (and one that is 2 points better, for power): the value of an item has a part that all checkpoints
share and one of its own, so that two correlate by R. The standard deviation of an item is 35 points, as of nDCG@10."""
import sys

import numpy
from scipy.stats import t

ITEMS, DEVIATION = 500, 35.0


def values(random, checkpoints, r, better=0.0):
    shared = random.normal(size=(1, ITEMS))
    own = random.normal(size=(checkpoints, ITEMS))
    drawn = 50 + DEVIATION * (numpy.sqrt(r) * shared + numpy.sqrt(1 - r) * own)
    drawn[-1] += better
    return drawn


def looks(drawn):
    """Whether each look, from the second on, calls the new checkpoint better (1) or worse (-1) than the best before."""
    means, best, found = drawn.mean(axis=1), 0, []
    for at in range(1, len(drawn)):
        apart = drawn[at] - drawn[best]
        level = .05 * 6 / (numpy.pi * (at + 1)) ** 2 / at
        half = t.ppf(1 - level / 2, ITEMS - 1) * apart.std(ddof=1) / numpy.sqrt(ITEMS)
        found.append(int(apart.mean() > half) - int(apart.mean() < -half))
        best = at if means[at] > means[best] else best
    return found


def flattery(random, drawn):
    """What the best seems to be above what all are worth: by its own value, and by 100 halves, in standard errors of one
    checkpoint. The mean of all, which is worth as much, takes the noise that they share away."""
    error = DEVIATION / numpy.sqrt(ITEMS)
    drawn = drawn - drawn.mean(axis=0)
    naive, half = drawn.mean(axis=1).max(), 0.0
    for _ in range(100):
        order = random.permutation(ITEMS)
        chosen = drawn[:, order[:ITEMS // 2]].mean(axis=1).argmax()
        half += drawn[chosen, order[ITEMS // 2:]].mean() / 100
    return naive / error, half / error


def gate(random, r, loss, margin=1.0, tasks=4):
    """The answer where one task loses so much, and the others nothing: 1 yes, -1 no, 0 could not tell."""
    lows, p_values = [], []
    for task in range(tasks):
        drawn = values(random, 2, r, -loss if task == 0 else 0.0)
        apart = drawn[1] - drawn[0]
        error = apart.std(ddof=1) / numpy.sqrt(ITEMS)
        lows.append(apart.mean() - t.ppf(.95, ITEMS - 1) * error)
        p_values.append(t.cdf((apart.mean() + margin) / error, ITEMS - 1))
    if min(p_values) * tasks < .05:  # the first step of Holm
        return -1
    return int(min(lows) > -margin)


def main(trainings=1000):
    random = numpy.random.default_rng(1)
    print("| checkpoints | correlation | a false verdict, % | 2 points found, % | naive value, standard errors | by halves |")
    print("|---|---|---|---|---|---|")
    for checkpoints in (5, 20, 100):
        for r in (0, .5, .9):
            false = sum(any(looks(values(random, checkpoints, r))) for _ in range(trainings))
            power = sum(looks(values(random, checkpoints, r, 2.0))[-1] == 1 for _ in range(trainings))
            flattered = numpy.mean([flattery(random, values(random, checkpoints, r)) for _ in range(trainings // 2)], axis=0)
            print(f"| {checkpoints} | {r} | {100 * false / trainings:.1f} | {100 * power / trainings:.1f} | "
                  f"{flattered[0]:.2f} | {flattered[1]:.2f} |", flush=True)
    print("\n| correlation | loss of one of four tasks, points | yes, % | no, % |\n|---|---|---|---|")
    for r in (0, .5, .9, .99):
        for loss in (0, 1, 2, 4):
            answers = [gate(random, r, loss) for _ in range(trainings)]
            print(f"| {r} | {loss} | {100 * answers.count(1) / trainings:.1f} | {100 * answers.count(-1) / trainings:.1f} |")


main(*map(int, sys.argv[1:]))
