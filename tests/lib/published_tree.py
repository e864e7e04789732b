"""Evaluates the published formulas of a top-down tree, independently of hecate.

published_tree.py vectors FILE N SEED        writes a CSV of N made count vectors for the tree
published_tree.py compare FILE CSV JSON      compares hecate's nodes of these vectors, or of a log of perf stat -x, with the
                                             formulas, to the last bit

FILE is a table of tests/data/topdown: formulas and limits as their makers publish them. Each vector draws counts of very
different sizes, also 0, also missing ones, and with or without what is counted only where two threads share a core.
"""
import csv
import json
import random
import re
import sys

NAME = re.compile(r"[A-Za-z_#][\w.:=#-]*")


class Missing(Exception):
    """A count that a formula needs is not there, or a divisor is 0."""


class Tree:
    def __init__(self, path):
        self.node, self.value, self.column, self.smt, self.percent = {}, {}, {}, None, set()
        for line in open(path):
            kind, _, rest = line.strip().partition(" ")
            field = [x.strip() for x in rest.split(" | ", 3)]
            if kind == "node":
                self.node[field[0].lower()] = field[2], field[3] if len(field) > 3 else ""
            elif kind == "value":
                self.value[field[0]] = field[1]
            elif kind == "column":
                self.column[field[0]] = field[1]
            elif kind == "smt":
                self.smt = rest
            elif kind == "percent":
                self.percent.add(rest)
        self.code = {}

    def parsed(self, formula):
        """The formula with a look-up in place of each name; Python's own parser and arithmetic do the rest."""
        if formula not in self.code:
            quoted = NAME.sub(lambda m: m[0] if m[0] in ("if", "else", "min", "max", "d_ratio")
                              else "at(%r)" % m[0], formula)
            self.code[formula] = compile(quoted.replace("&", " and ").replace("|", " or "), formula, "eval")
        return self.code[formula]

    @staticmethod
    def ratio(a, b):
        """perf's d_ratio: nothing divided by nothing is 0."""
        return a / b if b else 0.0

    def nodes(self, row):
        """The value of each node for one vector (None: not known), and whether it is above its limits."""
        known, ratio = {}, self.ratio

        def at(name):
            if name == "smt_on":
                return row.get(self.smt, "") != ""
            if name not in known:
                known[name] = look_up(name)
            if known[name] is None:
                raise Missing(name)
            return known[name]

        def look_up(name):
            if name in self.column:
                text = row.get(self.column[name], "")
                if text == "":
                    return None
                return float(text) / 1e9 if name == "duration_time" else float(text)
            if name in self.value:
                return evaluate(self.value[name])
            return evaluate(self.node[re.sub("^tma_", "", name)][0])

        def evaluate(formula):
            try:
                return eval(self.parsed(formula), {"__builtins__": {}}, {"at": at, "min": min, "max": max, "d_ratio": ratio})
            except (Missing, ZeroDivisionError):
                return None

        def exceeds(limit):
            def percent(name):
                v = self_value(name.lower())
                return float("nan") if v is None else v * 100
            text = re.sub(r"[A-Za-z_]\w*|\d\w*_\w+", lambda m: "at(%r)" % m[0], limit)
            return bool(eval(text.replace("&", " and ").replace("|", " or "), {"__builtins__": {}}, {"at": percent}))

        def self_value(name):
            if "tma_" + name not in known:
                known["tma_" + name] = evaluate(self.node[name][0])
            return known["tma_" + name]

        return {n: (self_value(n), exceeds(f[1]) if f[1] else None) for n, f in self.node.items()}


def vectors(tree, n, seed):
    draw = random.Random(seed)
    columns = list(dict.fromkeys(tree.column.values()))
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["observation"] + columns)
    for i in range(n):
        row = []
        smt = draw.random() < 0.5
        scale = draw.uniform(3, 12)
        lossy = draw.random() < 0.3
        for c in columns:
            if c == tree.smt and not smt or lossy and draw.random() < 0.05:
                row.append("")
            elif draw.random() < 0.05:
                row.append(0)
            else:
                row.append(int(10 ** draw.uniform(max(scale - 3, 0), scale)))
        out.writerow(["v%d" % i] + row)


def read_log(path, observation):
    """The counts of perf stat -x, with the terms of an event (cpu/NAME,cmask=1/) as the tables write them (NAME:c1)."""
    row = {}
    for line in open(path):
        m = re.match(r"(\d+)([,;])[^,;]*[,;](cpu/[^/]*/|[^,;]*)[,;]", line)
        if not m:
            continue
        name, *terms = m[3][4:-1].split(",") if m[3].startswith("cpu/") else [m[3]]
        for t in terms:
            word, _, number = t.partition("=")
            name += ":%s%d" % ({"cmask": "c", "edge": "e", "inv": "i"}[word], int(number or "1", 0))
        row[name] = m[1]
    return {observation: row}


def compare(tree, path, report):
    if open(path).readline().startswith("observation"):
        rows = {r["observation"]: r for r in csv.DictReader(open(path))}
    else:
        rows = read_log(path, report["observations"][0]["name"])
    stack = report["stacks"][0]
    named = {p["name"] for p in stack["parts"]}
    wrong, compared, known, flagged = [], 0, 0, 0
    for n in sorted(set(tree.node) ^ named):
        wrong.append("%s is a node of one of the two only" % n)
    for o in report["observations"]:
        want = tree.nodes(rows[o["name"]])
        if o["bars"][0]["whole"] is None:
            continue
        for p in o["bars"][0]["parts"]:
            value, above = want.get(p["name"], (None, None))
            compared += 1
            known += value is not None
            flagged += bool(above)
            raw = p["raw"] * 100 if p["raw"] is not None and p["name"] in tree.percent else p["raw"]
            if raw != value:
                wrong.append("%s of %s is %r, and by the published formula %r" % (p["name"], o["name"], raw, value))
            if above is not None and p["flagged"] != above:
                wrong.append("%s of %s: flagged %s, and by the published limits %s" % (
                    p["name"], o["name"], p["flagged"], above))
            if (value is None) != (p["raw"] is None) or (p["lacks"] and value is not None):
                wrong.append("%s of %s: lacks %s" % (p["name"], o["name"], p["lacks"]))
    for w in wrong[:10]:
        print(w)
    print("%d vectors, %d values compared, %d known, %d above their limits, %d wrong" % (
        len(report["observations"]), compared, known, flagged, len(wrong)))
    return len(wrong) > 0


if __name__ == "__main__":
    t = Tree(sys.argv[2])
    if sys.argv[1] == "vectors":
        vectors(t, int(sys.argv[3]), int(sys.argv[4]))
    else:
        sys.exit(compare(t, sys.argv[3], json.load(open(sys.argv[4]))))
