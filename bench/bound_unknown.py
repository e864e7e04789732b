#!/usr/bin/python3
"""The highest power of any test that holds its level under slow noise and does not know the covariance: part of
`make bench-bound`.

The setting is that of bound.py: 60 rows of five counters on one ray, one counter off by 3 %, 2 % of independent noise.
The test may know how far off the truth is and all forms of noise but which of a few it is, and refutes at most 1 % of
true rays under each. It does not know the covariance of the counters, so it sees the rows only up to a linear map of
the counters (it is invariant). For such tests the likelihood of the 60 cosine coefficients z_j in d dimensions is

  Π g_j^(−d/2) det(Σ z_j z_jᵀ / g_j)^(−60/2)                         under noise of the form g,
  det(Σ z_j z_jᵀ)^(−60/2) exp(−a/2) 1F1(60/2; d/2; a u/2)            if rows are independent and the mean is off by a,

with u = z_0ᵀ (Σ z_j z_jᵀ)⁻¹ z_0 (Anderson, An Introduction to Multivariate Statistical Analysis, 2003, chapter 5, for
the latter). least_favourable.py then bounds the power. Needs numpy.

bound_unknown.py [DIMS AWAY]: the dimensions across the cone, and the squared distance of the shift in them."""
import math
import sys

import numpy as np

from least_favourable import bound

ROWS, LEVEL, DRAWS, STEPS = 60, 0.01, 15000, 200
DIMS = int(sys.argv[1]) if len(sys.argv) > 1 else 4
AWAY = float(sys.argv[2]) if len(sys.argv) > 2 else 108.0
TABLE = np.linspace(0, AWAY / 2, 2001)

# (share of the variance, correlation of neighbours) and (share, Hurst exponent)
AUTOREGRESSIONS = [(0.10, 0.97), (0.20, 0.97), (0.30, 0.97)]
PROMISES = [("autoregression (0.97) of 10 to 30 %, long memory (0.9) of 36 %", [(0.36, 0.90)]),
            ("the same, and long memory (0.95) of 36 %", [(0.36, 0.90), (0.36, 0.95)]),
            ("the same, and long memory (0.95) of 20 %", [(0.36, 0.90), (0.36, 0.95), (0.20, 0.95)])]


def spectrum(share, slow):
    """Variances of the mean (j = 0) and of the other cosine coefficients; `slow` holds the correlations by lag."""
    t = np.arange(ROWS)
    cov = share * slow[np.abs(t[:, None] - t)] + (1 - share) * np.eye(ROWS)
    waves = np.sqrt(2 / ROWS) * np.cos(np.pi * np.outer(t, t + 0.5) / ROWS)
    waves[0] /= np.sqrt(2)
    return np.einsum("ji,ik,jk->j", waves, cov, waves)


def autoregression(lag):
    return lag ** np.arange(ROWS)


def memory(hurst):
    t = np.arange(ROWS, dtype=float)
    return (np.abs(t + 1) ** (2 * hurst) - 2 * t ** (2 * hurst) + np.abs(t - 1) ** (2 * hurst)) / 2


def log_determinant(z, g):
    return np.linalg.slogdet(np.einsum("nkd,nke,k->nde", z, z, 1 / g))[1]


def under(z, g):
    return -DIMS / 2 * np.log(g).sum() - ROWS / 2 * log_determinant(z, g)


def hypergeometric():
    """ln 1F1(ROWS/2; DIMS/2; x) at the points of TABLE, by its series."""
    a, b, x = ROWS / 2, DIMS / 2, np.log(np.maximum(TABLE, 1e-300))
    total, term = np.zeros_like(x), np.zeros_like(x)
    for n in range(1, 1000):
        term = term + math.log((a + n - 1) / (b + n - 1) / n) + x
        total = np.logaddexp(total, term)
    return total


def shifted(z, log_1f1):
    every = np.einsum("nkd,nke->nde", z, z)
    u = np.einsum("nd,nd->n", z[:, 0], np.linalg.solve(every, z[:, 0, :, None])[:, :, 0])
    return -ROWS / 2 * np.linalg.slogdet(every)[1] - AWAY / 2 + np.interp(AWAY * u / 2, TABLE, log_1f1)


def main():
    rng = np.random.default_rng(3)
    log_1f1 = hypergeometric()
    for name, memories in PROMISES:
        forms = [spectrum(s, autoregression(r)) for s, r in AUTOREGRESSIONS]
        forms += [spectrum(s, memory(h)) for s, h in memories]
        draws = [rng.normal(size=(DRAWS, ROWS, DIMS)) * np.sqrt(g)[None, :, None] for g in forms]
        false = rng.normal(size=(DRAWS, ROWS, DIMS))
        false[:, 0, 0] += math.sqrt(AWAY)
        null = [np.array([under(z, g) for g in forms]) for z in draws]
        odds = [shifted(z, log_1f1) for z in draws]
        null_false, odds_false = np.array([under(false, g) for g in forms]), shifted(false, log_1f1)
        power = bound(LEVEL, STEPS, odds, null, odds_false, null_false)
        print(f"{name}: no test that refutes at most {LEVEL:.0%} of the true models refutes more than {power:.1%} of "
              f"the false ones", flush=True)
    print(f"({DRAWS} draws a form)")


main()
