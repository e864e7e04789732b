#include "cli/options.h"

#include <stddef.h>

#include "cli/commands.h"

#define ARGS_MANY 100000

const struct subcommand subcommands[] = {
	{"", C_EXPLORE, ARGS_MANY,
		"[MODEL [DATA...] | RUNS... [--expected FILE] | MODEL [-I MS] -- CMD ... | MODEL -p PID | -t TID | "
		"-a | -C CPUS]",
		"the explorer; without arguments the start screen", NULL},
	{"print", C_PRINT, 1, "MODEL [--dot | --svg | --fdl | --udd]",
		"The model as text, as a picture, or in another language", cmd_print},
	{"paths", C_PATHS, 1, "MODEL", "The paths that a micro-op may take, and their counter signatures", cmd_paths},
	{"constraints", C_CONSTRAINTS, 1, "MODEL", "The model cone: equalities and inequalities", cmd_constraints},
	{"check", C_CHECK, ARGS_MANY,
		"MODEL DATA... | MODEL [-r N] [-I MS] -- CMD ... | MODEL -p PID | -t TID | -a | -C CPUS",
		"Verdict per observation, recorded or live", cmd_check},
	{"search", C_SEARCH, ARGS_MANY,
		"MODEL DATA... | MODEL [-r N] [-I MS] -- CMD ... | MODEL -p PID | -t TID | -a | -C CPUS",
		"Discovery and elimination: which choices of features survive the data", cmd_search},
	{"compare", C_COMPARE, ARGS_MANY, "MODEL [V1 V2 ...] [DATA...]",
		"How the cones of variants or sets of features relate, and what would tell them apart", cmd_compare},
	{"locate", C_LOCATE, ARGS_MANY, "MODEL EVENT DATA...",
		"Where in the model an event of unknown meaning could be counted", cmd_locate},
	{"stack", C_STACK, ARGS_MANY,
		"STACK[,STACK...] DATA... | STACK[,STACK...] [-r N] [-I MS] -- CMD ... | STACK -p PID | -t TID | -a | "
		"-C CPUS | STACK[,STACK...] --check | --by instruction sim:MACHINE[:PROGRAM] [--trace FILE]",
		"Where the cycles, slots or the time went, by one or several methods of accounting", cmd_stack},
	{"record", C_RECORD, 0,
		"-o FILE [-m MODEL|NETWORK|STACK] [-r N] [-I MS] -- CMD ... | -p PID | -t TID | -a | -C CPUS",
		"Collect into a session file, which is written while it runs", cmd_record},
	{"import", C_IMPORT, ARGS_MANY, "-o FILE [-m MODEL|NETWORK|STACK] DATA...", "Recorded data into a session file",
		cmd_import},
	{"export", C_EXPORT, 1, "FILE [--csv | --json]", "A session's samples, as a wide CSV or JSON",
		cmd_export},
	{"report", C_WRITE_REPORT, ARGS_MANY, "FILE | MODEL DATA... | NETWORK DATA... [-o FOLDER | -o FILE.md]",
		"Verdicts, reasons, search, or paths, queues and bars, and notes as Markdown with SVG pictures",
		cmd_report},
	{"net", C_NET, ARGS_MANY,
		"NETWORK DATA... | NETWORK [-r N] [-I MS] -- CMD ... | NETWORK -p PID | -t TID | -a | -C CPUS | "
		"NETWORK --check",
		"A network of modules that requests flow through: path map, queues, stalls", cmd_net},
	{"sim", C_SIM, 0,
		"-o FILE [--machine MACHINE] [--plant F,G | --secret] [--workload W | --suite SUITE | --trace FILE] "
		"[-m MODEL] | --machine core [--program P | --trace FILE] [-o FILE | --json] | "
		"--machine core --intervals [--program P] | --calibrate FILE | --reveal FILE [-m MODEL] | --list",
		"A simulated machine with known features, into a session file", cmd_sim},
	{"trace", C_TRACE, 0, "-o FILE -- CMD ...",
		"What a command executes and accesses, recorded by valgrind for a simulated machine", cmd_trace},
	{"determinism", C_DETERMINISM, ARGS_MANY,
		"[-r N] [-e E,F] [--parts P,Q] | DATA... [--expected FILE] | "
		"[--overflow [-e E,F] [--stop-at N]] -- CMD ... | --facts [CPU|all|FILE]",
		"Repeated runs of the same program: how far each event can be trusted, and what explains its error",
		cmd_determinism},
	{"probe", C_PROBE, ARGS_MANY,
		"[NAME...] [--on native] | [NAME...] --on sim:MACHINE [--set ITEM] | [NAME] --on import:FILE | "
		"[NAME...] --export DIR --isa ISA | --list",
		"Curves that isolate one feature of a core: its capacity, latency or bandwidth", cmd_probe},
	{"calibrate", C_CALIBRATE, ARGS_MANY,
		"sim:MACHINE TRUTH [PROBE...] [-o FILE] [--program P | --suite SUITE] [--gain ITEM]",
		"Make a simulated core answer probes as another machine: what is at fault, and what fits",
		cmd_calibrate},
	{"slices", C_SLICES, ARGS_MANY, "[STACK] DATA... | [STACK] sim:MACHINE [--program P] [--samples N]",
		"Which parts of a core matter for a workload, so which probes to run next: slices in clusters",
		cmd_slices},
	{"doctor", C_DOCTOR, 0, "", "What can be counted here, as whom, why not, and the remedy", cmd_doctor},
	{NULL, 0, 0, NULL, NULL, NULL},
};
