"""case_study.py FOLDER SEED MACHINE PLANTED: prints the results of bench/case-study.sh as Markdown tables next to the paper's."""
import collections
import json
import os
import sys

from case_study_odd import print_odd
from case_study_quantities import print_quantities
from case_study_verdicts import (APPENDIX_C4, MODELS, TABLE_3, TABLE_5, TABLE_7, Verdicts, claims, code, head, kind, microbenchmark, parameters, row, short,
                                 value, violated, yes)

folder, seed, machine, planted = sys.argv[1:]

def grade(here, paper):
    """Is it none here and none in the paper, or some in both?"""
    refuted = paper == "infeasible" if isinstance(paper, str) else paper > 0
    return (here > 0) == refuted


suite = {v: Verdicts(folder, "suite", v) for v in MODELS}
n = {v: len(suite[v].names) for v in suite}
held = claims(suite)
other = []


def table(paper, extra_head=(), extra=lambda v: ()):
    head("model", "features", "in the paper", "here, by Holm", "here, each at 99 %", "undecided", *extra_head, "some or none as in the paper")
    for v in paper:
        row("`%s`" % v, code(suite[v].features), paper[v], n[v], len(suite[v].each), len(suite[v].undecided), *extra(v), yes(grade(n[v], paper[v])))
        if not grade(n[v], paper[v]):
            other.append(v)
    order(paper)


def order(paper):
    """Compares the order of each pair of models here with that of the paper's numbers."""
    if any(isinstance(x, str) for x in paper.values()):
        return
    pairs = [(a, b) for a in paper for b in paper if paper[a] < paper[b]]
    if not pairs:
        return
    reversed_ones = [(a, b) for a, b in pairs if n[a] > n[b]]
    ties = [(a, b) for a, b in pairs if n[a] == n[b]]
    print("\nOrder: of %d pairs of models that the paper's numbers put in an order, %d have the same order here, %d are equal here (%s), %d are reversed (%s)." %
          (len(pairs), len(pairs) - len(ties) - len(reversed_ones), len(ties), listed(ties), len(reversed_ones), listed(reversed_ones)))


def listed(pairs):
    return ", ".join("`%s` `%s`" % x for x in pairs[:8]) + (", …" if len(pairs) > 8 else "") or "none"


def print_claims(section):
    print()
    head("claim", "holds")
    for which, text, holds in held:
        if which == section:
            row(text, yes(holds))


observations = suite["m0"].all
micro = [o for o in observations if microbenchmark(o["name"])]
print("%d observations of `%s` with %s, seed %s; %d of them microbenchmarks (linear, lines, random), %d synthetic kernels of programs" %
      (len(observations), machine, code(planted.split(",")), seed, len(micro), len(observations) - len(micro)))

print("\n### Table 3: features\n")
table(TABLE_3, ("of the %d kernels" % (len(observations) - len(micro)),), lambda v: (sum(not microbenchmark(x) for x in suite[v].names),))
print_claims("3")

print("\n### What refutes the ablations, by kind of workload\n")
head("kind", "observations", "`m5` (paper 5)", "`m6` (paper 142)", "`m7` (paper 143)")
for which in ("linear", "lines", "random", "kernels"):
    of = [o["name"] for o in observations if kind(o["name"]) == which]
    row(which, len(of), *("%d (%.0f %%)" % (sum(x in of for x in suite[v].names), 100 * sum(x in of for x in suite[v].names) / len(of) if of else 0) for v in ("m5", "m6", "m7")))

print("\n### Table 5: what triggers a prefetch\n")
table(TABLE_5, ("of these without a store",), lambda v: (sum(value(o, "store.ret") == 0 for o in suite[v].infeasible),))
print_claims("5")

print("\n### Table 7: aborts in place of bypass\n")
table(TABLE_7)
print_claims("7")

print("\n### Appendix C.4: replays in place of bypass\n")
table(APPENDIX_C4)
print_claims("C")

print("\n### Where the paper's verdict is another\n")
if not other:
    print("Nowhere.")
else:
    head("model", "constraint that most observations break", "by how many", "of infeasible")
    for v in other:
        broken = violated(suite[v].infeasible) or [("none by itself", 0)]
        row("`%s`" % v, "`%s`" % broken[0][0], broken[0][1], n[v])

print("\n### What m0 demands, and who breaks it\n")
with open(os.path.join(folder, "m0.json"), encoding="utf-8") as f:
    demanded = json.load(f)["inequalities"]
broken = dict(violated(suite["m0"].infeasible))
print("%d constraints, of which %d are broken; in the paper 31 and 8\n" % (len(demanded), len(broken)))
head("constraint of `m0`", "broken by")
for text in sorted((short(c) for c in demanded if len(c["coef"]) > 1), key=lambda t: (-broken.get(t, 0), t)):
    row("`%s`" % text, broken.get(text, 0))
if any(not o["violated"] for o in suite["m0"].infeasible):
    print("\nInfeasible, and none of them broken by itself: %d." % sum(not o["violated"] for o in suite["m0"].infeasible))


print("\n### Lines that trigger a prefetch\n")
lines, trusted = Verdicts(folder, "lines", "m5"), Verdicts(folder, "lines", "m4")
found = collections.defaultdict(list)
for name in lines.names:
    p = parameters(name)
    found["down" if "step" in p else "up"].append((int(p["first"]), int(p["second"])))
head("direction", "pairs tried", "refute `m5`", "refute `m4`", "in the paper")
for direction, paper in (("up", "51→52"), ("down", "8→7")):
    tried = [o["name"] for o in lines.all if ("step" in parameters(o["name"])) == (direction == "down")]
    row(direction, len(tried), ", ".join("%d→%d" % pair for pair in found[direction]) or "none", sum(x in tried for x in trusted.names), paper)

print("\n### Strides that trigger one, of loads and stores\n")
strides, trusted = Verdicts(folder, "strides", "m5"), Verdicts(folder, "strides", "m4")
head("loads", "strides tried", "need prefetches (refute `m5`)", "refute `m4`")
for loads in ("1", "0.7", "0"):
    tried = [o["name"] for o in strides.all if parameters(o["name"])["loads"] == loads]
    row(loads, len(tried), ", ".join(parameters(x)["stride"] for x in tried if x in strides.names) or "none", sum(x in tried for x in trusted.names))

alone = [o["name"] for o in observations if parameters(o["name"]).get("loads") == "0"]
print("\nOf the suite's %d observations of stores alone %d refute `m5`." % (len(alone), sum(x in suite["m5"].names for x in alone)))

print("\n### Triggers that retire, on loops of loads with and without stores\n")
head("model", "features of its trigger", "no store", "one store in a hundred")
for i in range(9, 18):
    v = Verdicts(folder, "stores", "t%d" % i)
    counts = [(sum(parameters(x)["loads"] == loads for x in v.names), sum(parameters(o["name"])["loads"] == loads for o in v.all)) for loads in ("1", "0.99")]
    row("`t%d`" % i, code(f for f in v.features if f.startswith("pf_")), *("%d of %d" % c for c in counts))

print("\n### A root cache, where nothing is bypassed\n")
head("machine", "pages", "observations", "refute `m2`", "refute `m3`")
for which in ("with", "without"):
    without, having = Verdicts(folder, "root-" + which, "m2"), Verdicts(folder, "root-" + which, "m3")
    for page in ("1g", "2m"):
        of = [o["name"] for o in having.all if parameters(o["name"])["page"] == page]
        row(which + " root cache", page, len(of), *(sum(x in of for x in v.names) for v in (without, having)))

print("\n### Pages that nobody has touched\n")
head("a prefetch", "pages", "references a page", "walks completed a page", "refute `m4`")
for which, what in (("stops", "stops at a clear accessed bit"), ("sets", "sets it")):
    v = Verdicts(folder, "pages-" + which, "m4")
    for o in v.all:
        pages = value(o, "load.ret") / 64
        references = sum(value(o, "walk_ref." + level) for level in ("l1", "l2", "l3", "mem"))
        row(what, "touched" if parameters(o["name"])["touched"] == "1" else "fresh", "%.2f" % (references / pages), "%.2f" % (value(o, "load.walk_done") / pages), int(o["name"] in v.names))

print("\n### Aborts before the first reference, where nothing is bypassed\n")
head("machine", "observations", "refute `m3`", "refute `a0`", "in the paper")
for which in ("with", "without"):
    before, after = Verdicts(folder, "aborts-" + which, "m3"), Verdicts(folder, "aborts-" + which, "a0")
    row(which + " `ab_walk`", len(before.all), len(before.names), len(after.names), "56 and 37" if which == "with" else "")

print_quantities(folder, suite)
print_odd(folder)
