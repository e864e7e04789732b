"""CounterPoint's feasibility test as in its paper: sections 4 and 6 and appendix A, in Python with numpy, pulp and CBC.

One argument: a file that bench/core writes (bench/python.c describes it). For each observation: sample mean, covariance of
the mean, its eigenvectors, then the linear program with one variable for each counter and each signature; CBC solves
it. Signatures are distinct already, unlike the paper's enumeration of paths. There are no floors, as in the paper. If
one of the three is missing, one line says so, and nothing else is done.
"""
import shutil
import sys
import time

try:
    import numpy
    import pulp
except ImportError as e:
    print(f"Python: skipped, {e} (Debian: python3-numpy python3-pulp coinor-cbc)")
    sys.exit(0)
CBC = shutil.which("cbc")
if not CBC:
    print("Python: skipped, there is no cbc (Debian: coinor-cbc)")
    sys.exit(0)


def read(path):
    """The signatures (S × N), and for each observation our verdict, the share of foreign flow, and the samples (M × N)."""
    with open(path, encoding="ascii") as f:
        n, s, k, m, threshold2 = f.readline().split()
        n, s, k, m = int(n), int(s), int(k), int(m)
        signatures = numpy.array([f.readline().split() for _ in range(s)], dtype=float).reshape(s, n)
        observations = []
        for _ in range(k):
            ours, share = f.readline().split()
            rows = [[int(x) for x in f.readline().split()] for _ in range(m)]
            observations.append((ours == "1", float(share), numpy.array(rows, dtype=float)))
    return signatures, float(threshold2), observations


def is_feasible(signatures, threshold2, samples):
    """Does the bounding box of the confidence ellipsoid meet the model cone? None if CBC gives no answer."""
    m, n = samples.shape
    mean = samples.mean(axis=0)
    values, vectors = numpy.linalg.eigh(numpy.cov(samples, rowvar=False) / m)
    half = numpy.sqrt(numpy.maximum(values, 0) * threshold2)
    lp = pulp.LpProblem("feasibility", pulp.LpMinimize)
    v = [pulp.LpVariable(f"v{i}", lowBound=0) for i in range(n)]
    f = [pulp.LpVariable(f"f{p}", lowBound=0) for p in range(len(signatures))]
    lp += 0
    for i in range(n):  # counter flow equations
        lp += pulp.LpAffineExpression([(f[p], s[i]) for p, s in enumerate(signatures) if s[i]]) - v[i] == 0
    for i in range(n):  # sides of the box; eigenvectors are columns
        e = vectors[:, i]
        side, centre = pulp.LpAffineExpression(zip(v, e)), float(e @ mean)
        lp += side <= centre + half[i]
        lp += side >= centre - half[i]
    status = lp.solve(pulp.COIN_CMD(path=CBC, msg=False))
    return {pulp.LpStatusOptimal: True, pulp.LpStatusInfeasible: False}.get(status)


def main():
    signatures, threshold2, observations = read(sys.argv[1])
    times, agree, refuted, false, unknown = [], 0, 0, 0, 0
    for ours, share, samples in observations:
        start = time.perf_counter()
        feasible = is_feasible(signatures, threshold2, samples)
        times.append(time.perf_counter() - start)
        agree += feasible is not None and ours != feasible
        refuted += feasible is False
        false += feasible is False and share == 0
        unknown += feasible is None
    print(f"Python: samples to the box's verdict, median {1e3 * sorted(times)[len(times) // 2]:.2f} ms "
          f"(numpy {numpy.__version__}, pulp {pulp.__version__}, CBC)")
    print(f"Python: {len(times)} observations, {agree} agree with our box; {refuted} refuted, {false} of them of m0 itself, {unknown} unsolved")


main()
