#!/usr/bin/env python3
"""trust-rates.py HECATE [SEEDS]: how often leaks refute models of the simulated Haswell, with and without trust.

For each seed, one to three counters of haswell are given an error: what page faults or interrupts add, or a factor. The
true model and models without one or all of its features are judged on the counts as they are, and with a book of trust
that knows the errors: slopes exactly or within a range, factors within 5 %; and with the book that hecate sim
--calibrate measures on the same machine. A false model counts if the counts without
errors refute it. Half of the seeds are exact totals; the other half take turns on four counters.
"""
import json, os, random, subprocess, sys, tempfile

TRUTH = ["tlb_pf", "early_psc", "merging", "bypass"]
EVENTS = ["dtlb_load_misses.walk_completed", "dtlb_load_misses.walk_completed_4k", "dtlb_load_misses.miss_causes_a_walk",
          "dtlb_load_misses.pde_cache_miss", "dtlb_store_misses.walk_completed", "dtlb_store_misses.miss_causes_a_walk",
          "mem_uops_retired.stlb_miss_loads", "page_walker_loads.dtlb_l1", "page_walker_loads.dtlb_l2"]
WORKLOADS = ["linear:footprint=1G,stride=64", "linear:footprint=1G,stride=4096,touched=0",
             "linear:footprint=1G,stride=64,loads=0", "lines:footprint=1G", "random:footprint=256M",
             "random:footprint=1G,loads=0.7,touched=0", "random:footprint=1G,touched=0", "stream:footprint=1G,touched=0"]


def draw(rng):
    """Draws errors: (event, --lie, line of the book)."""
    for event in rng.sample(EVENTS, rng.randint(1, 3)):
        kind = rng.choice(["fault", "fault", "interrupt", "factor"])
        if kind == "factor":
            f = 1 + rng.choice([0.02, 0.05, 0.1, 0.23])
            yield event, "factor:%g" % f, "adds %g..%g per count;" % (max(0, f - 1.05), f - 0.95)
            continue
        n = rng.choice([1, 1, 2, 5])
        cause = {"fault": "page-faults", "interrupt": "interrupts"}[kind]
        adds = "adds %g per %s;" % (n, cause) if rng.random() < 0.5 else "adds 0..%g per %s;" % (n + 1, cause)
        yield event, "%s:%g" % (kind, n), adds


def simulate(hecate, path, seed, exact, lies):
    args = [hecate, "sim", "-q", "-o", path, "--seed", str(seed), "--plant", ",".join(TRUTH), "--accesses", "20000",
            "--warm-up", "20000", "--set", "timer 1000 Hz"] + (["--exact", "--samples", "40"] if exact else ["--samples", "60"])
    for w in WORKLOADS:
        args += ["--workload", w]
    for event, lie, _ in lies:
        args += ["--lie", event + "=" + lie]
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL)


def calibrate(hecate, path, seed, lies):
    args = [hecate, "sim", "-q", "--calibrate", path, "--seed", str(seed + 1000), "--plant", ",".join(TRUTH)]
    for event, lie, _ in lies:
        args += ["--lie", event + "=" + lie]
    subprocess.run(args, check=True, stdout=subprocess.DEVNULL)


def refuted(hecate, path, features, trust=None):
    """The number of observations that refute the model."""
    args = [hecate, "check", "-q", "haswell-mmu", path, "--json"] + (["--features", ",".join(features)] if features else [])
    run = subprocess.run(args + (["--trust", trust] if trust else []), capture_output=True, text=True)
    return json.loads(run.stdout)["infeasible"]


def suspects(hecate, path):
    run = subprocess.run([hecate, "check", "-q", "haswell-mmu", path, "--json", "--explain", "--features", ",".join(TRUTH)],
                         capture_output=True, text=True)
    return json.loads(run.stdout)["suspects"]


def main():
    hecate, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 20
    models = [TRUTH] + [[f for f in TRUTH if f != g] for g in TRUTH[:3]] + [[]]
    sums = {}
    for seed in range(1, seeds + 1):
        rng, exact = random.Random(seed), seed % 2 == 1
        lies = list(draw(rng))
        of = sums.setdefault(exact, dict.fromkeys(
            ["seeds", "true raw", "true trust", "true measured", "false", "false raw", "false trust", "false measured",
             "single", "named"], 0))
        with tempfile.TemporaryDirectory() as folder:
            clean, wrong, book, measured = (os.path.join(folder, name) for name in [
                "clean.hct", "wrong.hct", "sim.trust", "measured.trust"])
            simulate(hecate, clean, seed, exact, [])
            simulate(hecate, wrong, seed, exact, lies)
            with open(book, "w") as f:
                f.write("cpu sim {\n" + "".join('event "%s" { verdict correctable; letters "D"; %s source "planted"; }\n'
                                                 % (event, adds) for event, _, adds in lies) + "}\n")
            calibrate(hecate, measured, seed, lies)
            of["seeds"] += 1
            raw = refuted(hecate, wrong, TRUTH)
            of["true raw"] += raw > 0
            of["true trust"] += refuted(hecate, wrong, TRUTH, book) > 0
            of["true measured"] += refuted(hecate, wrong, TRUTH, measured) > 0
            for model in models[1:]:
                if refuted(hecate, clean, model):
                    of["false"] += 1
                    of["false raw"] += refuted(hecate, wrong, model) > 0
                    of["false trust"] += refuted(hecate, wrong, model, book) > 0
                    of["false measured"] += refuted(hecate, wrong, model, measured) > 0
            if len(lies) == 1 and raw > 1:
                of["single"] += 1
                of["named"] += len(suspects(hecate, wrong)) > 0
    print("%-20s %5s %28s %38s %15s" % ("", "seeds", "true model refuted", "false models still refuted", "one liar named"))
    print("%-20s %5s %8s %9s %9s %12s %12s %12s" % ("", "", "raw", "trust", "measured", "raw", "trust", "measured"))
    for exact, of in sorted(sums.items(), reverse=True):
        still = ["%d of %d" % (of["false " + how], of["false"]) for how in ("raw", "trust", "measured")]
        print("%-20s %5d %8s %9s %9s %12s %12s %12s %15s" % (
            "exact totals" if exact else "taking turns", of["seeds"], of["true raw"], of["true trust"],
            of["true measured"], *still, "%d of %d" % (of["named"], of["single"])))


main()
