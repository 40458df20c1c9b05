import type { Clock } from '../../clock.ts';
import type { FailureKind, ProviderFailure } from './provider-failure.ts';

/** `answered`, `abandoned` by who asked, or why it was not answered. */
export type ModelOutcome = FailureKind | 'answered' | 'abandoned';

/** Told of every call of a provider's model. */
export type CountCalls = (model: string, outcome: ModelOutcome) => void;

/** So many failures in a row, and the provider is left alone for a while. */
const FAILURES_IN_A_ROW = 3;
const FIRST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;
/** Where the operator has to mend something there is no use in asking again and again. */
const MENDING_PAUSE_MS = 60_000;
const LONGEST_RETRY_AFTER_MS = 600_000;

/**
 * Keeps a provider that fails out of the way, so that visitors do not wait for it again and again. After a pause one
 * question tries it: when that succeeds it is let back in, else the next pause is twice as long.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #onOutcome: (outcome: ModelOutcome) => void;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #closedUntil = 0;
  #trying = false;

  constructor(clock: Clock, onOutcome: (outcome: ModelOutcome) => void = () => {}) {
    this.#clock = clock;
    this.#onOutcome = onOutcome;
  }

  /** Milliseconds until the provider is tried again; 0 where it may be asked. */
  get pauseMs(): number {
    return Math.max(0, this.#closedUntil - this.#clock.now().getTime());
  }

  /** Whether to ask the provider now; who is let in has to tell how it went, by one of the three below. */
  admit(): boolean {
    if (this.#closedUntil === 0) return true;
    if (this.#trying || this.pauseMs > 0) return false;
    this.#trying = true;
    return true;
  }

  succeeded(): void {
    this.#onOutcome('answered');
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#closedUntil = 0;
    this.#trying = false;
  }

  failed({ kind, retryAfterMs }: ProviderFailure): void {
    this.#onOutcome(kind);
    const tried = this.#trying;
    this.#trying = false;
    if (kind === 'refused') return;
    this.#failures += 1;
    if (retryAfterMs !== undefined) this.#close(Math.min(retryAfterMs, LONGEST_RETRY_AFTER_MS));
    else if (closesAtOnce(kind)) this.#close(kind === 'misconfigured' ? MENDING_PAUSE_MS : FIRST_PAUSE_MS);
    else if (tried || this.#failures >= FAILURES_IN_A_ROW) {
      this.#close(this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Nobody waited for the answer: nothing is known. */
  abandoned(): void {
    this.#onOutcome('abandoned');
    this.#trying = false;
  }

  #close(milliseconds: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, this.#clock.now().getTime() + milliseconds);
  }
}

function closesAtOnce(kind: FailureKind): boolean {
  return kind === 'misconfigured' || kind === 'rate_limited';
}
