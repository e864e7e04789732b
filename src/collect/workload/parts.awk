# Makes the workload of descriptions (parts-ARCH.parts; docs/workload.md explains them).
#   awk -v make=program -f parts.awk FILE    assembly of the static program hecate-workload
#   awk -v make=table -f parts.awk FILE      C with the counts of each part, as collect/workload/workload.h declares them
function fail(m) { printf "%s:%d: %s\n", FILENAME, FNR, m >"/dev/stderr"; failed = 1; exit 1 }
# Adds what a line counts to `into`: c[into, kind], kinds as in counts().
function count(into, notes,    times, letter, number, n) {
	times = 1
	n = n_open ? repeat : 1
	if (match(notes, /\*[0-9]+/)) {
		times = substr(notes, RSTART + 1, RLENGTH - 1) + 0
		notes = substr(notes, 1, RSTART - 1) substr(notes, RSTART + RLENGTH)
	}
	c[into, "i"] += n * times
	gsub(/[ \t]/, "", notes)
	while (notes != "") {
		if (!match(notes, /^[a-z][0-9]*/)) fail("unknown note " notes)
		letter = substr(notes, 1, 1)
		number = RLENGTH > 1 ? substr(notes, 2, RLENGTH - 1) + 0 : 1
		notes = substr(notes, RLENGTH + 1)
		if (letter == "u") c[into, "i"] -= n
		else if (letter == "c") { if (section != "skip" && section != "again") fail("only skip and again have a branch c"); c[into, "conditional"] += n }
		else if (letter == "t") { c[into, "conditional"] += n * number; c[into, "taken"] += n * number }
		else if (letter == "n") c[into, "conditional"] += n * number
		else if (letter == "b") { c[into, "b"] += n * number; c[into, "taken"] += n * number }
		else if (letter in kind) c[into, letter] += n * number
		else fail("unknown note " letter)
	}
}
function counts(of,    text, k) {
	text = sprintf("{{%d, %d, %d, %d", c[of, "i"], c[of, "conditional"] + c[of, "b"] + c[of, "y"], c[of, "conditional"],
		c[of, "taken"])
	for (k = 1; k <= n_plain; k++) text = text sprintf(", %d", c[of, plain[k]])
	return text "}}"
}
# The text that a line goes to: a subroutine has its own.
function place() { return inside && section == "take" ? "inside" : into }
function put(text) { if (n_open) held = held text "\n"; else code[place()] = code[place()] text "\n" }
function repeat_held(    k) {
	for (k = 0; k < repeat; k++) code[place()] = code[place()] held
	held = ""; n_open = 0
}
function enclose(text, label) { gsub(/@label/, label, text); return text }
BEGIN {
	n_plain = split("l s r f y x e", plain, " ")
	for (k in plain) kind[plain[k]] = 1
	if (make != "program" && make != "table") { print "parts.awk: -v make=program or -v make=table" >"/dev/stderr"; failed = 1; exit 1 }
}
/^#/ || /^[ \t]*$/ { next }
$1 == "arch" { arch = $2; next }
$1 == "program" { section = $2; into = "program " $2; next }
$1 == "part" {
	n_parts++; name[n_parts] = $2; section = "part"; into = ""
	if ($2 in seen) fail("a second part " $2)
	seen[$2] = 1
	next
}
section == "part" && into == "" && $1 ~ /^(about|class|needs|loops)$/ {
	value = $0; sub(/^[ \t]*[a-z]+[ \t]*/, "", value)
	fact[n_parts, $1] = value
	next
}
section == "part" && $1 ~ /^(before|loop|after)$/ && NF == 1 { into = $1 " " n_parts; next }
$1 == "times" { n_open = 1; repeat = $2 + 0; next }
$1 == "end" { repeat_held(); next }
# What follows counts for the place where it is executed, and stands after the program's last instruction.
$1 == "inside" && section == "take" { inside = 1; next }
into == "" { fail("an instruction outside of a section") }
{
	notes = ""; text = $0
	if (split($0, halves, "|") > 1) { text = halves[1]; notes = halves[2] }
	sub(/[ \t]+$/, "", text)
	if (text ~ /^[ \t]*elsewhere /) { count(into, notes); next } # counted here, written in another place
	if (section == "rest") { put(text); next }
	# neither labels nor directives are instructions, but .4byte may be one
	if (text !~ /^[A-Za-z0-9_.]+:/ && text !~ /^[ \t]*\.option/) count(into, notes)
	put(text)
}
END {
	if (failed) exit 1
	if (make == "table") {
		print "/* Made by parts.awk of the descriptions of " arch ". */"
		print "#include \"collect/workload/workload.h\"\n"
		print "const struct workload_part workload_parts[] = {"
		for (k = 1; k <= n_parts; k++) {
			printf "\t{\"%s\", \"%s\", \"%s\", \"%s\", %s,\n", name[k], fact[k, "class"], fact[k, "needs"], fact[k, "about"], fact[k, "loops"]
			print "\t\t" sum_counts("before " k, "after " k) ", " sum_counts("loop " k, "program again") "},"
		}
		if (n_parts == 0) print "\t{0}"
		print "};"
		print "const size_t workload_n_parts = " n_parts + 0 ";"
		print "const char workload_installed[] = \"" installed "\";"
		print "const struct workload_frame workload_frame = {\"" arch "\","
		print "\t" sum_counts("program start", "program stop") ", " sum_counts("program take", "program skip") "};"
		exit 0
	}
	printf "# Made by parts.awk of the descriptions of %s.\n\t.text\n\t.globl _start\n_start:\n", arch
	text = code["program start"]; gsub(/@length/, 8 * n_parts, text); printf "%s", text
	for (k = 1; k <= n_parts; k++) {
		printf "part_%d:\n", k
		printf "%s%s%s", code["program take"], enclose(code["program skip"], ".Lskip_" k), code["before " k]
		printf ".Lagain_%d:\nloop_%d:\n%s", k, k, code["loop " k]
		printf "%s%s.Lskip_%d:\n", enclose(code["program again"], ".Lagain_" k), code["after " k], k
	}
	printf "part_%d:\n%stake:\n%s%s", n_parts + 1, code["program stop"], code["inside"], code["program rest"]
	print "\t.section .note.GNU-stack,\"\",%progbits"
}
function sum_counts(a, b,    k, text, sum_i, list, n) {
	n = split("i conditional taken b l s r f y x e", list, " ")
	for (k = 1; k <= n; k++) c["sum", list[k]] = c[a, list[k]] + c[b, list[k]]
	return counts("sum")
}
