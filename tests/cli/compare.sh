#!/bin/sh
# hecate compare: two choices of features, and many, with data and without; bad input; and what each counter contributes
# to a search.
. "$HECATE_TESTS/lib/tap.sh"
data=$HECATE_TESTS/data/programs/programs.csv
cd "$tmp" || exit 1

# A retry (E) needs two lookups in the page cache: what distinguishes it from {A, C, D}, and which programs do.
status 0 "$HECATE" compare linux-page-faults A,C,D A+C+D+E "$data" --exact --json
cp out two.json
is "inside" "$(json two.json 'd["relation"], d["first"]["features"], d["second"]["features"]')" "('inside', ['A', 'C', 'D'], ['A', 'C', 'D', 'E'])"
is "fewest counters first" "$(json two.json '[len(x["coef"]) for x in d["differences"]] == sorted(len(x["coef"]) for x in d["differences"]) and d["differences"][0]["text"]')" "FF + FM <= PGF"
is "each cone keeps what the other's µpath breaks" "$(json two.json 'all(x["keeper"] == "first" and sum(x["coef"].get(c, 0) * n for c, n in x["signature"]["coef"].items()) == x["value"] < 0 for x in d["differences"])')" True
is "the µpath is one of a retry" "$(json two.json 'all("ServedBy Retry" in x["path"] and any("Retry" in s for s in x["steps"]) for x in d["differences"])')" True
is "programs that distinguish them" "$(json two.json '[x["name"] for x in d["observations"] if x["tells"] and (x["first"], x["second"]) == ("infeasible", "feasible")]')" "['gdb', 'cold-objdump']"
for f in gdb cold-objdump; do
	status 1 "$HECATE" check linux-page-faults --features A,C,D "$data" --exact --observations $f
	status 0 "$HECATE" check linux-page-faults --features A,C,D,E "$data" --exact --observations $f
done
status 0 "$HECATE" compare linux-page-faults A,C,D A,C,D,E "$data" --exact
has "text: the relation" "$out" '^inside: the cone of the first lies in that of the second'
has "text: what data would have to show" "$out" 'data must show FF \+ FM > PGF'
has "text: which observations distinguish them" "$out" 'refute the first alone: gdb, cold-objdump'
status 0 "$HECATE" compare linux-page-faults A,C,D,E A,C,D --ascii
has "the other way round" "$out" '^contains: '
is "--ascii" "$(printf '%s' "$out" | LC_ALL=C tr -d '\000-\177' | wc -c)" 0

# A folder with the name of a variant is not taken for a file of data.
mkdir m4
status 0 "$HECATE" compare haswell-mmu m4 m8 --json
is "a variant, not the folder of its name" "$(json out 'd["relation"]')" equal
rmdir m4

# No counter of the model distinguishes B from {A, D}; a counter on an event would.
status 0 "$HECATE" compare linux-page-faults A,D A,B,D --json
is "equal" "$(json out 'd["relation"], d["differences"], d["second"]["own"]')" "('equal', [], 4)"
is "a counter on sigbus" "$(json out '[x["text"] for x in d["remedies"] if x["kind"] == "event" and x["what"] == "sigbus"]')" "['sigbus = 0']"
status 0 "$HECATE" compare linux-page-faults A,C,D A,C,D,E --counters Xur,Xuw,Fu,Fk --json
is "two counters are needed" "$(json out 'd["relation"], sorted(sorted(x["counters"]) for x in d["remedies"])')" "('equal', [['FF', 'PGF'], ['FM', 'PGF']])"
for pair in FF,PGF FM,PGF; do
	"$HECATE" compare linux-page-faults A,C,D A,C,D,E --counters Xur,Xuw,Fu,Fk,$pair --json >out
	is "with $pair they differ" "$(json out 'd["relation"]')" inside
done
status 0 "$HECATE" compare linux-page-faults ∅ none+A --json
is "the empty set" "$(json out 'd["first"]["features"], d["second"]["features"]')" "([], ['A'])"

# Many choices.
status 0 "$HECATE" compare haswell-mmu --json
is "a partial order" "$(json out 'len(d["sets"]), len({s["cone"] for s in d["sets"]})')" "(12, 8)"
is "each relation mirrors its opposite" "$(json out 'all({"inside": "contains", "contains": "inside"}.get(d["relations"][i][k], d["relations"][i][k]) == d["relations"][k][i] for i in range(12) for k in range(12))')" True
status 0 "$HECATE" compare haswell-mmu
has "equal choices share a row" "$out" '^  m4 = m8 '
has "the next smaller choice" "$out" 'contains next: m0$'
status 0 "$HECATE" compare linux-page-faults none A A,B --json
is "three variants" "$(json out 'd["schema"], d["relations"][0][2], d["covers"]')" "('hecate.order/1', 'inside', [[1, 0], [2, 1]])"

# What each counter contributes to a search.
status 0 "$HECATE" search linux-page-faults "$data" --exact --lose --json
cp out lose.json
is "every counter is listed" "$(json lose.json 'len(d["lose"]["each"])')" 11
is "without Xkw C is not required" "$(json lose.json '[x["unrequired"] for x in d["lose"]["each"] if x["counter"] == "Xkw"]')" "[['C']]"
others=$(json lose.json '",".join(c for c in d["counters"] if c != "Xkw")')
"$HECATE" search linux-page-faults "$data" --exact --json --counters "$others" >less.json
is "a search without that counter agrees" "$(json less.json 'd["required"]')" "['A', 'D', 'E']"
kept=$(json lose.json '",".join(d["lose"]["kept"])')
"$HECATE" search linux-page-faults "$data" --exact --json --counters "$kept" >kept.json
is "the kept counters give the same survivors" "$(json kept.json 'd["minimal"]')" "$(json lose.json 'd["minimal"]')"
for c in $(json lose.json '" ".join(d["lose"]["kept"])'); do
	"$HECATE" search linux-page-faults "$data" --exact --json --counters "$(printf '%s' "$kept" | tr , '\n' | grep -vx "$c" | paste -sd,)" >fewer.json
	is "none of them can be left out: $c" "$(json fewer.json 'd["minimal"] != [["A", "C", "D", "E"]]')" True
done
status 0 "$HECATE" search linux-page-faults "$data" --exact --lose
has "text: what a counter contributes" "$out" '^  Xkw +[0-9]+ +[0-9]+ +[0-9]+ +C$'

# Bad input.
status 2 "$HECATE" compare
status 2 "$HECATE" compare haswell-mmu m4 m99
has "an unknown variant" "$err" "no variant and no feature 'm99'.*nearest: m"
status 2 "$HECATE" compare haswell-mmu m4
has "a single choice" "$err" 'needs two variants'
status 2 "$HECATE" compare haswell-mmu m4 tlb_pf,early_psc,merging,pml4e,bypass
has "the same choice twice" "$err" 'are the same set'
status 2 "$HECATE" compare linux-page-faults
has "no variants" "$err" 'declares no two variants.*none A'
cat >legal.udd <<'X'
model legal; counter a; counter b; feature base; feature one requires base;
path p { count a; } path q when one { count b; }
X
status 2 "$HECATE" compare legal.udd one none
has "an illegal set, and its repair" "$err" 'one requires base; add base'
printf 'model bare; counter a; path p { count a; }\n' >bare.udd
status 2 "$HECATE" compare bare.udd
has "no features" "$err" 'has no features'
status 2 "$HECATE" compare linux-page-faults A B --counters Xu
has "an unknown counter" "$err" "no counter 'Xu'.*nearest"
# Twenty noisy observations. One breaks y <= x, but not enough for the whole family, as hecate check shows.
cat >family.udd <<'X'
model family; counter x; counter y; feature free;
path one { count x; } path two { count x; count y; } path other when free { count y; }
X
python3 -c '
import random
random.seed(4)
print("observation,x,y")
for o in range(20):
	for _ in range(40):
		x = random.gauss(100000, 300)
		print("o%d,%d,%d" % (o, x, x - (3000 if o else -185) + random.gauss(0, 300)))' >family.csv
status 0 "$HECATE" compare family.udd none free family.csv --independent-rows --one-by-one --json
cp out both.json
is "one observation distinguishes them" "$(json both.json '[x["name"] for x in d["observations"] if x["tells"]]')" "['o0']"
is "  but not by Holm's procedure" "$(json both.json '[x["name"] for x in d["observations"] if x["first_family_wise"] == "infeasible"]')" "[]"
for k in first second; do
	# shellcheck disable=SC2046
	"$HECATE" check family.udd family.csv --independent-rows $([ $k = second ] && echo --features free) --json >check.json
	is "  hecate check agrees: the $k" "$(json both.json "[x['${k}_family_wise'] for x in d['observations']]")" "$(json check.json '[o["family_wise"] for o in d["observations"]]')"
done
status 0 "$HECATE" compare family.udd none free family.csv --independent-rows --one-by-one
has "  in text" "$out" "by Holm's procedure over all: 0 refute the first, 0 the second"
status 0 "$HECATE" compare family.udd none free family.csv --independent-rows
has "family-wise, the default: none does" "$out" "observations that tell them apart: 0 of 20"
has "  and one by one" "$out" "one by one: 1 refute the first, 0 the second"
printf 'observation,y,z\no,1,2\n' >other.csv
status 2 "$HECATE" compare linux-page-faults A B other.csv --exact
has "no counter in common" "$err" 'no counter in common'
status 2 "$HECATE" compare linux-page-faults A B none-such.csv
status 2 "$HECATE" compare linux-page-faults A B "$data" --observations nothing
has "no such observation" "$err" 'no observation to judge'
done_testing
