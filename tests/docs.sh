#!/bin/sh
# What the documents say is true of the program. The examples of docs/udd-language.md are models: each block marked udd
# is run, and must give what its first line says.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
awk -v dir="$tmp" '/^```udd$/ { on = 1; n++; next } /^```$/ { on = 0 } on { print > (dir "/" n ".udd") }' "$TOP_SRCDIR/docs/udd-language.md"
is "it has examples" "$(ls "$tmp" | grep -c udd)" 8
for f in "$tmp"/*.udd; do
	first=$(head -n 1 "$f")
	name=$(sed -n 's/^model \([a-z_0-9]*\).*/\1/p' "$f")
	case $first in
	"// error: "*)
		status 2 "$HECATE" paths "$f"
		has "$name is refused with ${first#// error: }" "$err" "${first#// error: }" ;;
	*)
		status 0 "$HECATE" paths "$f"
		is "$name gives what its first line says" "// $(printf '%s\n' "$out" | sed -n 2p)" "$first"
		"$HECATE" print "$f" >"$tmp/once" && mkdir -p "$tmp/again" && cp "$tmp/once" "$tmp/again/$name.udd" && "$HECATE" print "$tmp/again/$name.udd" >"$tmp/twice"
		is "$name is printed the same twice" "$(cat "$tmp/twice")" "$(cat "$tmp/once")" ;;
	esac
done

# The examples of docs/fdl-language.md likewise.
awk -v dir="$tmp" '/^```fdl$/ { on = 1; n++; next } /^```$/ { on = 0 } on { print > (dir "/" n ".fdl") }' "$TOP_SRCDIR/docs/fdl-language.md"
is "it has examples of FDL" "$(ls "$tmp" | grep -c 'fdl$')" 2
for f in "$tmp"/*.fdl; do
	first=$(head -n 1 "$f")
	status 0 "$HECATE" paths "$f"
	case $first in
	"# warning: "*) has "FDL: ${first#\# }" "$err" "${first#\# }" ;;
	*) is "FDL: ${first#\# }" "# $(printf '%s\n' "$out" | sed -n 2p)" "$first" ;;
	esac
done

# The network of docs/network-language.md, and of hecate-networks(5).
awk '/^```net$/ { on = 1; next } /^```$/ { on = 0 } on' "$TOP_SRCDIR/docs/network-language.md" >"$tmp/example.net"
sed -n '/^network two/,/^link/p' "$TOP_SRCDIR/man/hecate-networks.5" | tr -d '\\' >"$tmp/man.net"
for f in example man; do
	status 0 "$HECATE" net "$tmp/$f.net" --check
	has "$f.net: all its counters have events" "$out" '0 unresolved'
done

# The README's model. tests/docs_pages.sh checks the links.
mkdir -p "$tmp/readme"
sed -n '/^    model mine/,/^    }/s/^    //p' "$TOP_SRCDIR/README.md" >"$tmp/readme/mine.udd"
status 0 "$HECATE" constraints "$tmp/readme/mine.udd"
has "the README's model gives what the text says" "$out" 'faults = minor [+] major'
# The README's recorded example, word by word, and the picture's five of eight.
shown=$(sed -n '/^    \$ .*models\/demo\/page-faults\.csv/,/^$/p' "$TOP_SRCDIR/README.md" | sed '1d; $d; s/^    //')
status 1 "$HECATE" check linux-page-faults --exact "$TOP_SRCDIR/models/demo/page-faults.csv" --observations gcc
is "the README's recorded example gives what the README says" "$out" "$shown"
status 1 "$HECATE" check linux-page-faults --exact "$TOP_SRCDIR/models/demo/page-faults.csv"
has "five of its eight programs refute the model" "$out" '^8 observations: 5 infeasible, 3 feasible'
status 0 "$HECATE" check linux-page-faults --features D --exact "$TOP_SRCDIR/models/demo/page-faults.csv" \
	--observations gcc
# Eight of the recorded programs of tests/data: no number is made up.
is "its rows are of tests/data/programs" "$(grep -cvxFf "$TOP_SRCDIR/tests/data/programs/programs.csv" \
	"$TOP_SRCDIR/models/demo/page-faults.csv")" 0
# The figure that make bench-scaling draws.
is "docs/scaling.svg is XML with three panels" "$(python3 -c '
import sys, xml.etree.ElementTree as t
texts = ["".join(e.itertext()) for e in t.parse(sys.argv[1]).iter() if e.tag.endswith("}text")]
print(texts.count("counters"), "Refs" in texts)' "$TOP_SRCDIR/docs/scaling.svg" 2>&1)" "3 True"
is "docs/scaling.svg is below 60 kB" "$(($(wc -c <"$TOP_SRCDIR/docs/scaling.svg") < 60000))" 1

# The figures that make bench-regions draws.
is "docs/correlations.svg and docs/active-counters.svg are XML with three panels each, below 60 kB" "$(python3 -c '
import os, sys, xml.etree.ElementTree as t
texts = [["".join(e.itertext()) for e in t.parse(f).iter() if e.tag.endswith("}text")] for f in sys.argv[1:]]
print(texts[0].count("load.walk_done"), sum("active counters" in s for s in texts[1]), max(map(os.path.getsize, sys.argv[1:])) < 60000)' \
	"$TOP_SRCDIR/docs/correlations.svg" "$TOP_SRCDIR/docs/active-counters.svg" 2>&1)" "4 4 True"

# docs/haswell-study.md: the variants of haswell-mmu.
grep '^| `m[0-9]*` |.* [0-9][0-9]* |$' "$TOP_SRCDIR/docs/haswell-study.md" | tr -d '`,' >"$tmp/variants"
is "docs/haswell-study.md has all variants of haswell-mmu" "$(wc -l <"$tmp/variants")" 12
while IFS='|' read -r _ variant features figures; do
	variant=$(echo $variant)
	"$HECATE" constraints haswell-mmu --variant "$variant" --json -o "$tmp/variant.json"
	is "docs/haswell-study.md is right about $variant" "$(echo $features '|' $figures)" "$(json "$tmp/variant.json" \
		'" ".join(d["features"] + ["| %d | %d | %d | %d |" % (d["paths"], d["signatures"], d["rays"], len(d["inequalities"]))])')"
done <"$tmp/variants"

# docs/haswell-study.md: its variants, the order of their cones, what relaxes m0's constraints, and the rivals.
# tests/data/haswell-study.tables has the tables that are too long for the page.
is "docs/haswell-study.md" "$(python3 - "$HECATE" "$TOP_SRCDIR/docs/haswell-study.md" "$HECATE_TESTS/data/haswell-study.tables" <<'END' 2>&1
import json, re, subprocess, sys
pages = [open(p, encoding="utf-8").read() for p in sys.argv[2:]]
def hecate(*a):
    return json.loads(subprocess.check_output([sys.argv[1], *a, "--json"]))
def rows(section):
    parts = [page.split("\n## " + section + "\n") for page in pages]
    text = "\n".join(part[1].split("\n## ")[0] for part in parts if len(part) > 1)
    return [[c.strip() for c in l.strip("|").split(" | ")] for l in text.split("\n") if l.startswith("| `")]
def quoted(cell):
    return re.findall("`([^`]*)`", cell)
def short(text):
    return text.replace("walk_ref.l1 + walk_ref.l2 + walk_ref.l3 + walk_ref.mem", "walk_ref")
order = hecate("compare", "haswell-study")
cone = {s["name"]: s["cone"] for s in order["sets"]}
seen = []
for variant, features, *figures in rows("Variants"):
    d = hecate("constraints", "haswell-study", "--variant", quoted(variant)[0])
    is_ = [", ".join(d["features"]), d["paths"], d["signatures"], d["rays"], len(d["inequalities"])]
    if [features] + [int(f) for f in figures] != is_ or len(d["equalities"]) != 4:
        print(variant, is_)
    seen += quoted(variant)
if sorted(seen) != sorted(cone):
    print("variants", set(cone) ^ set(seen))
said = rows("What the cones say alone")
for names, below in said:
    k = cone[quoted(names)[0]]
    if sorted(quoted(names)) != sorted(v for v in cone if cone[v] == k) or sorted(cone[v] for v in quoted(below)) != sorted(b for a, b in order["covers"] if a == k):
        print("cone of", names, below)
if len(said) != 23 or len(set(cone.values())) != 23:
    print("cones", len(said), len(set(cone.values())))
m0 = [c for c in hecate("constraints", "haswell-study", "--variant", "m0")["inequalities"] if len(c["coef"]) > 1]
said = [(c.replace("T.", t), r) for c, r in rows("What m0 demands") for t in (["load.", "store."] if "T." in c else [""])]
if sorted(quoted(c)[0] for c, r in said) != sorted(short(c["text"]) for c in m0) or len(m0) != 15:
    print("constraints of m0", [short(c["text"]) for c in m0])
signatures = {f: hecate("paths", "haswell-study", "--features", f)["signatures"] for f in
    ("tlb_pf", "early_psc", "merging", "early_psc,merging", "pml4e", "bypass", "ab_walk", "replay", "ab_psc", "ab_l2", "ab_l1")}
for text, relaxed in said:
    c = next((c for c in m0 if short(c["text"]) == quoted(text)[0]), None)
    by = {f for f, s in signatures.items() if c and any(sum(c["coef"].get(k, 0) * n for k, n in x["coef"].items()) < 0 for x in s)}
    by -= {f for f in by if any(set(g.split(",")) < set(f.split(",")) for g in by)}
    if by != set(quoted(relaxed)):
        print(text, by)
for first, second, relation, tells in rows("Rivals"):
    d = hecate("compare", "haswell-study", quoted(first)[0], quoted(second)[0])
    found = [r["what"] for r in d["remedies"] if r["kind"] == "event"] if relation == "equal" else [short(x["text"]) for x in d["differences"]]
    if d["relation"] != relation or quoted(tells)[0] not in found:
        print(first, second, d["relation"], found)
print("is true")
END
)" "is true"

# One document of each kind, as far as no other test has it: they keep to the schemas that docs/json.md is made of.
cat >"$tmp/doc.udd" <<'END'
model doc; counter f = "page-faults:u"; counter m = "minor-faults"; counter none = "no_such_event";
path p { x: count f; choose { case A: y: count m; case B: event e; } before x, y; }
END
printf 'observation,f,m,more\ngood,9,5,1\ngood,11,6,1\ngood,10,4,1\nbad,10,20,1\nbad,11,22,1\nbad,12,21,1\n' >"$tmp/doc.csv"
"$HECATE" constraints "$tmp/doc.udd" --json -o "$tmp/1.json"
"$HECATE" paths "$tmp/doc.udd" --json -o "$tmp/2.json"
"$HECATE" check "$tmp/doc.udd" "$tmp/doc.csv" --flow --json -o "$tmp/3.json"
"$HECATE" check "$tmp/doc.udd" --json -o "$tmp/4.json" -- sh -c : 2>/dev/null
"$HECATE" doctor --json -o "$tmp/5.json"
"$HECATE" check "$TOP_SRCDIR/models/trust/core2.trust" --json -o "$tmp/17.json"
"$HECATE" search linux-page-faults "$HECATE_TESTS/data/programs/programs.csv" --exact --lose --json -o "$tmp/8.json"
"$HECATE" check linux-page-faults "$HECATE_TESTS/data/programs/programs.csv" --exact --explain --propose --features D --json -o "$tmp/11.json"
"$HECATE" search "$tmp/doc.udd" "$tmp/doc.csv" --exact --explain --json -o "$tmp/12.json"
is "proposals and explanations are in them" "$(json "$tmp/11.json" 'len(d["explanations"][0]["relaxed_by"]) > 0, len(d["proposals"]["signatures"]) > 0'), $(json "$tmp/12.json" 'len(d["refusal"]["observations"])')" "(True, True), 1"
"$HECATE" net "$HECATE_TESTS/networks/small.net" --check --json -o "$tmp/13.json"
printf 'time,l2:hit,l2:pf_hit,l2:miss,cpu:cycles,llc:hit,llc:clock,llc:occupancy,imc:cas_read\n1,5,5,9,99,8,99,99,2\n2,5,5,9,99,8,99,99,\n' >"$tmp/net.csv"
"$HECATE" net "$HECATE_TESTS/networks/small.net" "$tmp/net.csv" --beyond core --json -o "$tmp/14.json" 2>/dev/null
is "a network with queues and stalls" "$(json "$tmp/14.json" 'bool(d["snapshots"][0]["queues"] and d["snapshots"][0]["stalls"][0]["components"] and d["snapshots"][0]["scaled"] and d["snapshots"][0]["culprit"])')" True
cat >"$tmp/takes.udd" <<'END'
model takes; counter f; feature strict;
path p { choose { case A: count f; case B: event e; } } path q when !strict { count m; }
END
"$HECATE" search "$tmp/takes.udd" "$tmp/doc.csv" --json -o "$tmp/9.json"
"$HECATE" compare linux-page-faults A,C,D A,C,D,E "$HECATE_TESTS/data/programs/programs.csv" --exact --json -o "$tmp/22.json"
"$HECATE" compare linux-page-faults A,D A,B,D --json -o "$tmp/23.json"
"$HECATE" compare linux-page-faults A B none --json -o "$tmp/24.json"
"$HECATE" locate linux-page-faults MIN "$HECATE_TESTS/data/programs/programs.csv" --exact --json -o "$tmp/25.json"
"$HECATE" import -q -o "$tmp/doc.session" -m "$tmp/doc.udd" "$tmp/doc.csv" "$HECATE_TESTS/data/perf-stat/x_I50_faults.csv"
"$HECATE" export "$tmp/doc.session" --json -o "$tmp/10.json"
"$HECATE" import -o "$tmp/import.session" "$HECATE_TESTS/data/perf-stat/x_own-output.csv" --json >"$tmp/21.json"
# The stack of docs/stack-language.md, and the page's text about it.
awk '/^```stack$/ { on = 1; next } /^```$/ { on = 0 } on' "$TOP_SRCDIR/docs/stack-language.md" >"$tmp/doc.stack"
printf 'observation,cycles,instructions,STALLS_L1,STALLS_L2,MISPREDICTS\nwalk,2000,1000,900,600,10\n' >"$tmp/stack.csv"
status 0 "$HECATE" stack "$tmp/doc.stack" "$tmp/stack.csv"
is "docs/stack-language.md: the bar and the table" "$(printf '%s\n' "$out" | sed 1d)" "$(awk '/^```text$/ { on = 1; next } /^```$/ { on = 0 } on' "$TOP_SRCDIR/docs/stack-language.md")"
status 0 "$HECATE" stack "$tmp/doc.stack" "$tmp/stack.csv" --json -o "$tmp/26.json"
awk '/^```trust$/ { on = 1; next } /^```$/ { on = 0 } on' "$TOP_SRCDIR/docs/trust-language.md" >"$tmp/doc.trust"
status 0 "$HECATE" check "$tmp/doc.trust"
has "docs/trust-language.md: its example" "$out" '1 processor, 1 event, no error'
sed -n '/^cpu nehalem/,/^}/p' "$TOP_SRCDIR/man/hecate-trust.5" | sed 's/\\-/-/g' >"$tmp/man.trust"
status 0 "$HECATE" check "$tmp/man.trust"
has "hecate-trust(5): its example" "$out" '1 processor, 1 event, no error'
sed -n '/^stack loads/,/^rest base/p' "$TOP_SRCDIR/man/hecate-stacks.5" | sed 's/\\-/-/g' >"$tmp/man.stack"
status 0 "$HECATE" stack "$tmp/man.stack" "$tmp/stack.csv"
has "hecate-stacks(5): its example" "$out" 'base +55\.0'
printf 'cycles\n9\n' >"$tmp/lacks.csv"
status 0 "$HECATE" stack "$tmp/doc.stack" "$tmp/lacks.csv" --json -o "$tmp/27.json"
"$HECATE" stack stall-sources -q --json -o "$tmp/15.json" -- sh -c : 2>/dev/null
is "where time goes" "$(json "$tmp/15.json" 'd["stalls"]["detail"] in ("records", "switches", "counters")')" True
"$HECATE" check "$tmp/doc.udd" --json -p $$ -I 1 --samples 2 -o "$tmp/7.json" 2>/dev/null
sed 's/"[a-z0-9:_+ ]*:[a-z_]*"/"page-faults:u"/' "$HECATE_TESTS/networks/small.net" >"$tmp/live.net"
status 0 "$HECATE" net "$tmp/live.net" --json -I 5 -o "$tmp/28.json" -- sleep 0.02
sed 's/"cycles"/"task-clock:u"/' "$tmp/doc.stack" >"$tmp/live.stack"
(while :; do :; done) &
busy=$!
status 0 "$HECATE" stack "$tmp/live.stack" --json -p $busy -I 10 --samples 2 -o "$tmp/16.json"
kill $busy
printf 'profile doc; program a { run "sleep" "0.02"; times 2; } network "%s"; granularity 5 ms; limit processor 50 %%; limit memory 512 MiB;\n' "$tmp/live.net" >"$tmp/doc.spec"
status 0 "$HECATE" net --spec "$tmp/doc.spec" --json -o "$tmp/29.json"
"$HECATE" sim -q --machine small --samples 30 --accesses 1000 --warm-up 0 -m haswell-mmu --plant merging -o "$tmp/doc.hct"
"$HECATE" sim --reveal "$tmp/doc.hct" --json -o "$tmp/18.json"
"$HECATE" sim --machine core --truth never --program mcf-like --samples 1 --accesses 1000 --warm-up 0 --json >"$tmp/19.json"
for event in $(json "$tmp/19.json" '" ".join(d["runs"][0]["events"])'); do
	case $event in
	power5.* | fmt.* | sfmt.* | tea.* | truth.* | inverse.*) event=${event%.*}.PART ;;
	*.miss.retired) event=${event%.retired} ;;
	cycles.l2d_wait | cycles.l3d_wait | cycles.dtlb_wait) event=…${event#cycles.} ;;
	esac
	grep -qF "\`$event\`" "$TOP_SRCDIR/docs/simulated-machine.md" || missing="$missing $event"
done
is "docs/simulated-machine.md has each event of a pipeline" "$missing" ""
"$HECATE" slices sim:core:mcf-like:samples=5,accesses=1000 --json >"$tmp/20.json"
# A short limit for cones: the facets of many counters are given up.
python3 - >"$tmp/wide.udd" <<'END'
import random
random.seed(3)
print("model wide; path p { choose {")
for k in range(400):
    print("case C%d:" % k, " ".join("count c%d * %d;" % (i, random.randint(1, 99)) for i in range(20)))
print("} }")
END
"$HECATE" constraints "$tmp/wide.udd" --cone-seconds 0.1 --json -o "$tmp/6.json"
is "facets are given up" "$(json "$tmp/6.json" 'd["complete"]')" False
"$HECATE" determinism "$HECATE_TESTS/data/determinism/pairs.csv" --expected "$HECATE_TESTS/data/determinism/expected.csv" --json -o "$tmp/d.json" -q
"$HECATE" determinism --overflow -e page-faults --stop-at 3 --json -o "$tmp/o.json" -q -- true
[ -s "$tmp/o.json" ] || rm -f "$tmp/o.json" # ptrace(2) or perf_event_open(2) is not permitted
for f in "$tmp"/*.json; do document "$f"; done
done_testing
