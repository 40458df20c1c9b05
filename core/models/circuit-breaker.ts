import type { Clock } from '../base/clock.ts';
import type { FailureKind, ProviderFailure } from './provider-failure.ts';

/** `answered`, `abandoned` by the caller, or the kind of failure. */
export type ModelOutcome = FailureKind | 'answered' | 'abandoned';

/** Counts a call of a provider's model, after it. */
export type CountCalls = (model: string, outcome: ModelOutcome) => void;

/** The number of consecutive failures after which the provider is paused. */
const MAX_FAILURES = 3;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 60_000;
/** Only the operator can fix a misconfiguration, so frequent retries are useless. */
const MISCONFIGURED_PAUSE_MS = 60_000;
const MAX_RETRY_AFTER_MS = 600_000;

/**
 * Pauses a failing provider, so that visitors do not wait for it. After the pause one question tries it again: a success
 * ends the pause, a failure doubles the next one, up to 60 seconds.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #onOutcome: (outcome: ModelOutcome) => void;
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #pausedUntil = 0;
  #probing = false;

  constructor(clock: Clock, onOutcome: (outcome: ModelOutcome) => void = () => {}) {
    this.#clock = clock;
    this.#onOutcome = onOutcome;
  }

  /** Milliseconds until the provider is tried again; 0 if it may be called now. */
  get pauseMs(): number {
    return Math.max(0, this.#pausedUntil - this.#clock.now().getTime());
  }

  /**
   * Returns whether to call the provider now. If true, the caller must report the outcome with one of the three methods
   * below.
   */
  admit(): boolean {
    if (this.#pausedUntil === 0) return true;
    if (this.#probing || this.pauseMs > 0) return false;
    this.#probing = true;
    return true;
  }

  succeeded(): void {
    this.#onOutcome('answered');
    this.#failures = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#pausedUntil = 0;
    this.#probing = false;
  }

  failed({ kind, retryAfterMs }: ProviderFailure): void {
    this.#onOutcome(kind);
    const wasProbe = this.#probing;
    this.#probing = false;
    if (kind === 'refused') return;
    this.#failures += 1;
    if (retryAfterMs !== undefined) this.#pause(Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
    else if (pausesAtOnce(kind))
      this.#pause(kind === 'misconfigured' ? MISCONFIGURED_PAUSE_MS : FIRST_PAUSE_MS);
    else if (wasProbe || this.#failures >= MAX_FAILURES) {
      this.#pause(this.#pauseMs);
      this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  /** Reports that the caller stopped waiting, which says nothing about the provider. */
  abandoned(): void {
    this.#onOutcome('abandoned');
    this.#probing = false;
  }

  #pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.now().getTime() + milliseconds);
  }
}

function pausesAtOnce(kind: FailureKind): boolean {
  return kind === 'misconfigured' || kind === 'rate_limited';
}
