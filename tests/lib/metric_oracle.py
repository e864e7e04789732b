"""metric_oracle.py HECATE FOLDER CPU VECTORS BOXES POINTS: compares `hecate metrics` with Python's arithmetic on the text
of each formula that the installed perf has for a processor. Prints the figures; exit status 1 if anything differs."""
import json, os, random, re, subprocess, sys

hecate, folder, cpu = sys.argv[1:4]
vectors, boxes, points = map(int, sys.argv[4:7])
random.seed(cpu)
CONSTANTS = {"#smt_on": 1, "#core_wide": 0, "#num_cores": 16, "#num_packages": 2, "#num_dies": 2, "#num_cpus": 32,
             "#num_cpus_online": 32, "#slots": 6, "#system_tsc_freq": 2e9}


def metrics(*args):
    out = subprocess.run([hecate, "metrics", "--cpu", cpu, "--json", *args], stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)


TOKEN = re.compile(r"\s+|(?P<number>(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?(?![\w.:@\\]))|(?P<name>#?(?:\\.|[\w.:@?])+)|(?P<sign>.)")
WORDS = {"if", "else", "min", "max", "d_ratio", "source_count"}


class Zero(Exception):
    pass


def d_ratio(a, b):
    return 0 if b == 0 else divide(a, b)


def divide(a, b):
    if b == 0:
        raise Zero
    return a / b


class Number(float):
    """A float whose quotient by 0 is no number."""
    def __truediv__(self, other): return Number(divide(float(self), float(other)))
    def __add__(self, other): return Number(float(self) + other)
    def __sub__(self, other): return Number(float(self) - other)
    def __mul__(self, other): return Number(float(self) * other)
    def __neg__(self): return Number(-float(self))


def compiled(formula):
    """Python's text for a formula, and the names in it."""
    text, names = "", set()
    for m in TOKEN.finditer(formula):
        if m["number"]:
            text += f" N({m[0]})"
        elif m["name"] and m[0] in WORDS:
            text += f" {m[0]} "
        elif m["name"]:
            name = re.sub(r"\\(.)", r"\1", m[0]).replace("@", "/")
            names.add(name.lower())
            text += f" v({name.lower()!r})"
        else:
            text += {"&": " and ", "|": " or "}.get(m[0], m[0])
    return compile(text.strip(), formula, "eval"), names


doc = metrics()
formula = {m["name"].lower(): compiled(m["formula"]) for m in doc["metrics"]}
lost = [m["name"] for m in doc["metrics"] if m["problem"]]
bad = [f"{n} is not understood" for n in lost]
uses, often = {}, {}


def leaves(name):
    if name not in uses:
        uses[name] = set()
        for n in formula[name][1]:
            uses[name] |= leaves(n) if n in formula else {n}
    return uses[name]


events = sorted(set().union(*map(leaves, formula)) - set(CONSTANTS))
for m in doc["metrics"]:
    said = {e.lower() for e in m["events"]} | {c.lower() for c in m["constants"] if c.startswith("#")}
    if said != {n for n in leaves(m["name"].lower())}:
        bad.append(f"{m['name']}: other events than in its text: {said ^ leaves(m['name'].lower())}")


def evaluate(name, counts):
    memo = {}

    def v(n):
        if n in formula:
            if n not in memo:
                memo[n] = eval(formula[n][0], scope)
            return memo[n]
        return Number(CONSTANTS[n] if n in CONSTANTS else counts[n])

    scope = {"v": v, "N": Number, "d_ratio": lambda a, b: Number(d_ratio(a, b)), "min": min, "max": max,
             "source_count": lambda x: Number(1), "__builtins__": {}}
    try:
        return float(v(name))
    except Zero:
        return None


def seconds(n, count):
    return count * 1e-9 if n == "duration_time" else count


# --- values at random vectors of counts ---
rows = [[random.choice([random.randrange(1, 10**9), random.randrange(1, 1000), int(10 ** random.uniform(0, 12)),
                        0 if random.random() < .02 else 7]) for _ in events] for _ in range(vectors)]
with open(f"{folder}/{cpu}.csv", "w") as f:
    f.write("observation," + ",".join('"%s"' % e for e in events) + "\n")
    for i, row in enumerate(rows):
        f.write(f"v{i}," + ",".join(map(str, row)) + "\n")
define = [f"-D{k[1:]}={v}" for k, v in CONSTANTS.items() if any(k in leaves(n) for n in formula)]
got = metrics(f"{folder}/{cpu}.csv", *define)
if len(got["observations"]) != vectors:
    bad.append(f"{len(got['observations'])} observations of {vectors}")
compared = undefined = 0
for row, x in zip(rows, got["observations"]):
    counts = {e: seconds(e, c) for e, c in zip(events, row)}
    for value in x["values"]:
        want = evaluate(value["metric"].lower(), counts)
        compared += 1
        undefined += want is None
        if (want is None) != (value["value"] is None):
            bad.append(f"{value['metric']}: {value['value']}, not {want}: {value['substituted']} {value['lacks']}")
        elif want is not None and not (value["low"] <= value["value"] <= value["high"] and abs(want - value["value"])
                                       <= 1e-12 * abs(want) + 2 * (value["high"] - value["low"])):
            # exact counts: the bounds are those of rounding, of both programs
            bad.append(f"{value['metric']}: {value['value']}, not {want}")
print(f"# {cpu}: {len(formula)} formulas, {len(lost)} not understood, {len(events)} events; {vectors} vectors, "
      f"{compared} values, {undefined} of them undefined in both")

# --- perf's top-down groups as a tree: its nodes are the metrics ---
if any("TopdownL1" in m["groups"] for m in doc["metrics"]):
    out = subprocess.run([hecate, "stack", "-q", "TopdownL6", f"{folder}/{cpu}.csv", "--json"], stdout=subprocess.PIPE,
                         env={**os.environ, "HECATE_CPUID": cpu}, check=True)
    nodes = unknown = 0
    for tree, x in zip(json.loads(out.stdout)["observations"], got["observations"]):
        value = {v["metric"]: v for v in x["values"]}
        for part in tree["bars"][0]["parts"]:
            v = value[part["name"]]
            nodes += 1
            unknown += part["raw"] is None
            if (v["value"] is None) != (part["raw"] is None) or part["raw"] is not None and not abs(
                    v["value"] - part["raw"]) <= 1e-9 * abs(v["value"]) + 2 * (v["high"] - v["low"]) + 1e-300:
                bad.append(f"node {part['name']}: {part['raw']}, not {v['value']} {v['lacks']}")
    print(f"# {cpu}: {nodes} nodes of trees are the metrics, {unknown} of them unknown in both")

# --- bounds: every event has a counter for a part of the time ---
boxes_of = []
with open(f"{folder}/{cpu}.perf", "w") as f:
    for i in range(boxes):
        box = {}
        for e in events:
            count, share = random.randrange(10**5, 10**7), random.choice([100, 98, 90, 75])
            box[e] = (seconds(e, count * share / 100), seconds(e, count), seconds(e, count * (2 - share / 100)))
            f.write(f"CPU{i};{count};;{e};1000000;{share}.00;;\n")
        boxes_of.append(box)
got = metrics(f"{folder}/{cpu}.perf", *define)
enclosed = wide = exact = tight = loose = none = 0
for box, x in zip(boxes_of, got["observations"]):
    for value in x["values"]:
        name = value["metric"].lower()
        if value["value"] is None:
            none += 1
            continue
        low, high = value["low"], value["high"]
        slack = 1e-9 * max(abs(low), abs(high), 1e-300)
        mine = sorted(leaves(name) & set(events))
        least = most = evaluate(name, {e: b[1] for e, b in box.items()})
        for _ in range(points // (boxes * len(formula)) + 1):
            at = {e: random.choice([b[0], b[2], random.uniform(b[0], b[2])]) for e, b in box.items()}
            y = evaluate(name, at)
            enclosed += 1
            if y is None or not low - slack <= y <= high + slack:
                bad.append(f"{value['metric']}: {y} outside {low} ... {high}")
            else:
                least, most = min(least, y), max(most, y)
        if high - low <= slack:
            exact += 1
            continue
        wide += 1
        # one count after the other, uphill and downhill: to the corner of what is monotone, then to where minima change
        def climb(up, steps):
            at = {e: b[1] for e, b in box.items()}
            for _ in range(3):
                for e in mine:
                    ends = [box[e][0] + (box[e][2] - box[e][0]) * k / steps for k in range(steps + 1)]
                    at[e] = (max if up else min)((evaluate(name, {**at, e: x}), x) for x in ends)[1]
            return evaluate(name, at)

        def reached():
            return (least - low) + (high - most) <= .01 * (high - low) + slack

        # minima that change along a diagonal: two counts at a time
        def climb_pairs(up):
            at = {e: b[1] for e, b in box.items()}
            for _ in range(2):
                for i, e in enumerate(mine):
                    for o in mine[:i]:
                        ends = [{e: box[e][0] + (box[e][2] - box[e][0]) * k / 8, o: box[o][0] + (box[o][2] - box[o][0])
                                 * j / 8} for k in range(9) for j in range(9)]
                        at.update((max if up else min)(ends, key=lambda x: evaluate(name, {**at, **x})))
            return evaluate(name, at)

        for steps in (1, 40):
            if not reached():
                least, most = min(least, climb(False, steps)), max(most, climb(True, steps))
        if not reached() and not value["enclosure"]:
            least, most = min(least, climb_pairs(False)), max(most, climb_pairs(True))
        if reached():
            tight += 1
        elif value["enclosure"]:
            loose += 1
        else:
            bad.append(f"{value['metric']}: {low} ... {high}, but {least} ... {most} were reached")
print(f"# {cpu}: {boxes} boxes, {enclosed} points inside; {wide} intervals: {tight} tight within 1 %, {loose} said to be "
      f"an enclosure; {exact} exact, {none} without a number")
if tight < .95 * wide:
    bad.append("too few intervals are tight")
print("\n".join(bad[:20]))
sys.exit(bool(bad))
