export const sourceStates = ['not_read', 'paused', 'held', 'needs_you', 'catching_up', 'in_step'] as const;
export type SourceState = (typeof sourceStates)[number];

/** The facts that decide the state of a source. */
export interface SourceStanding {
  /** A run waits for an owner. */
  readonly isHeld: boolean;
  readonly isPaused: boolean;
  /** The state of the newest run; null before the first. */
  readonly run: 'going' | 'failed' | 'over' | null;
  /** Items that are listed and not read, and documents that are read and not indexed. */
  readonly left: number;
  /** Items with an older reading or none, until a person acts. */
  readonly troubled: number;
}

/**
 * Returns the state of a source as an owner can act on it. `in_step` promises that every listed item is answered from its
 * newest reading.
 */
export function sourceState({ isHeld, isPaused, run, left, troubled }: SourceStanding): SourceState {
  if (isHeld) return 'held';
  if (isPaused && run !== 'going') return 'paused';
  if (run === null) return 'not_read';
  // The current run may soon read items that failed before.
  if (run === 'going') return 'catching_up';
  if (run === 'failed' || troubled > 0) return 'needs_you';
  return left > 0 ? 'catching_up' : 'in_step';
}

export const remedies = [
  'wait',
  'allow_access',
  'render',
  'shorten',
  'correct_link',
  'replace_file',
  'read_reason',
] as const;
/** The help for items with a code. */
export type Remedy = (typeof remedies)[number];

const known: Readonly<Record<string, Remedy>> = {
  timed_out: 'wait',
  host_unreachable: 'wait',
  internal_error: 'wait',
  tool_down: 'wait',
  not_read: 'wait',
  robots_unreachable: 'wait',
  renderer_failed: 'wait',
  no_access: 'allow_access',
  no_permission: 'allow_access',
  empty_page: 'render',
  too_large: 'shorten',
  too_many_redirects: 'correct_link',
  redirect_loop: 'correct_link',
  gone: 'correct_link',
  gone_for_good: 'correct_link',
  too_much_text: 'shorten',
  too_many_pages: 'shorten',
  expands_too_far: 'shorten',
  reading_timed_out: 'shorten',
  out_of_memory: 'shorten',
  nested_too_deeply: 'shorten',
  encrypted_file: 'replace_file',
  corrupt_file: 'replace_file',
  wrong_format: 'replace_file',
  empty_file: 'replace_file',
  no_text: 'replace_file',
  no_text_layer: 'replace_file',
};

export function remedyFor(code: string): Remedy {
  if (code === 'http_401' || code === 'http_403') return 'allow_access';
  if (/^http_(?:429|5\d\d)$/.test(code)) return 'wait';
  return known[code] ?? 'read_reason';
}
