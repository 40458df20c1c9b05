import type { BusyGateOptions } from '../queue/busy-gate.ts';

/**
 * How much may be between a platform and our note of it: when the process dies that is sent again. Where the platform
 * takes its time, as much as there are lanes at work; where this process does, little.
 */
export const sendingAtOnce: BusyGateOptions = { most: 100, mostWhenBusy: 4 };
