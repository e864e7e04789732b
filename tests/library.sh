#!/bin/sh
# libhecate as another program sees it: installed, found by pkg-config, used by the three examples, whose output is that
# of the program; and its symbols and prototypes, which must not change unnoticed.
. "$HECATE_TESTS/lib/tap.sh"
top=$HECATE_MODELS build=${HECATE%/*} cc=${CC:-cc}
cd "$tmp" || exit 1
if [ ! -e "$build/libhecate.so.0" ]; then
	skip "the library" "a build with sanitizers has none"
	done_testing
	exit
fi
MAKEFLAGS='' make -s -C "$build" install-exec-local install-apiHEADERS install-nodist_pkgconfigDATA DESTDIR="$tmp/at" >make.txt 2>&1 ||
	not_ok "it installs" "$(cat make.txt)"
pc=$(find at -name hecate.pc)
export PKG_CONFIG_PATH="$tmp/${pc%/*}" PKG_CONFIG_SYSROOT_DIR="$tmp/at"
export LD_LIBRARY_PATH="$tmp/$(dirname "$(find at -name libhecate.so.0)")"
flags=$(pkg-config --cflags --libs hecate)
for example in constraints judge account; do
	# shellcheck disable=SC2086
	check "$example.c compiles without a warning" $cc -Wall -Wextra -Werror -o $example "$top/docs/library/$example.c" $flags
done
printf '#include <hecate/cone.h>\n#include <hecate/verdict.h>\n#include <hecate/stack.h>\nint main() { return hecate_verdicts_word(HECATE_FEASIBLE) == 0; }\n' >all.cc
if command -v c++ >/dev/null; then
	# shellcheck disable=SC2086
	check "C++ compiles and links" c++ -Wall -Werror -o all all.cc $flags
	check "  and runs" ./all
else
	skip "C++ compiles and links" "no C++ compiler"
fi

# The program's own answers.
export HECATE_MODELS="$top"
for model in linux-page-faults haswell-mmu; do
	"$HECATE" constraints $model --json >c.json
	./constraints $model >c.txt
	is "$model: the constraints of the program" "$(cat c.txt)" "$(json c.json '"\n".join(c["text"] for c in d["equalities"] + d["inequalities"])')"
done
status 2 ./constraints none-such
has "a failure names the file" "$err" "none-such"
status 2 ./constraints linux-page-faults none-such
has "  or the feature" "$err" "none-such"

"$HECATE" check linux-page-faults "$top/models/demo/page-faults.csv" --json >v.json
status 1 ./judge linux-page-faults "$top/models/demo/page-faults.csv"
is "the verdicts of the program, and what is violated most" "$out" \
	"$(json v.json '"\n".join(" ".join([o["name"], o["verdict"]] + (["not", o["violated"][0]["text"]] if o["violated"] else [])) for o in d["observations"])')"
status 2 ./judge linux-page-faults none-such.csv
has "  or no data" "$err" "none-such.csv"

cat >small.stack <<'X'
stack small "a small one" per thread;
counter c = "cycles" per thread unit cycles; counter i = "instructions" per thread unit instructions;
counter a = "EVENT_A" per thread unit cycles;
whole all = c; figure "CPI" = c / i;
part first key "F" = a;
rest base key "B";
X
printf 'observation,cycles,instructions,EVENT_A\none,1000,500,300\n' >small.csv
"$HECATE" stack small.stack small.csv --json >s.json
status 0 ./account small.stack c=1000 i=500 a=300
is "the parts of the program" "$out" "$(json s.json '"\n".join(["whole %.17g" % d["observations"][0]["bars"][0]["whole"]] + ["%s %.17g %.17g" % (p["name"], p["value"], p["share"]) for p in d["observations"][0]["bars"][0]["parts"]])')"
status 0 ./account small.stack c=1000 a=300
has "  what was not counted is not known" "$out" "whole 1000"

# What others were linked with.
nm -D --defined-only "$LD_LIBRARY_PATH/libhecate.so.0" | awk '$2 == "T" { print $3 }' | sort >symbols
is "it shows its own names only" "$(grep -v '^hecate_' symbols)" ""
printf '#include <hecate/cone.h>\n#include <hecate/verdict.h>\n#include <hecate/stack.h>\n' >all.c
# shellcheck disable=SC2086
if gcc -fsyntax-only -aux-info prototypes all.c $flags 2>/dev/null; then
	sed -n 's/^.*\*\/ extern \(.*hecate_.*;\)$/\1/p' prototypes | sort >now
	is "prototypes are those of libhecate.so.0" "$(cat now)" "$(cat "$HECATE_TESTS/data/libhecate.so.0.txt")"
	is "  and all are in the library" "$(grep -o 'hecate_[a-z_]* (' now | tr -d ' (' | sort)" "$(sed 's/@.*//' symbols)"
else
	skip "prototypes are those of libhecate.so.0" "gcc is not installed, which lists them"
fi
done_testing
