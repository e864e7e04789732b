"""Machines outside the family of models: the answers of m4 and of the searches."""
import json
import os

from case_study_verdicts import Verdicts, head, row

MACHINES = (
    ("plain", "what is planted, nothing else"),
    ("storm", "`storm`: a walk is stopped three times before its first reference, and counted each time"),
    ("pf_done", "`pf_done`: prefetches count as completed walks"),
    ("twin", "`twin`: a second walker walks what is being walked, and counts its completion"),
    ("stlb", "an STLB that holds pages of 1 GB, whose hits no counter tells by size"),
    ("leak", "`--lie …walk_completed=interrupt:1`: a count more at each timer interrupt"),
    ("factor", "`--lie …walk_completed=factor:1.02`: 2 % too much"),
)


def answer(found):
    if not found["complete"]:
        return "not searched to the end"
    if not found["minimal"]:
        return "none of these"
    return "; ".join("+".join("`%s`" % f for f in features) or "no feature" for features in found["minimal"])


def print_odd(folder):
    print("\n### Machines outside the family\n")
    head("machine", "observations", "refute `m4`", "search of `haswell-mmu`", "search of `haswell-study`", "taken by no model")
    for name, text in MACHINES:
        if not os.path.exists(os.path.join(folder, "outside-%s.mmu.json" % name)):
            continue  # $OUTSIDE leaves it out
        found = []
        for family in ("mmu", "study"):
            with open(os.path.join(folder, "outside-%s.%s.json" % (name, family)), encoding="utf-8") as f:
                found.append(json.load(f))
        v = Verdicts(folder, "outside-" + name, "m4")
        row(text, len(v.all), len(v.names), answer(found[0]), answer(found[1]), len(found[1]["orphans"]))
