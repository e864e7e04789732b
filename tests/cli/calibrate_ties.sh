#!/bin/sh
# hecate calibrate: what the probes cannot see, ties, and programs that none of them knows. The truths differ from core in
# one item each, in the way of the review's finding: none of them may be given to another item.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
one() { sed "$1" "$HECATE_MODELS/models/machines/core.machine" >one.machine; }
one 's/^l1i 8 KiB/l1i 16 KiB/'
status 0 "$HECATE" calibrate sim:core sim:./one.machine rob mul_latency --json
printf '%s' "$out" >c.json
is "what no probe sees is listed" "$(json c.json '(d["faults"], [(x["value"], x["partly"]) for x in d["not_probed"] if x["name"] == "l1i size"], d["items"] > d["items_probed"] > 0)')" \
	"([], [('8 KiB', False)], True)"
is "  not what one sees" "$(json c.json '[x["name"] for x in d["not_probed"] if x["name"] in ("rob", "latency mul")]')" '[]'
is "  programs differ all the same" "$(json c.json '(d["cpi_error"]["before"] > 0.005, d["refused"])')" '(True, False)'
status 0 "$HECATE" calibrate sim:core sim:./one.machine rob mul_latency
has "  it is said" "$out" '^Equal as far as [0-9]+ of [0-9]+ items of the machine file are probed\.$'
has "  by name" "$out" '^No probe that ran depends on these items:$'
has "  of the programs, too" "$out" '^The cause is among the items that no probe shows, or in none\.$'
is "  in lines that fit" "$(printf '%s\n' "$out" | awk 'length > 110' | wc -l)" 0
one 's/^commit 4;/commit 3;/'
status 0 "$HECATE" calibrate sim:core sim:./one.machine decode_width --json
printf '%s' "$out" >c.json
is "a tie of width, fetch and commit" "$(json c.json '[(f["name"], [t["name"] for t in f["ties"]]) for f in d["faults"]]')" \
	"[('width', ['fetch', 'commit'])]"
one 's/^ports 4 load, store, atomic/ports 2 load, store, atomic/'
status 0 "$HECATE" calibrate sim:core sim:./one.machine load_pipes
has "a probe that did not run tells ties apart" "$out" \
	'^    or else: ports load, store 2 \(a tie; hecate probe store_pipes tells them apart: 4 per cycle with ports load 2, 2 per cycle with ports load, store 2\)$'
status 0 "$HECATE" calibrate sim:core sim:./one.machine load_pipes --json
printf '%s' "$out" >c.json
is "  in the document" "$(json c.json '[(t["after"], t["probe"], t["with_fault"]["value"] > 3.9, t["with_tie"]["value"] < 2.1) for t in d["faults"][0]["ties"] if t["name"] == "ports load, store"]')" \
	"[('2', 'store_pipes', True, True)]"
status 0 "$HECATE" calibrate sim:core sim:./one.machine load_pipes store_pipes decode_width
has "  with that probe, they are no tie" "$(printf '%s\n' "$out" | sed -n '/^At fault/,/^[A-Z][a-z]* as far/p')" '^  ports load, store: 4, fits with 2 \(parameter; explains load_pipes, store_pipes\)$'
is "    nor is another one told apart" "$(printf '%s\n' "$out" | grep -c 'tells them apart: ')" 0
one 's/^fill_buffers 16;/fill_buffers 16; lookup at fetch;/'
status 0 "$HECATE" calibrate sim:core sim:./one.machine fill_buffers
has "an item that the machine that fits hides ties, too" "$out" '^    or else: lookup at fetch \(a tie: no installed probe tells them apart\)$'
has "  as programs differ, the fit is in doubt" "$out" '^No probe differs, but programs do, [a-z0-9]+-like most \([0-9.]+ %\)\.$'
has "    and so is the item" "$out" '^The cause is among the items that no probe shows, or in none; an item above may stand for it\.$'
has "  what is never turned is said" "$out" '^Never turned: which kinds of operations share ports, bytes of a line, TLBs of larger pages\.$'
one 's/^predictor hybrid 4096/predictor gshare 4096/'
status 2 "$HECATE" calibrate sim:core sim:./one.machine predictor_size -o worse.machine
has "a predictor of another kind ties with its size" "$out" '^    or else: (.*, )?predictor kind gshare[, ].*\(a tie: no installed probe tells them apart\)$'
has "  programs get worse, so the fit is refused" "$out" '^The fit is refused: programs come out worse'
has "  and not written" "$err" 'worse.machine was not written, because programs come out worse .*; compare by more probes'
is "  no file" "$(ls worse.machine 2>&1 | grep -c 'No such')" 1
done_testing
