#include "base/caps.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/panic.h"

#define BIT(cap) ((uint64_t)1 << (cap))
#define PERFMON 38 /* CAP_PERFMON, which headers before Linux 5.8 do not have */

_Static_assert(CAPS_READ_ANY == CAP_DAC_READ_SEARCH && CAPS_KERNEL_ADDRESSES == CAP_SYSLOG, "linux/capability.h");

struct sets {
	uint64_t effective, permitted;
};

/* capget(2) and capset(2) are called directly: two calls with fixed structs need no library. */
static bool
get_sets(struct sets *s)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[2];

	if (syscall(SYS_capget, &head, d) != 0)
		return false;
	s->effective = d[0].effective | (uint64_t)d[1].effective << 32;
	s->permitted = d[0].permitted | (uint64_t)d[1].permitted << 32;
	return true;
}

static bool
set_sets(struct sets s)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct d[2];

	for (int i = 0; i < 2; i++)
		d[i] = (struct __user_cap_data_struct){.effective = (uint32_t)(s.effective >> 32 * i),
			.permitted = (uint32_t)(s.permitted >> 32 * i), .inheritable = 0};
	return syscall(SYS_capset, &head, d) == 0;
}

/* Gives a set-user-ID and a set-group-ID back. Capabilities stay permitted across it. */
static bool
become_real_user(void)
{
	uid_t u = getuid();
	gid_t g = getgid();

	if (geteuid() == u && getegid() == g)
		return true;
	return prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0) == 0 && setresgid(g, g, g) == 0 && setresuid(u, u, u) == 0 &&
		prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0) == 0;
}

/* Keeps these of the permitted capabilities, the second ones in effect, and checks that it is so. */
static bool
caps_keep(uint64_t permitted, uint64_t effective)
{
	struct sets s;

	if (!get_sets(&s))
		return errno == ENOSYS; /* a kernel without capabilities */
	s.permitted &= permitted;
	s.effective = s.permitted & effective;
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return set_sets(s) && get_sets(&s) && !(s.permitted & ~permitted) && !(s.effective & ~effective);
}

bool
caps_confine(struct err *e)
{
	if (getuid() == 0 || (become_real_user() &&
		caps_keep(BIT(PERFMON) | BIT(CAPS_READ_ANY) | BIT(CAPS_KERNEL_ADDRESSES), BIT(PERFMON))))
		return true;
	err_set(e, "hecate cannot give up its capabilities: %s", strerror(errno));
	return err_hint(e, "getcap \"$(command -v hecate)\" shows the program file's; setcap -r takes them away");
}

static void
drop_to(uint64_t kept)
{
	if (getuid() != 0 && !caps_keep(kept, kept))
		panic("capabilities could not be given up: %s", strerror(errno));
}

void
caps_drop(void)
{
	drop_to(0);
}

void
caps_drop_files(void)
{
	drop_to(BIT(PERFMON));
}

bool
caps_raise(enum caps_raised cap)
{
	struct sets s;

	if (!get_sets(&s) || !(s.permitted & ~s.effective & BIT(cap)))
		return false;
	s.effective |= BIT(cap);
	return set_sets(s);
}

void
caps_lower(enum caps_raised cap, bool raised)
{
	struct sets s;
	int error = errno;

	if (raised && get_sets(&s)) {
		s.effective &= ~BIT(cap);
		if (!set_sets(s))
			panic("a capability could not be lowered: %s", strerror(errno));
	}
	errno = error;
}
