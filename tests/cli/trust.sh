#!/bin/sh
# Books of trust on the command line: the section of hecate doctor, and hecate check FILE.trust.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1

# A processor that is known, in a tree of its own. Most machines of tests have no PMU, so both answers are right.
mkdir proc
printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 15\n' >proc/cpuinfo
HECATE_PROC=$tmp/proc
export HECATE_PROC
status 0 "$HECATE" doctor
has "doctor knows the processor" "$out" '^trust in events: (core2$|facts are known of core2, but this machine has no PMU)'
has "  and says what to do" "$out" 'hecate determinism'
status 0 "$HECATE" doctor --json
printf '%s' "$out" >doctor.json
is "  in JSON, too" "$(json doctor.json 'd["trust"]["pages"][0]["cpu"]')" core2
is "  with letters" "$(json doctor.json '[(e["verdict"], e["letters"]) for e in d["trust"]["pages"][0]["events"] if "r5002c0" in e["events"]]')" "[('deterministic', '')]"
printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 255\n' >proc/cpuinfo
status 0 "$HECATE" doctor
has "a processor that is not known" "$out" '^trust in events: no facts are known of GenuineIntel family 6 model 255; .*hecate determinism'
rm proc/cpuinfo
status 0 "$HECATE" doctor
has "no /proc/cpuinfo" "$out" '^trust in events: no facts are known of an unknown processor'

# What was measured here is read, and a damaged file is named.
mkdir -p data/hecate/trust
printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 255\n' >proc/cpuinfo
cat >data/hecate/trust/genuineintel-6-255.trust <<'END'
cpu "genuineintel-6-255" vendor "GenuineIntel" family 6 model 255 {
	event "instructions" {
		verdict correctable;
		letters "hp";
		adds 0.98..1.02 per interrupts;
		source "measured here 2026-11-23, 40 runs";
	}
}
END
status 0 "$HECATE" doctor --json
printf '%s' "$out" >doctor.json
is "what was measured is found" "$(json doctor.json 'd["trust"]["pages"][0]["events"][0]["adds"]')" "[{'per': 'interrupts', 'low': 0.98, 'high': 1.02}]"
status 0 "$HECATE" check data/hecate/trust/genuineintel-6-255.trust
has "a file that is right" "$out" 'genuineintel-6-255.trust: 1 processor, 1 event, no error$'
echo 'event' >>data/hecate/trust/genuineintel-6-255.trust
status 0 "$HECATE" doctor
has "a damaged file is named" "$err" "genuineintel-6-255.trust:9:1: cpu expected, not 'event'; the whole file is left out"

# What is known: of this processor, of a named one, of all, of a file.
printf 'vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 15\n' >proc/cpuinfo
status 0 "$HECATE" determinism --facts
has "facts of this processor" "$out" '^core2 +GenuineIntel family 6 model 15, 22, 23, 29$'
has "  letters, verdict" "$out" '^  correctable +hpEF +instructions$'
has "  correction" "$out" '^    adds 1 per interrupts$'
has "  and source" "$out" '^    source: Weaver, Terpstra, Moore: '
status 0 env COLUMNS=80 "$HECATE" determinism --facts core2 --ascii
is "  in 80 columns" "$(printf '%s\n' "$out" | awk 'length > 80')" ""
status 0 "$HECATE" determinism --facts haswell
has "facts of a named processor, with errata" "$out" 'Intel lists errata for it: HSD29, '
has "  and what letters mean" "$out" '^p  each page fault is counted, too$'
status 0 "$HECATE" determinism --facts all --json
printf '%s' "$out" >all.json
is "facts of all" "$(json all.json '(d["schema"], len(d["pages"]) > 20, {"core2", "power6"} <= {p["cpu"] for p in d["pages"]})')" "('hecate.trust/1', True, True)"
status 0 "$HECATE" determinism --facts "$TOP_SRCDIR/models/trust/core2.trust" --json
printf '%s' "$out" >core2.json
is "facts of a file" "$(json core2.json '[p["cpu"] for p in d["pages"]]')" "['core2']"
status 2 "$HECATE" determinism --facts core3
has "a processor that is not known" "$err" 'nothing is known of a processor core3; nearest: core2'
status 2 "$HECATE" determinism --facts core2 haswell
has "two processors" "$err" '--facts takes one name: of a processor, all, or a .trust file'
status 2 "$HECATE" determinism --facts -- true
has "a command" "$err" '--facts takes one name'

# Every installed file, and errors with place and remedy.
for file in "$TOP_SRCDIR"/models/trust/*.trust; do
	"$HECATE" check "$file" >/dev/null 2>>bad || echo "$file" >>bad
done
is "every installed file is right" "$(cat bad)" ""
printf 'cpu a {\n  event b { verdict fine; }\n}\n' >x.trust
status 2 "$HECATE" check x.trust
has "an unknown verdict" "$err" "x.trust:2:21: .*or unknown expected after 'verdict', not 'fine'"
has "  a missing source, with a remedy" "$err" 'x.trust:2:9: the entry has no source; add: source'
status 2 "$HECATE" check no.trust
has "no such file" "$err" 'cannot open no.trust: No such file or directory; check the path'
status 0 "$HECATE" check "$TOP_SRCDIR/models/trust/core2.trust" --json
printf '%s' "$out" >core2.json
is "as JSON" "$(json core2.json '(d["schema"], d["pages"][0]["models"])')" "('hecate.trust/1', [15, 22, 23, 29])"
done_testing
