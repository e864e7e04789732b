#!/usr/bin/python3
"""How often hecate laws finds an error of a given size: `make bench-bound`, written before any error was planted.

The test of core/stats/noise_ask.c, noise_reach2(), written anew on Gaussian rows: 60 of them, a level of 0.0018 (1 % less
a tenth, shared by five laws). The noise has a slow part that forgets within a time. The table has a block for each time, a
row for each share of the slow part, a column for each size, in deviations of the noise's mean. tests/unit/laws.c has
the table, as per cent. Needs numpy and scipy."""
import numpy as np
from scipy.stats import t as student

ROWS, LEVEL, RECORDS, DRAWS = 60, 0.0018, 2.0, 4000
SHARES = [1, 0.95, 0.8, 0.55, 0.3, 0.1, 0.04]
SIZES = (4, 6, 8, 10, 12, 14, 17, 20, 25, 30, 40, 60, 100)
TIME = np.arange(ROWS)
LAGS = np.abs(TIME[:, None] - TIME)
WAVES = np.sqrt(2 / ROWS) * np.cos(np.pi * np.outer(np.arange(1, ROWS), TIME + 0.5) / ROWS)


def numbers(rows):
    """The coefficients that are taken one by one (spectra_waves())."""
    out, at = [], 1.0
    while int(at) <= (rows - 1) // 3:
        out.append(int(at))
        at = at + 1 if at < 16 else np.ceil(at * 2**0.25)
    return out


def forgets(time):
    return np.exp(-LAGS / time)


def remembers(h):
    lag = np.arange(ROWS + 1.0)
    return ((lag + 1) ** (2 * h) / 2 - lag ** (2 * h) + np.abs(lag - 1) ** (2 * h) / 2)[LAGS]


def family():
    """Variances of the mean and of the coefficients under each form; independent rows come first."""
    covs, time = [np.eye(ROWS)], RECORDS * ROWS
    while time >= 1:
        covs += [s * forgets(time) + (1 - s) * np.eye(ROWS) for s in SHARES]
        time /= 2
    for h in (0.6, 0.7, 0.8, 0.9, 0.95):
        covs += [s * remembers(h) + (1 - s) * np.eye(ROWS) for s in ((1,) if h == 0.95 else (1, 0.6))]
    waves = np.array([np.einsum("jt,ts,js->j", WAVES, c, WAVES) for c in covs])
    rest = np.setdiff1d(np.arange(ROWS - 1), np.array(numbers(ROWS)) - 1)
    waves[:, rest] = waves[:, rest].mean(1, keepdims=True)
    return np.array([c.sum() / ROWS for c in covs]), waves


ZERO, WAVE = family()


def reach(rows, level=LEVEL):
    """The distance of the mean that no form explains, for each series (n x ROWS)."""
    nu = ROWS - 1
    energy = (rows @ WAVES.T) ** 2 @ (1 / WAVE).T
    log_l = -0.5 * (np.log(WAVE).sum(1) + nu * np.log(energy))
    best = log_l.max(1, keepdims=True)
    weight = np.full(len(ZERO), 0.5 / (len(ZERO) - 1))
    weight[0] = 0.5
    mixture = best + np.log((np.exp(log_l - best) * weight).sum(1, keepdims=True))
    tail = level * np.exp(mixture - log_l)
    deviation = np.sqrt(ZERO * energy / nu / ROWS)
    return np.where(tail < 1, student.isf(np.minimum(tail, 1) / 2, nu) * deviation, 0).max(1)


def main():
    rng = np.random.default_rng(1)
    print("size", *SIZES)
    for time in (-1 / np.log(0.8), -1 / np.log(0.95), 2 * ROWS):
        for share in (0, 0.1, 0.3, 0.55, 0.8, 1):
            cov = share * forgets(time) + (1 - share) * np.eye(ROWS)
            rows = rng.normal(size=(DRAWS, ROWS)) @ np.linalg.cholesky(cov).T
            mean, bound = rows.mean(1), reach(rows - rows.mean(1, keepdims=True))
            found = [(mean + size * np.sqrt(cov.sum()) / ROWS > bound).mean() for size in SIZES]
            print(f"{time:.1f} rows, {share}:", *(int(100 * f) for f in found),
                  f"wrongly {(np.abs(mean) > bound).mean():.4f}")


if __name__ == "__main__":
    main()
