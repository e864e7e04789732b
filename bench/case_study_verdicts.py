"""Verdicts of hecate check --json on the study's observations, the paper's numbers, and the claims that both must support."""
import collections
import json
import os
import re

# Infeasible observations in CounterPoint's tables 3, 5 and 7; appendix C.4 has words only.
TABLE_3 = dict(zip(["m%d" % i for i in range(12)], [209, 204, 91, 56, 0, 5, 142, 143, 0, 5, 142, 143]))
TABLE_5 = dict(zip(["t%d" % i for i in range(18)], [0] * 9 + [0, 4, 4, 0, 4, 4, 0, 3, 4]))
TABLE_7 = {"a%d" % i: 37 for i in range(4)}
APPENDIX_C4 = {"r0": "feasible", "r1": "infeasible", "r2": "infeasible"}
MODELS = [*TABLE_3, *TABLE_5, *TABLE_7, *APPENDIX_C4]
REFS = "walk_ref.l1 + walk_ref.l2 + walk_ref.l3 + walk_ref.mem"


class Verdicts:
    """One model's verdicts on the observations of one file. `each` counts at the confidence of a single observation, `names` by Holm's procedure over all of them."""

    def __init__(self, folder, data, variant):
        with open(os.path.join(folder, "%s.%s.json" % (data, variant)), encoding="utf-8") as f:
            document = json.load(f)
        self.features = document["features"]
        self.all = document["observations"]
        self.each = [o["name"] for o in self.all if o["verdict"] == "infeasible"]
        self.infeasible = [o for o in self.all if o["family_wise"] == "infeasible"]
        self.names = [o["name"] for o in self.infeasible]
        self.undecided = [o["name"] for o in self.all if o["verdict"] not in ("feasible", "infeasible")]


def short(constraint):
    return constraint["text"].replace(REFS, "walk_ref")


def value(observation, counter):
    return next(x["mean"] for x in observation["values"] if x["counter"] == counter)


def violated(observations):
    """Constraints, those that most observations break first."""
    count = collections.Counter(short(c) for o in observations for c in o["violated"])
    return sorted(count.items(), key=lambda x: (-x[1], x[0]))


def kind(name):
    """linear, lines, random: the microbenchmarks; the others are synthetic kernels of programs."""
    return re.match("(linear|lines|random):", name).group(1) if microbenchmark(name) else "kernels"


def microbenchmark(name):
    return re.match("(linear|lines|random):", name) is not None


def parameters(name):
    return dict(re.findall(r"(\w+)=([^,+]+)", name))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def head(*cells):
    row(*cells)
    row(*["---"] * len(cells))


def code(words):
    return " ".join("`%s`" % w for w in words) or "none"


def yes(holds):
    return "yes" if holds else "**no**"


def claims(suite):
    """The claims of the tables as (section, text, whether it holds), for a suite's verdicts by model. Refuted means refuted by Holm's procedure over all observations."""
    n = {v: len(suite[v].names) for v in suite}
    kernels = {v: [x for x in suite[v].names if not microbenchmark(x)] for v in suite}
    root = [x for x in suite["m2"].names if x not in suite["m3"].names]
    return [
        ("3", "no observation refutes what is planted: `m4`, `m8`", n["m4"] == n["m8"] == 0),
        ("3", "`m0` ≥ `m1` ≥ `m2` ≥ `m3` > 0", n["m0"] >= n["m1"] >= n["m2"] >= n["m3"] > 0),
        ("3", "without prefetches (`m5`), early lookup (`m6`) or merging (`m7`) some are infeasible", min(n["m5"], n["m6"], n["m7"]) > 0),
        ("3", "with bypass the root cache changes no verdict: `m4` `m8`, `m5` `m9`, `m6` `m10`, `m7` `m11`",
         all(suite[a].names == suite[b].names for a, b in (("m4", "m8"), ("m5", "m9"), ("m6", "m10"), ("m7", "m11")))),
        ("3", "without bypass some need it (`m2`, not `m3`), all on pages of 1 GB", bool(root) and all("page=1g" in x for x in root)),
        ("3", "the kernels alone refute `m6` and `m7`", min(len(kernels["m6"]), len(kernels["m7"])) > 0),
        ("3", "the kernels alone do not refute `m5`: prefetches are missed", not kernels["m5"]),
        ("3", "the kernels alone do not refute `m3`: bypass is missed", not kernels["m3"]),
        ("3", "the kernels alone order the ablations as the paper does: `m5` < `m6` ≤ `m7`", len(kernels["m5"]) < len(kernels["m6"]) <= len(kernels["m7"])),
        ("5", "speculative triggers all survive: `t0` to `t8`", all(n["t%d" % i] == 0 for i in range(9))),
        ("5", "of the others those of loads before the DTLB survive: `t9` `t15`", n["t9"] == n["t15"] == 0),
        ("5", "and those at a DTLB or STLB miss do not: `t10` `t11` `t13` `t14` `t16` `t17`", all(n["t%d" % i] > 0 for i in (10, 11, 13, 14, 16, 17))),
        ("5", "`t12`, stores before the DTLB, is refuted only by loops without a store",
         n["t12"] > 0 and all(parameters(x).get("loads", "1") == "1" for x in suite["t12"].names)),
        ("7", "aborts alone never do, wherever they are: `a0` to `a3`", min(n[v] for v in TABLE_7) > 0),
        ("7", "by the same observations: `a0` = `a1` = `a2` = `a3`", all(suite[v].names == suite["a0"].names for v in TABLE_7)),
        ("C", "replays survive: `r0`", n["r0"] == 0),
        ("C", "not without merging (`r1`), nor without prefetches (`r2`)", n["r1"] > 0 and n["r2"] > 0),
    ]
