#!/bin/sh
# hecate check --flow: how many µops went through each feature, for real programs, for samples, and where no range can
# be given.
. "$HECATE_TESTS/lib/tap.sh"
data=$HECATE_TESTS/data/programs/programs.csv
cd "$tmp" || exit 1

status 0 "$HECATE" check linux-page-faults "$data" --exact --flow --features A,B,C,D,E,H --json
cp "$tmp/out" all.json
is "each feature that is on, for each feasible program" "$(json all.json 'sorted({tuple(f["feature"] for f in o["features"]) for o in d["observations"]})')" "[('A', 'B', 'C', 'D', 'E', 'H')]"
is "least and greatest" "$(json all.json 'all(0 <= f["least"] <= f["greatest"] for o in d["observations"] for f in o["features"])')" True
is "shares lie between 0 and 1" "$(json all.json 'all(0 <= s["least"] <= s["greatest"] <= 1 for o in d["observations"] for f in o["features"] for s in f["shares"])')" True
# A failed access raises an exception and nothing else. So what A needs is the excess of exceptions over faults, except
# for what B, C and D do.
status 0 "$HECATE" check linux-page-faults "$data" --exact --flow --features A,C,D,E --json
cp "$tmp/out" some.json
cat >truth.py <<'X'
import json, sys
d = json.load(open(sys.argv[1]))
bad = []
for o in d["observations"]:
    if o["verdict"] != "feasible":
        continue
    v = {x["counter"]: x["mean"] for x in o["values"]}
    f = {x["feature"]: x for x in o["features"]}
    # Without B every fault that is counted for a task is served. D's are served without such a count, and C's exceptions
    # are not counted as faults.
    user = v["Xur"] + v["Xuw"] - v["Fu"]
    remote = v["PGF"] - v["Fu"] - v["Fk"]
    for name, want in (("C", v["Xkr"] + v["Xkw"] - v["Fk"]),):
        if not f[name]["least"] - 1e-6 <= want <= f[name]["greatest"] + 1e-6:
            bad.append((o["name"], name, want, f[name]["least"], f[name]["greatest"]))
    if not f["D"]["least"] <= f["D"]["greatest"] or f["D"]["greatest"] < max(0, remote) - 1e-6:
        bad.append((o["name"], "D", remote))
    # the witness is one of the flows
    through = sum(x["uops"] for x in o["flow"])
    share = [s for s in f["D"]["shares"] if s["counter"] is None]
    if share and share[0]["greatest"] * through < f["D"]["least"] - 1e-6 * through:
        bad.append((o["name"], "witness"))
print(bad)
X
is "C is the excess of kernel exceptions over kernel faults" "$(python3 truth.py some.json)" "[]"
is "D of gcc" "$(json some.json '[(f["least"], round(f["greatest"], 6)) for o in d["observations"] if o["name"] == "gcc" for f in o["features"] if f["feature"] == "D"]')" "[(2, 2)]"
status 0 "$HECATE" check linux-page-faults "$data" --exact --flow --features A,C,D,E --observations gcc
has "text: the total" "$out" 'through D  2 µops, 0\.[0-9]+ \.\. 0\.[0-9]+ % of those seen'
has "text: none" "$out" 'through A  no µop: the counts leave none for it'
status 0 "$HECATE" check linux-page-faults "$data" --exact --flow --features A,C,D,E --observations gcc --ascii
has "ASCII" "$out" 'through D  2 uops'
is "plain ASCII has no other characters" "$(printf %s "$out" | LC_ALL=C tr -d '\000-\177' | wc -c)" 0

# Samples: requests that are merged exceed those that are walked.
cat >walks.udd <<'X'
model walks; counter asked; counter walked; counter hit;
feature merging; feature early requires merging; feature free;
path p {
    count asked;
    choose {
        case Walk: count walked;
        case Merged when merging: event waits;
        case Early when early: event waits_less;
        case Hit: count hit;
    }
}
path q when free { event nothing; }
X
python3 - >walks.csv <<'X'
import random
random.seed(3)
print("asked,walked,hit")
for _ in range(60):
    load = random.gauss(1000, 30)
    walked, merged, hit = (load * part + random.gauss(0, 3) for part in (0.3, 0.45, 0.25))
    print("%d,%d,%d" % (walked + merged + hit, walked, hit))
X
for region in ellipsoid box independent; do
	status 0 "$HECATE" check walks.udd walks.csv --features merging --flow --json --region $region
	is "$region: 45 % are within the range, which is not much wider" "$(json "$tmp/out" '[(s["least"] < 0.45 < s["greatest"], s["greatest"] - s["least"] < 0.1) for f in d["observations"][0]["features"] for s in f["shares"] if s["counter"] == "asked"]')" "[(True, True)]"
done
status 0 "$HECATE" check walks.udd walks.csv --features merging --flow
has "text" "$out" 'through merging  4[0-9]+ \.\. 4[0-9]+ µops per sample, 4[0-9.]+ \.\. 4[0-9.]+ % of those seen'
has "text: the base of the shares" "$out" '4[0-9.]+ \.\. 4[0-9.]+ % of asked'
status 0 "$HECATE" check walks.udd walks.csv --features merging,early,free --flow --json
is "a feature counts with the one that requires it" "$(json "$tmp/out" '[(f["feature"], f["with"], f["unseen"], f["greatest"] is None) for f in d["observations"][0]["features"]]')" "[('merging', ['early'], False, False), ('early', [], False, False), ('free', [], True, True)]"
is "either may be 0, but not both" "$(json "$tmp/out" '[f["least"] > 0 for f in d["observations"][0]["features"]]')" "[True, False, False]"
status 0 "$HECATE" check walks.udd walks.csv --features free,merging --flow
has "no limit, with the reason" "$out" 'through free  no limit: none of its µpaths raises a counter that was counted'

# No ranges.
status 1 "$HECATE" check walks.udd walks.csv --flow --json
is "infeasible: none" "$(json "$tmp/out" 'd["observations"][0]["features"], d["observations"][0]["flow"]')" "(None, None)"
status 0 "$HECATE" check walks.udd walks.csv --features merging --json
is "not requested: none" "$(json "$tmp/out" 'd["observations"][0]["features"]')" None
printf 'asked,walked,hit\n' >empty.csv
status 2 "$HECATE" check walks.udd empty.csv --features merging --flow
printf 'asked,walked,hit\n9007199254740993,9007199254740000,3\n' >huge.csv
status 0 "$HECATE" check walks.udd huge.csv --exact --features merging --flow --json
is "counts beyond 2^53" "$(json "$tmp/out" '[(f["least"] <= 990 <= f["greatest"], f["greatest"] < 991) for f in d["observations"][0]["features"]]')" "[(True, True)]"
done_testing
