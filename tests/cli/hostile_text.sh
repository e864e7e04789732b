#!/bin/sh
# Names with control, bidirectional and zero-width characters: no command writes them as they are, to a terminal, or in
# JSON. A CSV that goes to a file or a pipe keeps them.
. "$HECATE_TESTS/lib/tap.sh"
cd "$tmp" || exit 1

bad=$(printf 'a\033[2J\007\302\2331m\342\200\256b\342\200\213c\302\255d\357\273\277')
awk -v bad="$bad" 'BEGIN {
	printf "observation,%s,%s2,good\n", bad, bad
	for (i = 0; i < 60; i++)
		printf "%s%d,%d,%d,%d\n", bad, i % 3, i * i % 7 + 1, i % 5, i % 4
}' >bad.csv
cat >good.udd <<'E2'
model good; counter good; path p { count good; }
E2
printf 'model bad; counter a = "%s"; path p { count a; }\n' "$bad" >bad.udd

"$HECATE" diff bad.csv bad.csv --json | sed 's/"good"/"go\\u001b[2J\\u0007\\u009b\\u202eod"/; s/"bad.csv"/"\\u001b]0;x\\u0007"/' >bad.json
has "a document of hecate diff has them, too" "$(cat bad.json)" 'go.u001b'

# What a terminal would obey, or not show: C0 but tab, line feed and carriage return, DEL, C1, soft hyphen, zero-width
# and bidirectional characters. The colours of verdicts are taken away before.
raw() {
	sed 's/\x1b\[[0123;]*m//g' "$1" | LC_ALL=C grep -aqE "$(printf '[\001-\010\013\014\016-\037\177]|\302[\200-\237\255]|\342\200[\213-\217\250-\256]|\342\201[\240-\257]|\357\273\277')"
}
check "the test finds them in the data" raw bad.csv
status 0 "$HECATE" import -o bad.hct bad.csv
"$HECATE" export bad.hct >out.csv 2>/dev/null
check "an export to a file keeps them" raw out.csv

have_script=
command -v script >/dev/null 2>&1 && have_script=1
while read -r words; do
	# shellcheck disable=SC2086
	"$HECATE" $words >piped 2>&1 </dev/null
	case $words in
	export*[a-z] | export*protocol) ;;
	*) raw piped && not_ok "a pipe: $words" "$(cat -v piped)" || ok "a pipe: $words" ;;
	esac
	if [ -z "$have_script" ]; then
		skip "a terminal: $words" "script(1) is missing"
		continue
	fi
	script -qec "$HECATE $words" /dev/null >shown 2>&1 </dev/null
	if [ ! -s shown ] || raw shown; then
		not_ok "a terminal: $words" "$(cat -v shown)"
	else
		ok "a terminal: $words"
	fi
done <<'E2'
check good.udd bad.csv
check good.udd bad.hct
check good.udd bad.hct --json
check bad.udd bad.csv
constraints bad.udd
paths bad.udd
print bad.udd
export bad.hct
export bad.hct --json
export bad.hct --prometheus
export bad.hct --line-protocol
import bad.csv -o -
phases bad.csv
phases bad.csv --json
diff bad.csv bad.csv
diff bad.csv bad.csv --json
diff bad.json
diff bad.json --markdown
laws bad.csv
laws bad.csv --json
report good.udd bad.hct
determinism bad.csv
determinism bad.csv --json
net linux-paths bad.csv
stack bad.csv
compare good.udd bad.udd bad.csv
locate good.udd bad.csv
search good.udd bad.csv
E2
done_testing
