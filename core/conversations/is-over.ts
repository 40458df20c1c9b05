interface Resolution {
  readonly status: string;
  readonly resolved_at: Date | null;
}

/** After so long a conversation that was resolved is over, and what is said begins a new one. */
const staleMs = 24 * 60 * 60 * 1_000;

/** Whether a visitor who speaks now begins another conversation. Pure. */
export function isOver({ status, resolved_at }: Resolution, now: Date): boolean {
  return status === 'resolved' && now.getTime() - (resolved_at?.getTime() ?? 0) > staleMs;
}
