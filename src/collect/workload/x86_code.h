/* The class of an x86 instruction, as far as counting needs it (Intel SDM volume 2, appendix A). */
#ifndef COLLECT_WORKLOAD_X86_CODE_H
#define COLLECT_WORKLOAD_X86_CODE_H

#include <stdbool.h>
#include <stddef.h>

#define X86_CODE_MAX 15 /* bytes of the longest instruction */

struct x86_code {
	bool rep;         /* a string instruction with a rep, repe or repne prefix */
	bool branch;      /* jump, call, return, loop; near or far */
	bool conditional; /* a conditional jump or loop; also a branch */
	bool syscall;     /* syscall, sysenter or int */
	bool trap;        /* int3 or int1: raises SIGTRAP by itself */
	/* length of the instruction in bytes, if a hypervisor may execute it in the processor's place; else 0 */
	unsigned emulated;
};

/* Classifies the instruction at the beginning of n bytes. `wide`: 64-bit mode. Too few bytes give no class. */
struct x86_code x86_code_of(const unsigned char *byte, size_t n, bool wide);

#endif
