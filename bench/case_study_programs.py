"""case_study_programs.py FOLDER PROGRAM…: prints a table of real programs and the models that their traces refute, from the results of bench/case-study-programs.sh."""
import sys

from case_study_verdicts import Verdicts, code, head, row, value

MODELS = ["m%d" % i for i in range(12)]
REFS = ("walk_ref.l1", "walk_ref.l2", "walk_ref.l3", "walk_ref.mem")

folder, programs = sys.argv[1], sys.argv[2:]
print("%d programs, traced by valgrind, each with pages of 4 KB and of 2 MB; exact totals\n" % len(programs))
head("program", "pages", "loads", "stores", "walks begun", "completed", "references", "refutes", "survive")
for program in programs:
    for page in ("4k", "2m"):
        verdicts = {v: Verdicts(folder, "%s-%s" % (program, page), v) for v in MODELS}
        o = verdicts["m0"].all[0]
        refuted = [v for v in MODELS if verdicts[v].names]
        row("`%s`" % program, page, *("%d" % value(o, x) for x in ("load.ret", "store.ret")), *("%d" % (value(o, "load." + x) + value(o, "store." + x)) for x in ("causes_walk", "walk_done")),
            "%d" % sum(value(o, x) for x in REFS), code(refuted), code(v for v in MODELS if v not in refuted))
