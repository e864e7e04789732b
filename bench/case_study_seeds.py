"""Results of bench/case-study-seeds.sh. case_study_seeds.py keep FOLDER DATA FILE writes what is needed of a suite's verdicts into FILE. case_study_seeds.py print FOLDER prints the tables."""
import collections
import json
import os
import sys

from case_study_verdicts import MODELS, TABLE_3, TABLE_5, TABLE_7, Verdicts, claims, head, microbenchmark, row


def keep(folder, data, to):
    suite = {v: Verdicts(folder, data, v) for v in MODELS}
    kept = {
        "observations": len(suite["m0"].all),
        "claims": [(text, holds) for _, text, holds in claims(suite)],
        "models": {v: {"each": len(s.each), "holm": len(s.names), "undecided": len(s.undecided), "kernels": [x for x in s.names if not microbenchmark(x)], "false": [s.each, s.names] if v == "m4" else []}
                   for v, s in suite.items()},
    }
    with open(to, "w", encoding="utf-8") as f:
        json.dump(kept, f)


def span(values):
    low, high = min(values), max(values)
    return str(low) if low == high else "%d to %d" % (low, high)


def table(folder):
    def read(name):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            return json.load(f)

    exact = read("exact.json")
    names = sorted((x for x in os.listdir(folder) if x.startswith("seed-") and x.endswith(".json")), key=lambda x: int(x[5:-5]))
    seeds = [read(x) for x in names]
    n = len(seeds)
    print("%d seeds (%s), and exact totals once; %d observations each\n" % (n, ", ".join(x[5:-5] for x in names), exact["observations"]))
    head("claim", "of %d seeds it holds in" % n, "with exact totals")
    for i, (text, holds) in enumerate(exact["claims"]):
        row(text, sum(s["claims"][i][1] for s in seeds), "yes" if holds else "**no**")
    print()
    head("model", "in the paper", "by Holm", "each at 99 %", "undecided", "exact totals", "kernels alone, by Holm", "kernels alone, exact")
    paper = {**TABLE_3, **TABLE_5, **TABLE_7}
    for v in MODELS:
        of = [s["models"][v] for s in seeds]
        row("`%s`" % v, paper.get(v, {"r0": "feasible"}.get(v, "infeasible")), span([x["holm"] for x in of]), span([x["each"] for x in of]), span([x["undecided"] for x in of]), exact["models"][v]["holm"],
            span([len(x["kernels"]) for x in of]), len(exact["models"][v]["kernels"]))
    false, held = (collections.Counter(x for s in seeds for x in s["models"]["m4"]["false"][i]) for i in range(2))
    total = sum(s["observations"] for s in seeds)
    print("\nVerdicts each at 99 %% refute `m4`, which is true, in %d of %d observations (%.2f %%; up to 1 %% is what 99 %% allows), by Holm's procedure in %d.\n" %
          (sum(false.values()), total, 100 * sum(false.values()) / total, sum(held.values())))
    head("observation that refutes `m4`", "seeds, each at 99 %", "seeds, by Holm")
    for name, count in sorted(false.items(), key=lambda x: (-x[1], x[0])):
        row("`%s`" % name, count, held[name])
    print("\nKernels that refute `m5` or `m3`:\n")
    head("model", "kernel", "seeds", "exact totals")
    for v in ("m5", "m3"):
        found = collections.Counter(x for s in seeds for x in s["models"][v]["kernels"])
        for name in sorted({*found, *exact["models"][v]["kernels"]}):
            row("`%s`" % v, "`%s`" % name, found[name], "yes" if name in exact["models"][v]["kernels"] else "no")


if sys.argv[1] == "keep":
    keep(*sys.argv[2:])
else:
    table(sys.argv[2])
