/* Overflows of a counter that is set to raise one after each `period` instructions of the user side. */
#ifndef EMULATED_OVERFLOW_H
#define EMULATED_OVERFLOW_H

#include <stdint.h>

/* Executes n rounds of exercise_loop() and prints how many overflows of 2n / period arrived. QEMU 7.2 delivers few of
 * them on Arm, and on RISC-V also those of the kernel's instructions, so the number is no test. */
void overflow_report(uint64_t period, uint64_t n);

#endif
