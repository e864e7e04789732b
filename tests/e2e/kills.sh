#!/bin/sh
# kill -9 of the recorder, the explorer and its engine, $HECATE_KILLS times each (3): at most the last second of samples
# is lost, the file is sound, and the command ends. An engine is started anew. HECATE_SEED repeats the times.
. "$HECATE_TESTS/lib/tap.sh" || exit 1
cd "$tmp" || exit 1
printf 'model small; counter f = "page-faults:u"; path p { count f; }\n' >small.udd
"$HECATE" check ./small.udd -q -- true >out 2>err || [ $? = 1 ] || { skip "kills" "$(head -1 err)"; done_testing; exit; }
command -v pgrep >/dev/null || { skip "kills" "no pgrep"; done_testing; exit; }
for kind in recorder explorer engine; do
	if python3 "$HECATE_TESTS/lib/kills.py" "$HECATE" $kind "${HECATE_KILLS:-3}" "${HECATE_SEED:-1}" >said 2>&1; then
		ok "$(tail -1 said)"
	elif ! grep -q ': [^0-9]' said && others_busy; then
		skip "kills of the $kind: $(head -1 said)" "other programs use the processors"
	else
		not_ok "kills of the $kind" "$(tail -25 said)"
	fi
done
done_testing
