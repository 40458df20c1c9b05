/**
 * A `failed` part makes the process unready. A process with a `degraded` part still serves requests; so does one with a
 * part that is `starting`, which is no fault yet, or `unknown`, of which nothing is known.
 */
export const partStates = ['ok', 'starting', 'unknown', 'degraded', 'failed'] as const;
export type PartState = (typeof partStates)[number];

/**
 * The result of a look at a part. `broken` becomes the state that the part has then, and so does `absent`, unless another process
 * may still be starting it.
 */
interface Look {
  readonly state: 'ok' | 'broken' | 'absent' | 'degraded' | 'unknown';
  /** One sentence, for people. */
  readonly seen: string;
  /** The next step of the operator, if it differs from that of the part. */
  readonly advice?: string;
}

export const good = (seen: string): Look => ({ state: 'ok', seen });
export const broken = (seen: string, advice?: string): Look => ({
  state: 'broken',
  seen,
  ...(advice !== undefined && { advice }),
});
export const absent = (seen: string): Look => ({ state: 'absent', seen });
export const degraded = (seen: string): Look => ({ state: 'degraded', seen });
export const unknown = (seen: string): Look => ({ state: 'unknown', seen });

/** Something that the installation needs, with its promise. */
export interface Part {
  readonly name: string;
  /** The kind of worker whose duty it is; null for what processes need. */
  readonly worker: string | null;
  readonly promise: string;
  /** The next step of the operator if the promise does not hold. */
  readonly advice: string;
  readonly stateIfBroken: 'degraded' | 'failed';
  /** How long a look holds. Absent: a second. */
  readonly holdsMs?: number;
  /** True if a look may take long: it runs in the background, and nobody waits for it. */
  readonly isSlow?: boolean;
  /** True if a look that rejects or takes too long shows that the part is broken. Otherwise nothing is known of it then. */
  readonly answers?: boolean;
  /** `isFresh`: a person waits for what holds now. */
  readonly look: (isFresh: boolean) => Promise<Look>;
}

/** The state of a part and why. */
export interface PartReport {
  readonly part: string;
  readonly worker: string | null;
  readonly promise: string;
  readonly state: PartState;
  readonly seen: string;
  /** Null if there is nothing to do. */
  readonly advice: string | null;
  /** When this process saw the state begin. */
  readonly since: Date;
}

export type { Look };
