"""The bound of bound.py and bound_unknown.py: the best test against a mixture of forms of noise is the ratio of
likelihoods (Neyman and Pearson), and its power bounds that of all tests that hold the level under each form. The
weights of the mixture are moved towards the forms that are refuted too often; the lowest power found is the bound."""
import numpy as np


def bound(level, steps, alternative, null, alternative_false, null_false):
    """Logarithms of likelihoods. alternative[f][i], null[f][g, i]: of draw i under form f, if the truth is shifted, and
    under form g. alternative_false[i], null_false[g, i]: the same of draws of the shifted truth."""
    draws = len(alternative[0])
    weight, lowest = np.full(len(null), 1 / len(null)), 1.0
    for _ in range(steps):
        log = np.log(weight)[:, None]
        ratio = [a - np.logaddexp.reduce(n + log, axis=0) for a, n in zip(alternative, null)]
        every, mass = np.concatenate(ratio), np.repeat(weight / draws, draws)
        order = np.argsort(-every)
        limit = every[order][np.searchsorted(np.cumsum(mass[order]), level)]
        refuted = np.array([np.mean(x > limit) for x in ratio])
        power = np.mean(alternative_false - np.logaddexp.reduce(null_false + log, axis=0) > limit)
        lowest = min(lowest, power)
        weight *= np.exp(0.3 * (refuted / level - 1))
        weight = np.maximum(weight / weight.sum(), 1e-30)
    return lowest
