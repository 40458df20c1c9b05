import type { Drain } from '../../drain.ts';

/** How long visitors are answered, and what ends it. */
export interface VisitorLimits {
  readonly streamTimeoutMs: number;
  readonly keepAliveMs: number;
  readonly drain: Drain;
}
