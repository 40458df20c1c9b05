import { Counter, type Registry } from 'prom-client';

/** Metrics about the runs of sources of one process, by kind of source. */
export class SourceMetrics {
  readonly #runs: Counter<'kind' | 'state'>;
  readonly #items: Counter<'kind' | 'outcome'>;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#runs = new Counter({
      name: 'source_runs_total',
      help: 'Ended runs of sources. A run that was cancelled is not counted.',
      labelNames: ['kind', 'state'],
      registers,
    });
    this.#items = new Counter({
      name: 'source_items_total',
      help: 'Items of ended runs by what became of them.',
      labelNames: ['kind', 'outcome'],
      registers,
    });
  }

  /** `counts` are those of the whole run. */
  ended(
    { kind, state }: { readonly kind: string; readonly state: 'finished' | 'failed' },
    counts: Readonly<Record<string, number>>,
  ): void {
    this.#runs.inc({ kind, state });
    for (const [outcome, count] of Object.entries(counts)) {
      if (count > 0) this.#items.inc({ kind, outcome }, count);
    }
  }
}
