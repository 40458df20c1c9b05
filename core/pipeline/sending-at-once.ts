import type { BusyGateOptions } from '../queue/busy-gate.ts';

/**
 * How much may be between a platform and our note of it: when the process dies that is sent again. Where the platform
 * takes its time, as much as there are lanes at work; where this process does, little, and less where it has a journal,
 * which it writes in no time.
 */
export function sendingAtOnce({ journal }: { readonly journal: boolean }): BusyGateOptions {
  return { most: 100, least: 8, mostWhenBusy: journal ? 2 : 4 };
}
