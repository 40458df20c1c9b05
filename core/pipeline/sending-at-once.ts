import type { BusyGateOptions } from '../queue/busy-gate.ts';

/**
 * How much may be between a platform and our note of it: when the process dies that is sent again. Where the platform
 * takes its time, as much as there are lanes at work; where this process does, little, and less where it has a journal,
 * which it writes in no time. A process that has sent a lot may have more there, as long as that is one in five hundred:
 * what comes back two at a time is stored two at a time, too, which takes a third more of the processor.
 */
export function sendingAtOnce({ journal }: { readonly journal: boolean }): BusyGateOptions {
  const whenProven = { oneForEach: 500, most: 6 };
  return { most: 100, least: 8, mostWhenBusy: journal ? 2 : 4, whenProven };
}
