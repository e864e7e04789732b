#!/usr/bin/python3
"""The highest power of any test that holds its level under slow noise: `make bench-bound`.

The setting is that of `make bench-levels`: 60 rows of five counters on one ray, 2 % of noise, one counter off by 3 %.
The test may know everything except whether the noise is independent (as it is here) or has a slow part (5 to 55 % of
the variance, forgotten within 10 or 33 rows). least_favourable.py bounds its power. Needs numpy and scipy.

bound.py DIMS [AWAY]: the noise of so many dimensions only has the form; with 1, that of the direction of the shift,
which the test then knows. AWAY is the squared distance of the shift."""
import sys

import numpy as np
from scipy.stats import chi2, ncx2

from least_favourable import bound

ROWS, LEVEL, WAVES, DRAWS, STEPS = 60, 0.01, 16, 100000, 400
SHIFT, NOISE = 0.03, 0.02
DIMS = int(sys.argv[1]) if len(sys.argv) > 1 else 4
# non-centrality: of the shift, what is across the ray
AWAY = float(sys.argv[2]) if len(sys.argv) > 2 else ROWS * (SHIFT / NOISE) ** 2 * 4 / 5
FORMS = [(0.05, 0.97), (0.10, 0.97), (0.15, 0.97), (0.20, 0.97), (0.30, 0.97), (0.55, 0.97), (0.30, 0.90)]


def spectrum(share, lag):
    """Variances of the mean and of the cosine coefficients, as shares of the variance of a fast coefficient."""
    t = np.arange(ROWS)
    cov = share * lag ** np.abs(t[:, None] - t) + (1 - share) * np.eye(ROWS)
    waves = np.sqrt(2 / ROWS) * np.cos(np.pi * np.outer(t, t + 0.5) / ROWS)
    waves[0] /= np.sqrt(2)
    g = np.einsum("ji,ik,jk->j", waves, cov, waves)
    return g / g[40:].mean()


def main():
    rng = np.random.default_rng(3)
    forms = [spectrum(*f)[: WAVES + 1] for f in FORMS]

    def draw(g, away):
        mean = rng.noncentral_chisquare(DIMS, away, DRAWS) if away else rng.chisquare(DIMS, DRAWS) * g[0]
        return mean, rng.chisquare(DIMS, (DRAWS, WAVES)) * g[1:]

    def null(g, mean, waves):
        return (chi2.logpdf(mean / g[0], DIMS) - np.log(g[0]) - (waves / 2 / g[1:]).sum(1)
                - DIMS / 2 * np.log(g[1:]).sum())

    def alternative(mean, waves):
        return ncx2.logpdf(mean, DIMS, AWAY) - (waves / 2).sum(1)

    samples = [draw(g, 0) for g in forms]
    shifted = draw(np.ones(WAVES + 1), AWAY)
    under = [np.array([null(g, *s) for g in forms]) for s in samples]
    above = [alternative(*s) for s in samples]
    under_shift, above_shift = np.array([null(g, *shifted) for g in forms]), alternative(*shifted)
    power = bound(LEVEL, STEPS, above, under, above_shift, under_shift)
    print(f"no test that refutes at most {LEVEL:.0%} of true rays under these forms of noise refutes more than "
          f"{power:.1%} of the false ones ({DRAWS} draws a form)")


main()
