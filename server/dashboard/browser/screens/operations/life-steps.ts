import type { MessageLife } from './operations-queries.ts';

/** One step on the way of a message. */
export interface Step {
  /** A name of the catalogue, or the status of a part. */
  readonly name: string;
  readonly at: string | null;
  /** How long the step before it lasted; null for the first, and without a time. */
  readonly afterMs: number | null;
  readonly part: number | null;
  readonly attempts: number;
  readonly failure: string | null;
  readonly tone: 'ok' | 'starting' | 'degraded' | 'failed';
}

type Bare = Omit<Step, 'afterMs'>;

const plain = { part: null, attempts: 0, failure: null, tone: 'ok' } as const;
const lost = ['failed', 'dead', 'withheld'];
const reported = ['delivered', 'read', 'failed', 'dead', 'withheld'];

/** Puts the events, the answer and the parts of a message in order, with the waits between them. */
export function listSteps({ events, message, parts }: MessageLife): readonly Step[] {
  const arrived = events.flatMap((event): readonly Bare[] => {
    const { attempts, failure } = event;
    const waited = Date.parse(event.due_at) > Date.parse(event.received_at);
    return [
      { ...plain, name: 'received', at: event.received_at },
      ...(waited ? [{ ...plain, name: 'due', at: event.due_at }] : []),
      ...(failure !== null && event.handled_at === null
        ? [{ ...plain, name: 'failed', at: null, attempts, failure, tone: 'failed' as const }]
        : []),
      ...(event.handled_at !== null && message === null
        ? [{ ...plain, name: 'handled', at: event.handled_at, attempts }]
        : []),
    ];
  });
  const answered: readonly Bare[] =
    message === null ? [] : [{ ...plain, name: 'answered', at: message.created_at }];
  const left = parts.flatMap((part): readonly Bare[] => {
    const { status, attempts, failure } = part;
    const own = { part: part.part, attempts: 0, failure: null, tone: 'ok' as const };
    const last: Bare = {
      ...{ name: status, part: part.part, attempts, failure },
      at: status === 'sent' ? part.sent_at : part.status_at,
      tone: lost.includes(status) ? 'failed' : status === 'waiting' ? 'starting' : 'ok',
    };
    return [
      { ...own, name: 'queued', at: part.queued_at },
      ...(part.sent_at !== null && reported.includes(status)
        ? [{ ...own, name: 'sent', at: part.sent_at }]
        : []),
      last,
    ];
  });
  const dated = [...arrived, ...answered, ...left];
  return dated.map((step, position) => ({ ...step, afterMs: waitBefore(dated, position) }));
}

function waitBefore(steps: readonly Bare[], position: number): number | null {
  const at = steps[position]?.at ?? null;
  const before = steps.slice(0, position).findLast((step) => step.at !== null)?.at ?? null;
  if (at === null || before === null) return null;
  return Math.max(0, Date.parse(at) - Date.parse(before));
}
