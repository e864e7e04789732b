#!/bin/sh
# hecate constraints, print, paths: contents and bad input.
. "$HECATE_TESTS/lib/tap.sh"

status 0 "$HECATE" constraints haswell-mmu --variant m0 --json
j=$tmp/m0.json; cp "$tmp/out" "$j"
is "31 inequalities, 4 equalities" "$(json "$j" 'len(d["inequalities"]), len(d["equalities"])')" "(31, 4)"
is "488 signatures, 126 rays, complete" "$(json "$j" 'd["signatures"], d["rays"], d["complete"]')" "(488, 126, True)"
is "26 counters" "$(json "$j" 'len(d["counters"])')" 26
is "schema, model" "$(json "$j" 'd["schema"], d["model"], d["features"]')" "('hecate.constraints/1', 'haswell_mmu', [])"
# CounterPoint's Table 1 as coefficients. With equalities a facet has many forms, so the second one is searched modulo
# them.
table1='
eq = [r["coef"] for r in d["equalities"]]
names = d["counters"]
def reduce(c):
    c = {k: Fraction(v) for k, v in c.items()}
    for e in eq:
        lead = next(n for n in names if n in e)
        f = c.get(lead, Fraction(0)) / e[lead]
        for k, v in e.items():
            c[k] = c.get(k, Fraction(0)) - f * v
    c = {k: v for k, v in c.items() if v}
    s = sum(abs(v) for v in c.values())
    return {k: v / s for k, v in c.items()}
have = [reduce(r["coef"]) for r in d["inequalities"]]
refs = ["walk_ref.l1", "walk_ref.l2", "walk_ref.l3", "walk_ref.mem"]
one = {"load.walk_done": 1, "load.ret_stlb_miss": -1}
two = {"load.causes_walk": 1, "store.causes_walk": 1, "load.pde$_miss": 3, "store.pde$_miss": 3, "load.walk_done_2m": -1, "store.walk_done_2m": -1,
       "load.walk_done_1g": -2, "store.walk_done_1g": -2, **{r: -1 for r in refs}}
three = {**{r: 1 for r in refs}, "load.causes_walk": -1, "store.causes_walk": -1, "load.walk_done_1g": -1, "store.walk_done_1g": -1}
print(all(reduce(c) in have for c in (one, two, three)))
'
is "Table 1's three constraints are among them" "$(python3 -c "import json,sys
from fractions import Fraction
d=json.load(open('$j'))$table1")" True
has "text form" "$(json "$j" '[r["text"] for r in d["inequalities"]]')" "'load.ret_stlb_miss <= load.walk_done'"

status 0 "$HECATE" constraints linux-page-faults --json
is "textbook: 14 paths, 9 + 4" "$(json "$tmp/out" 'd["paths"], d["signatures"], d["rays"], len(d["inequalities"]), len(d["equalities"])')" "(14, 14, 14, 9, 4)"
status 0 "$HECATE" constraints linux-page-faults --counters Fu,MIN,MAJ --json
is "projection" "$(json "$tmp/out" 'd["counters"], sorted(r["text"] for r in d["inequalities"])')" "(['Fu', 'MIN', 'MAJ'], ['0 <= Fu', '0 <= MAJ', '0 <= MIN', 'Fu <= MIN + MAJ'])"
status 2 "$HECATE" constraints linux-page-faults --counters Fu,MAX
has "unknown counter" "$err" "the model has no counter 'MAX'; nearest: MA[JX]|MIN"
status 2 "$HECATE" constraints linux-page-fault
has "unknown model" "$err" 'nearest: linux-page-faults'
status 2 "$HECATE" constraints
status 2 "$HECATE" constraints linux-page-faults too many
has "too many arguments" "$err" 'takes no argument too; usage'
status 2 "$HECATE" doctor here
status 2 "$HECATE" constraints linux-page-faults -- true
status 2 "$HECATE" constraint linux-page-faults
status 2 "$HECATE" constraints linux-page-faults --features Z
status 2 "$HECATE" constraints linux-page-faults --jsn
has "unknown option" "$err" 'nearest: --json'
status 2 "$HECATE" constraints "$tmp/none.udd"
has "missing file" "$err" 'none.udd: No such file'
status 2 "$HECATE" constraints /etc/
has "a directory" "$err" '/etc/ has no .fdl or .fdlm4 file, so it is not a family of models'
head -c 200000 /dev/zero >"$tmp/zero.udd"
status 2 "$HECATE" constraints "$tmp/zero.udd"
head -c 104857600 /dev/zero | tr '\0' 'a' >"$tmp/large.udd"
status 2 "$HECATE" constraints "$tmp/large.udd"
has "100 MB" "$err" 'has 100 MB; the limit is 16 MB'
head -c 3000 "$HECATE_MODELS/models/haswell-mmu.udd" >"$tmp/cut.udd"
status 2 "$HECATE" constraints "$tmp/cut.udd"
has "truncated: place and remedy" "$err" 'cut.udd:[0-9]+:[0-9]+: '
if [ "$(id -u)" != 0 ]; then
	: >"$tmp/secret.udd"; chmod 0 "$tmp/secret.udd"
	status 2 "$HECATE" constraints "$tmp/secret.udd"
	has "unreadable" "$err" 'Permission denied'
fi

status 0 "$HECATE" print haswell-mmu -o "$tmp/again.udd"
status 0 "$HECATE" print "$tmp/again.udd"
is "print is a fixed point" "$(cat "$tmp/out")" "$(cat "$tmp/again.udd")"
status 0 "$HECATE" print linux-page-faults --dot
has "DOT" "$out" '^digraph'
status 0 "$HECATE" print linux-page-faults --svg
has "SVG" "$out" '</svg>'
status 0 "$HECATE" paths linux-page-faults --json
is "each µpath is in one signature" "$(json "$tmp/out" 'sum(int(s["paths"]) for s in d["signatures"]) == d["paths"]')" True
is "examples add up to their signatures" "$(json "$tmp/out" 'all({k: sum(t.get("amount", 0) for t in s["example"] if t["step"] == "count" and t["name"] == k) for k in s["coef"]} == s["coef"] for s in d["signatures"])')" True
done_testing
