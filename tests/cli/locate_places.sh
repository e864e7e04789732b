#!/bin/sh
# hecate locate names the true place: counters planted at random places of random models, whose µpaths are enumerated
# here.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

cat >plant.py <<'X'
import json, os, random, re, subprocess, sys
hecate, rounds, planted_counter = os.environ["HECATE"], int(sys.argv[1]), "zz"

class Model:
    """Text, one statement a line, and its µpaths: for each the lines that it passes."""
    def __init__(self, r):
        self.r, self.line, self.kind, self.n = r, [], {}, 0
        self.put("model random;")
        for i in range(4):
            self.put(f"counter c{i};")
        self.defs = {}
        for name in ("d", "e")[:r.randrange(3)]:
            self.put(f"def {name}() {{")
            self.defs[name] = self.block(1)
            self.put("}")
        self.path = []
        for p in range(1 + r.randrange(2)):
            self.put(f"path p{p} {{")
            self.put("count c0;", "count c0")
            first = len(self.line)
            self.path += [[first] + k for k in self.block(2)]
            self.put("}")
    def put(self, text, kind=None):
        self.line.append(text)
        if kind:
            self.kind[len(self.line)] = kind
    def name(self):
        self.n += 1
        return self.n
    def block(self, depth):
        paths = [[]]
        for _ in range(1 + self.r.randrange(3)):
            what = self.r.randrange(5)
            if what < 2:
                kind = f"event e{self.r.randrange(6)}" if what == 0 else f"count c{self.r.randrange(4)}"
                self.put(kind + ";", kind)
                paths = [p + [len(self.line)] for p in paths]
            elif what == 2 and self.defs:
                name = self.r.choice(sorted(self.defs))
                self.put(f"{name}();")
                paths = [p + q for p in paths for q in self.defs[name]]
            elif depth:
                number, ways = self.name(), []
                self.put("choose {" if self.r.randrange(2) else f"switch (S{number}) {{")
                for case in "AB":
                    self.put(f"case {case}{number}:")
                    ways += self.block(depth - 1)
                self.put("}")
                paths = [p + q for p in paths for q in ways]
        return paths
    def counts(self, p, plant):
        """c0 ... c3, and how often the planted counter rises: with each pass of its line."""
        return [sum(self.kind[k] == f"count c{i}" for k in p) for i in range(4)] + [sum(k == plant for k in p)]

def is_named(text, kind, line):
    """Does the list of survivors name the statement, or its name as such?"""
    for m in re.finditer(re.escape(kind) + r"(?= at |;|$| \+ | without )( at [^;]*)?", text, re.M):
        if not m.group(1) or re.search(rf"m\.udd:{line}(?!\d)", m.group(1)):
            return True
    return False

def run(*args):
    return subprocess.run([hecate, "locate", "m.udd", planted_counter, "o.csv", "--exact", "--region", "ellipsoid", *args], capture_output=True, text=True)

lost, unnamed, silent, done = [], [], [], 0
for seed in range(rounds):
    r = random.Random(seed)
    m = Model(r)
    plant = r.choice(sorted(m.kind))
    if not any(plant in p for p in m.path) or len(m.path) > 3000:
        continue
    open("m.udd", "w").write("\n".join(m.line) + "\n")
    rows = []
    for o in range(6):
        flow = [r.randrange(50) if r.randrange(2) else 0 for _ in m.path]
        rows.append([sum(f * x for f, x in zip(flow, column)) for column in zip(*[m.counts(p, plant) for p in m.path])])
    if not any(row[4] for row in rows):
        continue
    open("o.csv", "w").write("observation,c0,c1,c2,c3,zz\n" + "".join(f"o{i}," + ",".join(map(str, row)) + "\n" for i, row in enumerate(rows)))
    done += 1
    d = run("--json")
    if d.returncode:
        lost.append((seed, d.stderr))
        continue
    kind, short, full = m.kind[plant], run().stdout.split("\nrefuted\n")[0], run("-v").stdout.split("\nrefuted\n")[0]
    if not is_named(full, kind, plant):
        lost.append((seed, kind, plant))
    # The short form omits places of a name, and candidates beyond a number, and says so. It never omits a name of what
    # it shows.
    if not re.search(rf"(?<!\w){kind}(?!\w)", short) and "more, which -v lists" not in short:
        unnamed.append((seed, kind, plant))
    elif not is_named(short, kind, plant) and "-v" not in short:
        silent.append((seed, kind, plant))
print(f"# {done} models; lost {len(lost)}, unnamed {len(unnamed)}, silent {len(silent)}")
print("lost", lost[:5])
print("unnamed", unnamed[:5])
print("silent", silent[:5])
print("enough", done > rounds / 2)
X
python3 plant.py "$(rounds 60 400)" >said 2>&1
grep -E "^(#|[A-Za-z.]*Error|  File)" said
is "with -v every planted place is among those that survive" "$(grep '^lost' said)" "lost []"
is "the short form never omits a name" "$(grep '^unnamed' said)" "unnamed []"
is "it counts what it omits" "$(grep '^silent' said)" "silent []"
is "most models have a place to find" "$(grep '^enough' said)" "enough True"
done_testing
