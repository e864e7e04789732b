#include "collect/perf/timers.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/str.h"
#include "collect/perf/world.h"
#include "collect/proc/files.h"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <x86intrin.h>

/* Returns true when the TSC runs at a constant rate in all states: CPUID 0x80000007, EDX bit 8 (Intel SDM volume 3B,
 * "Invariant TSC"). */
static bool
is_invariant(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000007u, &a, &b, &c, &d) && d >> 8 & 1;
}

void
timers_probe(struct timers *t)
{
	uint64_t from_ns = clock_ns(), from = __rdtsc(), now_ns;

	do
		now_ns = clock_ns();
	while (now_ns - from_ns < 2000000);
	*t = (struct timers){.counter = "TSC", .hz = (double)(__rdtsc() - from) / (double)(now_ns - from_ns) * 1e9,
		.steady = is_invariant()};
}

/* Finds the hypervisor's name. Leaf 0x40000000 holds its signature, if CPUID 1, ECX bit 31 says that there is one. */
bool
timers_hypervisor_name(char *name, size_t size)
{
	static const struct { const char *signature, *name; } known[] = {
		{"KVMKVMKVM", "KVM"}, {"Microsoft Hv", "Hyper-V"}, {"VMwareVMware", "VMware"}, {"XenVMMXenVMM", "Xen"},
		{"TCGTCGTCGTCG", "QEMU"}, {"VBoxVBoxVBox", "VirtualBox"}, {"bhyve bhyve ", "bhyve"},
			{"ACRNACRNACRN", "ACRN"},
	};
	unsigned a, b, c, d, word[4] = {0};

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 31 & 1))
		return false;
	__cpuid(0x40000000u, a, word[0], word[1], word[2]);
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (memcmp(word, known[i].signature, strlen(known[i].signature)) == 0) {
			snprintf(name, size, "%s guest", known[i].name);
			return true;
		}
	snprintf(name, size, "virtual machine");
	return true;
}
#elif defined(__aarch64__)
void
timers_probe(struct timers *t)
{
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	*t = (struct timers){.counter = "CNTVCT", .hz = (double)hz, .steady = true};
}
#else
void
timers_probe(struct timers *t)
{
	*t = (struct timers){.counter = "timer"};
}
#endif

#if !defined(__x86_64__) && !defined(__i386__)
bool
timers_hypervisor_name(char *name, size_t size)
{
	char vendor[64];

	/* Here only DMI shows the hypervisor, if the firmware has DMI. */
	if (!proc_text_read("/sys/class/dmi/id/sys_vendor", vendor, sizeof vendor) || !str_starts(vendor, "QEMU"))
		return false;
	snprintf(name, size, "QEMU guest");
	return true;
}
#endif

void
timers_machine_name(char *name, size_t size)
{
	char text[4096], *model, *end;

	if (timers_hypervisor_name(name, size))
		return;
	/* without "model name", as on Arm, the board's name in the device tree */
	if (!proc_text_read("/proc/device-tree/model", name, size) || !*name)
		snprintf(name, size, "this machine");
	if (!proc_text_read("/proc/cpuinfo", text, sizeof text) || !(model = strstr(text, "model name")) ||
		!(model = strchr(model, ':')))
		return;
	model += 2;
	end = strchr(model, '\n');
	if (end)
		*end = '\0';
	/* "Intel(R) Core(TM) i7 CPU @ 3.10GHz": the frequency is cut off, because the timer gives it */
	end = strstr(model, " @ ");
	if (end)
		*end = '\0';
	snprintf(name, size, "%.*s", (int)size - 1, model);
}
