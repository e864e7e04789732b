#include "work/machine.h"

#include "collect/host/doctor.h"

void
machine_probe(struct doctor *d)
{
	doctor_probe(d);
}

bool
machine_mount_tracefs(struct err *e)
{
	return doctor_mount_tracefs(e);
}
