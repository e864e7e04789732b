"""hostile_files.py HECATE TOP PART OF [LANGUAGE...]: make hostile files of every language, one after another, and let hecate read each.

Files are numbered; those whose number is PART modulo OF are made, deterministically. Prints a line for each that took
more than 2 s of processor time (and 0.25 s for all else) or 256 MB, and was not refused with the sentence of the budget, and one for each that
ended hecate by a signal. The last line has the number of files, the slowest, and the largest.
"""
import glob, os, resource, sys, tempfile

hecate, top, part, of = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
SECONDS, MB, REFUSED = 2.25, 256, b"reading it takes more than"


def first(pattern):
    return sorted(glob.glob(os.path.join(top, pattern)))[0]


# Language: a good file, and the commands that read one. {} is the hostile file, ok.csv plain data.
SEEDS = [
    ("udd", "models/linux-page-faults.udd", ["paths {}", "check {} ok.csv"]),
    ("udd-haswell", "models/haswell-mmu.udd", ["constraints --cone-seconds 1 {}"]),
    ("fdl", "tests/fdl/good/*.fdl", ["paths {}"]),
    ("m4", "tests/fdl/good/*.fdlm4", ["paths {}"]),
    ("net", "models/networks/spr-cxl.net", ["net {} ok.csv"]),
    ("stack", "models/stacks/topdown-l3-spr.stack", ["stack {} ok.csv"]),
    ("machine", "models/machines/haswell.machine", ["sim --machine {} --samples 1 -o x.hct"]),
    ("core", "models/machines/core.machine", ["sim --machine {} --samples 1 -o x.hct"]),
    ("server", "models/machines/spr-cxl.server", ["sim --machine {} --samples 1 -o x.hct"]),
    ("suite", "models/suites/mmu.suite", ["sim --suite {} --samples 1 -o x.hct"]),
    ("probe", "models/probes/rob.probe", ["probe {} --export x.d --isa riscv64"]),
    ("curve", b"x,min,mean,max\n1,2,3,4\n2,2,3,4\n3,5,6,7\n", ["probe rob --on import:{}"]),
    ("trust", "models/trust/amd.trust", ["check linux-page-faults ok.csv --trust {}", "determinism --facts {}"]),
    ("lesson", "models/lessons/first-model.lesson", ["grade {} --check"]),
    ("answers", "tests/data/lessons/class/page-faults-ann", ["grade page-faults {}"]),
    ("events", b'{"Events": [{"EventCode": "0x3C", "UMask": "0x00", "EventName": "A.B", "Counter": "0,1"}]}',
        ["@events A"]),
    ("laws", "models/laws/linux.laws", ["laws ok.csv --laws {}"]),
    ("spec", b'profile p "a b";\n\nprogram s "text" {\n\trun "/none";\n\tcores 0;\n}\n', ["record -o x.hct --spec {}"]),
    ("two", b"observation,a\n" + b"".join(b"o,%d\n" % (i * i % 7) for i in range(30)), ["diff {} ok.csv", "slices {}"]),
    ("benchmarks", b'{"benchmarks": [\n{"name": "BM_a", "real_time": 1.5, "cpu_time": 1, "time_unit": "us"},\n'
        b'{"name": "BM_b", "real_time": 2.5, "cpu_time": 2, "time_unit": "us"}\n]}\n', ["diff {} {}"]),
    ("hyperfine", b'{"results": [\n{"command": "a", "times": [1.1,\n1.2]},\n{"command": "b", "times": [2.1,\n2.2]}\n]}\n',
        ["diff {}"]),
    ("means", "faults 5318 \u00b1 0.4% 6355 \u00b1 0.3%\ntime 12.5 \u00b1 0.4% 12.6 \u00b1 0.3%\n".encode(), ["diff {}"]),
    ("csv", "models/demo/page-faults.csv", ["check linux-page-faults {}", "phases {}", "laws {}", "import -q -o x.hct {}",
        "diff {} {}"]),
    ("perf-text", "tests/data/perf-stat/text_A_I50.txt", ["check linux-page-faults {}"]),
    ("perf-csv", "tests/data/perf-stat/x_3.14_A.csv", ["check linux-page-faults {}"]),
    ("perf-json", "tests/data/perf-stat/j_per-thread.jsonl", ["check linux-page-faults {}"]),
    ("gem5", "tests/data/gem5/one.txt", ["check linux-page-faults {}"]),
    ("gem5-json", "tests/data/tools/gem5_stats.json", ["check linux-page-faults {}"]),
    ("sniper", "tests/data/sniper/dump.txt", ["check linux-page-faults {}"]),
    ("sniper-stack", "tests/data/sniper/stack.txt", ["check linux-page-faults {}"]),
    ("likwid", "tests/data/tools/likwid_O.csv", ["check linux-page-faults {}"]),
    ("papi", "tests/data/tools/papi_7.json", ["check linux-page-faults {}"]),
    ("pcm", "tests/data/tools/pcm_raw_rows.csv", ["check linux-page-faults {}"]),
    ("simpleperf", "tests/data/tools/simpleperf.csv", ["check linux-page-faults {}"]),
    ("toplev", "tests/data/tools/toplev_valcsv.csv", ["check linux-page-faults {}"]),
    ("uprof", "tests/data/tools/uprof_raw.csv", ["check linux-page-faults {}"]),
    ("session", "tests/data/runs/busy.hct", ["export {}", "report {}"]),
    ("determinism", "tests/data/determinism/static-runs.csv", ["determinism {}"]),
    ("trace", "tests/data/traces/sort.trace", ["sim --trace {} --samples 1 -o x.hct"]),
]


def nest(b, opening, closing, n):
    """The brackets n deep where the file has the first of them."""
    at = b.find(opening)
    return b[:at] + opening * n + closing * n + b[at:] if at >= 0 else b + opening * n


def chain(language, n):
    """n definitions, each of which uses the one before twice."""
    if language.startswith("udd"):
        rows = ["model m; counter c; def d0() { count c; }"]
        rows += ["def d%d() { d%d(); d%d(); }" % (i, i - 1, i - 1) for i in range(1, n)]
        return "\n".join(rows + ["path p { d%d(); }" % (n - 1)])
    if language == "net":
        rows = ["network n; kind read; counter c0 = \"a\" per core unit cycles;"]
        return "\n".join(rows + ["constant c%d = c%d + c%d unit cycles;" % (i, i - 1, i - 1) for i in range(1, n)])
    if language == "stack":
        rows = ["stack s per thread; counter c = \"a\" per thread unit cycles; let v0 = c;"]
        return "\n".join(rows + ["let v%d = v%d + v%d;" % (i, i - 1, i - 1) for i in range(1, n)] + ["whole all = v%d;" % (n - 1)])
    if language == "laws":
        return "\n".join("law l%d: c%d + c%d <= c%d;" % (i, i, i, i + 1) for i in range(n))
    return None


def kinds(language, b):
    """Named hostile variants of a good file."""
    lines = b.split(b"\n")
    yield "braces", lambda: b + b"{" * 400000
    yield "parentheses", lambda: b[: len(b) // 2] + b"(" * 400000 + b[len(b) // 2 :]
    yield "a line of 8 MB", lambda: b + b"a" * 8000000
    yield "long words", lambda: b.replace(b" ", b" " + b"x" * 100000, 3)
    yield "commas", lambda: b + b"\n" + b"," * 2000000
    yield "quotes", lambda: b + b'"' * 2000000
    yield "empty lines", lambda: b + b"\n" * 4000000
    yield "zeros", lambda: b + b"\0" * 1000000
    yield "no UTF-8", lambda: b + b"\xff" * 1000000
    yield "marks", lambda: b + "\u202e\u200b".encode() * 300000
    yield "200 times", lambda: b * max(2, min(200, 8000000 // (len(b) + 1)))
    yield "comments", lambda: b + b"/*" * 1000000
    yield "digits", lambda: b.replace(b"1", b"9" * 50000, 2)
    yield "signs", lambda: b.replace(b"=", b"=" + b"-" * 200000, 1)
    yield "sums", lambda: b.replace(b"=", b"= " + b"1 + " * 200000, 1)
    yield "nested braces", lambda: nest(b, b"{", b"}", 100000)
    yield "nested brackets", lambda: nest(b, b"[", b"]", 1000000)
    yield "nested parentheses", lambda: nest(b, b"(", b")", 300000)
    yield "one keeps opening", lambda: nest(b, b"{", b"", 2000) + b" both {" * 200000
    yield "includes", lambda: b'include "ok.csv";\n' * 100000 + b
    for n in (60, 20000):
        text = chain(language, n)
        if text:
            yield "a chain of %d" % n, lambda: text.encode()
    step = max(1, len(lines) // 8)
    for k in range(0, len(lines), step):
        copies = min(100000, 4000000 // (len(lines[k]) + 1))
        yield "line %d many times" % (k + 1), lambda: b"\n".join(lines[:k] + [lines[k]] * copies + lines[k:])
    for k in range(0, len(lines), step * 2):
        copies = min(50000, 2000000 // (len(lines[k]) + 1))
        yield "line %d in one" % (k + 1), lambda: b"\n".join(lines[:k]) + b" ".join([lines[k]] * copies) + b"\n".join(lines[k:])
    for k in range(0, len(lines), step * 4):
        yield "line %d with other names" % (k + 1), lambda: b"\n".join(
            lines[: k + 1] + [lines[k].replace(b"a", b"a%d" % i) for i in range(20000)])
    if language == "csv":
        yield "many observations", lambda: b"observation,minor,major\n" + b"".join(b"o%d,1,2\n" % i for i in range(300000))
        yield "many columns", lambda: b"observation," + b",".join(b"c%d" % i for i in range(1000000)) + b"\nx" + b",1" * 1000000
        yield "two rows each", lambda: b"observation,time,a\n" + b"".join(b"o%d,%d,2\n" % (i // 2, i) for i in range(130000))
        yield "a ragged table", lambda: b"a,b\n" + b"".join(b"1" + b",2" * (i % 7) + b"\n" for i in range(400000))


def run(words, log):
    """Runs hecate. Returns its status, processor time and megabytes."""
    pid = os.fork()
    if pid == 0:
        null = os.open("/dev/null", os.O_RDWR)
        err = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for fd, to in ((null, 0), (null, 1), (err, 2)):
            os.dup2(fd, to)
        resource.setrlimit(resource.RLIMIT_CPU, (8, 8))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if words[0] == "@events":
            os.environ.update(HECATE_EVENTS=os.getcwd(), HECATE_CPUID="GenuineIntel-6-8F-4", XDG_CACHE_HOME=os.getcwd())
            words = ["events"] + words[1:]
        os.execv(hecate, [hecate] + words)
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    number = made = refused = bad = 0
    slowest, largest = (0.0, ""), (0.0, "")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open("ok.csv", "w") as f:
            f.write("observation,a,b\n" + "".join("o,%d,%d\n" % (i * i % 7, i % 5) for i in range(40)))
        with open("mapfile.csv", "w") as f:
            f.write("Family-model,Version,Filename,EventType\nGenuineIntel-6-8F,V1,/x.events,core\n")
        for language, pattern, commands in SEEDS:
            if sys.argv[5:] and language not in sys.argv[5:]:
                continue
            b, name = pattern, "x." + language
            if isinstance(pattern, str):
                path = first(pattern)
                with open(path, "rb") as f:
                    b = f.read()
                name = "x" + os.path.splitext(path)[1]
            for kind, make in kinds(language, b):
                for command in commands:
                    number += 1
                    if number % of != part:
                        continue
                    with open(name, "wb") as f:
                        # A machine or suite without an error would be simulated, for as long as that takes.
                        f.write(make() + (b"\nnonsense\n" if command.startswith("sim --") else b""))
                    for _ in range(3):  # others' use of caches makes the same work take longer: the least time counts
                        for left in ("x.hct", "x.d"):
                            if left != name and os.path.exists(left):
                                os.remove(left)
                        status, seconds, mb = run([w.replace("{}", name) for w in command.split()], "log")
                        with open("log", "rb") as f:
                            stopped = REFUSED in f.read()
                        if stopped or seconds <= SECONDS:
                            break
                    made += 1
                    what = "%s: %s: %s" % (language, kind, command)
                    refused += stopped
                    slowest, largest = max(slowest, (seconds, what)), max(largest, (mb, what))
                    if os.WIFSIGNALED(status) or (not stopped and (seconds > SECONDS or mb > MB)):
                        bad += 1
                        print("%s: %.1f s, %.0f MB, status %d" % (what, seconds, mb, status), flush=True)
                    for left in glob.glob("x*"):
                        os.remove(left)
    print("%d files, %d beyond the budget, %d refused by it; slowest %.2f s (%s); largest %.0f MB (%s)" %
          ((made, bad, refused) + slowest + largest))


main()
