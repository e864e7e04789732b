"""Quantities of CounterPoint's section 7.1, measured by switching one feature of the simulated machine off."""
import csv
import os

from case_study_verdicts import MODELS, head, row

T = ("load", "store")


def read(folder, name):
    """Events by workload, loads and stores added up."""
    found = {}
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8", newline="") as f:
        for line in csv.DictReader(x for x in f if not x.startswith("#")):
            def both(event):
                return sum(float(line["dtlb_%s_misses.%s" % (t, event)]) for t in T)

            found[line["observation"]] = {
                "causes": both("miss_causes_a_walk"), "done": both("walk_completed"), "pde": both("pde_cache_miss"), "hit": both("stlb_hit"), "busy": both("walk_duration"),
                "ret": sum(float(line["mem_uops_retired.all_%ss" % t]) for t in T), "missed": sum(float(line["mem_uops_retired.stlb_miss_%ss" % t]) for t in T),
                "refs": sum(float(line["page_walker_loads.dtlb_" + e]) for e in ("l1", "l2", "l3", "memory")), "cycles": float(line["cycles"]), "instructions": float(line["instructions"])}
    return found


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    rank = [0.0] * len(values)
    for i in range(len(order)):
        same = [k for k in range(len(order)) if values[order[k]] == values[order[i]]]
        rank[order[i]] = sum(same) / len(same)
    return rank


def correlation(x, y):
    mx, my = sum(x) / len(x), sum(y) / len(y)
    top = sum((a - mx) * (b - my) for a, b in zip(x, y))
    return top / (sum((a - mx) ** 2 for a in x) * sum((b - my) ** 2 for b in y)) ** 0.5


def print_quantities(folder, suite):
    on = read(folder, "off-nothing")
    off = {f: read(folder, "off-" + f) for f in ("tlb_pf", "early_psc", "merging", "pml4e")}
    print("\n### Section 7.1's quantities\n")
    head("in the paper", "measured", "here")

    less = sorted((1 - on[w]["causes"] / off["merging"][w]["causes"], w) for w in on if off["merging"][w]["causes"] >= 300)
    demand = [x for x in less if not x[1].startswith("linear")]
    linear = [x for x in less if x[1].startswith("linear")]
    row("merging nearly halves the walks of some workloads", "fewer walks begin with `merging` than without: most, median, least of %d workloads that are not linear" % len(demand),
        "%.0f %% (`%s`), %.0f %%, %.0f %%" % (100 * demand[-1][0], demand[-1][1], 100 * demand[len(demand) // 2][0], 100 * demand[0][0]))
    row("", "the same of linear ones, whose requests also merge with a prefetch's walk: most", "%.0f %% (`%s`)" % (100 * linear[-1][0], linear[-1][1]))

    early = max(((on[w]["pde"] / on[w]["causes"], w) for w in on if on[w]["causes"] > 1000))
    late = max((off["early_psc"][w]["pde"] / off["early_psc"][w]["causes"] for w in on if off["early_psc"][w]["causes"] > 1000))
    row("the PDE cache is asked before requests merge", "misses of the PDE cache for each walk begun, most: with `early_psc`, without", "%.2f (`%s`), %.2f" % (*early, late))

    w = "linear:footprint=4G,stride=64"
    pages = on[w]["ret"] / 64
    a, b = on[w], off["tlb_pf"][w]
    row("prefetches fill the L1 and L2 TLBs", "`%s`, for each page: misses of the DTLB (hits and misses of the STLB) with `tlb_pf`, without" % w,
        "%.2f, %.2f" % ((a["hit"] + a["missed"]) / pages, (b["hit"] + b["missed"]) / pages))
    row("and the PDE cache", "the same, walks' misses of the PDE cache for each 512 pages", "%.2f, %.2f" % (512 * a["pde"] / pages, 512 * b["pde"] / pages))
    row("prefetches inject loads by the walker; in some cases hundreds", "the same, references of the walker for each page with `tlb_pf`, of which by demand walks none; in 100000 accesses",
        "%.2f; %d with %d walks begun" % (a["refs"] / pages, a["refs"], a["causes"]))
    far = "linear:footprint=600G,stride=64"
    row("", "`%s`: references with `tlb_pf`, without" % far, "%d, %d" % (on[far]["refs"], off["tlb_pf"][far]["refs"]))

    w = "linear:footprint=600G,stride=1G,page=1g"
    row("a root cache explains missing references on pages of 1 GB", "`%s`: references for each walk with `pml4e`, without" % w,
        "%.2f, %.2f" % (on[w]["refs"] / on[w]["done"], off["pml4e"][w]["refs"] / off["pml4e"][w]["done"]))

    w = "linear:footprint=1G,stride=4160,loads=0.95,store_depends=1"
    row("walks complete without a reference", "`%s`: completed walks for each reference" % w, "%.2f" % (on[w]["done"] / on[w]["refs"]))

    load = read(folder, "load")
    busy, aborted = [x["busy"] / x["cycles"] for x in load.values()], [1 - x["done"] / x["causes"] if x["causes"] else 0 for x in load.values()]
    per = [(x["causes"] - x["done"]) / x["instructions"] * 1000 for x in load.values()]
    row("workloads with a busy walker have more aborted walks", "%d workloads with wrong paths (%s; 2, 8, 32 µops between accesses): rank correlation of the walker's share of cycles with aborted walks for each instruction; with aborted walks for each walk" %
        (len(load), "4 MB to 64 GB"), "%.2f; %.2f" % (correlation(ranks(busy), ranks(per)), correlation(ranks(busy), ranks(aborted))))
    low, high = min(range(len(busy)), key=lambda i: busy[i]), max(range(len(busy)), key=lambda i: busy[i])
    row("", "aborted walks for 1000 instructions where the walker is busy least, most", "%.2f at %.0f %%, %.2f at %.0f %%" % (per[low], 100 * busy[low], per[high], 100 * busy[high]))

    decided = {r: sum(o[r] == "infeasible" for v in suite.values() for o in v.all) for r in ("cone", "ellipsoid", "box", "independent")}
    row("correlated regions find 24 % more violations than independent ones", "infeasible verdicts of the %d models: test of the cone, correlated region, independent region" % len(MODELS),
        "%d, %d, %d (%+.0f %% by correlations)" % (decided["cone"], decided["ellipsoid"], decided["independent"], 100 * decided["ellipsoid"] / decided["independent"] - 100))
    broken = sum(len(o["violated"]) for v in suite.values() for o in v.all)
    row("over a thousand violations of constraints in all models", "violated constraints of all models and observations", broken)
