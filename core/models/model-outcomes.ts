import type { ModelOutcome } from './circuit-breaker.ts';

/** A provider's model that failed and was not answered by since. */
export interface FailingModel {
  readonly model: string;
  readonly kind: ModelOutcome;
  /** Failures in a row. */
  readonly failures: number;
}

/** As many as make the circuit breaker pause a provider. */
const MAX_FAILURES = 3;

/** The outcomes of the last calls of each provider's model in this process. */
export class ModelOutcomes {
  readonly #failing = new Map<string, FailingModel>();
  readonly #called = new Set<string>();

  note(model: string, outcome: ModelOutcome): void {
    // The caller stopped waiting, or the provider refused what was asked: neither tells whether the model works.
    if (outcome === 'abandoned' || outcome === 'refused') return;
    this.#called.add(model);
    if (outcome === 'answered') this.#failing.delete(model);
    else {
      const failures = (this.#failing.get(model)?.failures ?? 0) + 1;
      this.#failing.set(model, { model, kind: outcome, failures });
    }
  }

  /** The models that were called at least once. */
  get called(): readonly string[] {
    return [...this.#called].sort();
  }

  /** The models that the circuit breaker pauses. */
  get paused(): readonly FailingModel[] {
    return [...this.#failing.values()].filter(
      ({ kind, failures }) => failures >= MAX_FAILURES || kind === 'misconfigured' || kind === 'rate_limited',
    );
  }
}
