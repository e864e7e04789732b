"""What bench/case-study.sh found, as Markdown tables beside the paper's: case_study.py FOLDER SEED MACHINE PLANTED."""
import collections
import json
import os
import re
import sys

folder, seed, machine, planted = sys.argv[1:]

# Infeasible observations in CounterPoint's tables 3, 5 and 7; appendix C.4 has words only.
TABLE_3 = dict(zip(["m%d" % i for i in range(12)], [209, 204, 91, 56, 0, 5, 142, 143, 0, 5, 142, 143]))
TABLE_5 = dict(zip(["t%d" % i for i in range(18)], [0] * 9 + [0, 4, 4, 0, 4, 4, 0, 3, 4]))
TABLE_7 = {"a%d" % i: 37 for i in range(4)}
APPENDIX_C4 = {"r0": "feasible", "r1": "infeasible", "r2": "infeasible"}
REFS = "walk_ref.l1 + walk_ref.l2 + walk_ref.l3 + walk_ref.mem"


class Verdicts:
    """One model's verdicts on the observations of one file."""

    def __init__(self, data, variant):
        with open(os.path.join(folder, "%s.%s.json" % (data, variant)), encoding="utf-8") as f:
            document = json.load(f)
        self.features = document["features"]
        self.all = document["observations"]
        self.infeasible = [o for o in self.all if o["verdict"] == "infeasible"]
        self.names = [o["name"] for o in self.infeasible]
        undecided = [o["name"] for o in self.all if o["verdict"] not in ("feasible", "infeasible")]
        if undecided:
            print("%s: neither feasible nor infeasible: %s" % (variant, ", ".join(undecided)))


def short(constraint):
    return constraint["text"].replace(REFS, "walk_ref")


def value(observation, counter):
    return next(x["mean"] for x in observation["values"] if x["counter"] == counter)


def violated(observations):
    """Constraints by how many observations break them, most first."""
    count = collections.Counter(short(c) for o in observations for c in o["violated"])
    return sorted(count.items(), key=lambda x: (-x[1], x[0]))


def microbenchmark(name):
    return re.match("(linear|lines|random):", name) is not None


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |")


def head(*cells):
    row(*cells)
    row(*["---"] * len(cells))


def code(words):
    return " ".join("`%s`" % w for w in words) or "none"


def agrees(here, paper):
    refuted = paper == "infeasible" if isinstance(paper, str) else paper > 0
    return (here > 0) == refuted


def yes(holds):
    return "yes" if holds else "**no**"


suite = {v: Verdicts("suite", v) for v in [*TABLE_3, *TABLE_5, *TABLE_7, *APPENDIX_C4]}
n = {v: len(suite[v].infeasible) for v in suite}
other = []


def table(paper, extra_head=(), extra=lambda v: ()):
    head("model", "features", "infeasible here", *extra_head, "in the paper", "agrees")
    for v in paper:
        row("`%s`" % v, code(suite[v].features), n[v], *extra(v), paper[v], yes(agrees(n[v], paper[v])))
        if not agrees(n[v], paper[v]):
            other.append(v)


def claims(*rows):
    print()
    head("claim", "holds")
    for text, holds in rows:
        row(text, yes(holds))


observations = suite["m0"].all
micro = [o for o in observations if microbenchmark(o["name"])]
print("%d observations of `%s` with %s, seed %s; %d of them microbenchmarks (linear, lines, random), %d programs" %
      (len(observations), machine, code(planted.split(",")), seed, len(micro), len(observations) - len(micro)))

print("\n### Table 3: features\n")
table(TABLE_3, ("without microbenchmarks",), lambda v: (sum(not microbenchmark(x) for x in suite[v].names),))
root = [x for x in suite["m2"].names if x not in suite["m3"].names]
claims(
    ("`m0` ≥ `m1` ≥ `m2` ≥ `m3` > 0 = `m4` = `m8`", n["m0"] >= n["m1"] >= n["m2"] >= n["m3"] > 0 == n["m4"] == n["m8"]),
    ("without prefetches (`m5`), early lookup (`m6`) or merging (`m7`) some are infeasible", min(n["m5"], n["m6"], n["m7"]) > 0),
    ("with bypass the root cache changes no verdict: `m4` `m8`, `m5` `m9`, `m6` `m10`, `m7` `m11`",
     all(suite[a].names == suite[b].names for a, b in (("m4", "m8"), ("m5", "m9"), ("m6", "m10"), ("m7", "m11")))),
    ("without bypass %d need it (`m2`, not `m3`), all on pages of 1 GB" % len(root), bool(root) and all("page=1g" in x for x in root)),
    ("without the microbenchmarks prefetches are missed: `m5` survives the rest", all(microbenchmark(x) for x in suite["m5"].names)),
)

print("\n### Table 5: what triggers a prefetch\n")
table(TABLE_5, ("of these without a store",), lambda v: (sum(value(o, "store.ret") == 0 for o in suite[v].infeasible),))
claims(
    ("speculative triggers all survive: `t0` to `t8`", all(n["t%d" % i] == 0 for i in range(9))),
    ("of the others those of loads before the DTLB survive: `t9` `t15`", n["t9"] == n["t15"] == 0),
    ("and those at a DTLB or STLB miss do not: `t10` `t11` `t13` `t14` `t16` `t17`", all(n["t%d" % i] > 0 for i in (10, 11, 13, 14, 16, 17))),
    ("`t12`, stores before the DTLB, is refuted only by what retires no store", all(value(o, "store.ret") == 0 for o in suite["t12"].infeasible)),
)

print("\n### Table 7: aborts in place of bypass\n")
table(TABLE_7)
claims(
    ("aborts alone never do, wherever they are", min(n[v] for v in TABLE_7) > 0),
    ("by the same observations: `a0` = `a1` = `a2` = `a3`", all(suite[v].names == suite["a0"].names for v in TABLE_7)),
)

print("\n### Appendix C.4: replays in place of bypass\n")
table(APPENDIX_C4)
claims(
    ("replays survive: `r0`", n["r0"] == 0),
    ("not without merging (`r1`), nor without prefetches (`r2`)", n["r1"] > 0 and n["r2"] > 0),
)

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


def parameters(name):
    return dict(re.findall(r"(\w+)=([^,+]+)", name))


print("\n### Lines that trigger a prefetch\n")
lines, trusted = Verdicts("lines", "m5"), Verdicts("lines", "m4")
found = collections.defaultdict(list)
for name in lines.names:
    p = parameters(name)
    found["down" if "step" in p else "up"].append((int(p["first"]), int(p["second"])))
head("direction", "pairs tried", "refute `m5`", "refute `m4`", "in the paper")
for direction, paper in (("up", "51→52"), ("down", "8→7")):
    tried = [o["name"] for o in lines.all if ("step" in parameters(o["name"])) == (direction == "down")]
    row(direction, len(tried), ", ".join("%d→%d" % pair for pair in found[direction]) or "none", sum(x in tried for x in trusted.names), paper)

print("\n### Strides that trigger one, of loads and stores\n")
strides, trusted = Verdicts("strides", "m5"), Verdicts("strides", "m4")
head("loads", "strides tried", "need prefetches (refute `m5`)", "refute `m4`")
for loads in ("1", "0.7", "0"):
    tried = [o["name"] for o in strides.all if parameters(o["name"])["loads"] == loads]
    row(loads, len(tried), ", ".join(parameters(x)["stride"] for x in tried if x in strides.names) or "none", sum(x in tried for x in trusted.names))

alone = [o["name"] for o in observations if parameters(o["name"]).get("loads") == "0"]
print("\nOf the suite's %d observations of stores alone %d refute `m5`." % (len(alone), sum(x in suite["m5"].names for x in alone)))

print("\n### Triggers that retire, on loops of loads with and without stores\n")
head("model", "features of its trigger", "no store", "one store in a hundred")
for i in range(9, 18):
    v = Verdicts("stores", "t%d" % i)
    counts = [(sum(parameters(x)["loads"] == loads for x in v.names), sum(parameters(o["name"])["loads"] == loads for o in v.all)) for loads in ("1", "0.99")]
    row("`t%d`" % i, code(f for f in v.features if f.startswith("pf_")), *("%d of %d" % c for c in counts))

print("\n### A root cache, where nothing is bypassed\n")
head("machine", "pages", "observations", "refute `m2`", "refute `m3`")
for which in ("with", "without"):
    without, having = Verdicts("root-" + which, "m2"), Verdicts("root-" + which, "m3")
    for page in ("1g", "2m"):
        of = [o["name"] for o in having.all if parameters(o["name"])["page"] == page]
        row(which + " root cache", page, len(of), *(sum(x in of for x in v.names) for v in (without, having)))

print("\n### Pages that nobody has touched\n")
head("a prefetch", "pages", "references a page", "walks completed a page", "refute `m4`")
for which, what in (("stops", "stops at a clear accessed bit"), ("sets", "sets it")):
    v = Verdicts("pages-" + which, "m4")
    for o in v.all:
        pages = value(o, "load.ret") / 64
        references = sum(value(o, "walk_ref." + level) for level in ("l1", "l2", "l3", "mem"))
        row(what, "touched" if parameters(o["name"])["touched"] == "1" else "fresh", "%.2f" % (references / pages), "%.2f" % (value(o, "load.walk_done") / pages), int(o["name"] in v.names))
