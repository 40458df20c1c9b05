import { duties } from './duties.ts';
import { dutyAdvice, installationParts } from './part-facts.ts';

/** A rule as Prometheus reads it. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: 'critical' | 'warning' };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}

interface Condition {
  readonly name: string;
  readonly expr: string;
  readonly lasting: string;
  readonly severity: AlertRule['labels']['severity'];
  readonly summary: string;
  readonly advice: string;
}

/** Workers whose absence visitors notice within minutes. */
const urgentDuties = new Set(['answer', 'deliver', 'listeners']);

/** A part that has just been started counts as not up for its first minute. */
const PART_LASTING = '2m';

const partConditions: readonly Condition[] = [
  ...duties.map(({ kind, promise, without }) => ({
    ...partCondition(kind),
    severity: urgentDuties.has(kind) ? ('critical' as const) : ('warning' as const),
    summary: `The duty “${kind}” is not done in time: ${without}`,
    advice: `Promise: ${promise}. ${dutyAdvice(kind)}`,
  })),
  ...Object.values(installationParts).map(({ name, promise, advice, stateIfBroken }) => ({
    ...partCondition(name),
    severity: stateIfBroken === 'failed' ? ('critical' as const) : ('warning' as const),
    summary: `The part “${name}” does not hold what it promises`,
    advice: `Promise: ${promise}. ${advice}`,
  })),
];

/** Conditions that no part knows of. */
const otherConditions: readonly Condition[] = [
  {
    name: 'ParleyAway',
    expr: 'absent(parley_part_up)',
    lasting: '1m',
    severity: 'critical',
    summary: 'No process of Parley can be measured',
    advice: 'Check that a server runs, and that Prometheus may read its /metrics.',
  },
  {
    name: 'ParleyRequestsFail',
    expr: 'sum(rate(http_requests_total{status=~"5.."}[5m])) > 0.05 * sum(rate(http_requests_total[5m]))',
    lasting: '5m',
    severity: 'critical',
    summary: 'More than one request in twenty fails',
    advice: 'Read the log lines “request failed”: the first of each kind has the whole error.',
  },
  {
    name: 'ParleyProcessFault',
    expr: 'increase(parley_process_faults_total[15m]) > 0',
    lasting: '0m',
    severity: 'critical',
    summary: 'A process stopped at an error that nothing handled',
    advice: 'Read its last log line, and report it: this is a fault of Parley.',
  },
  {
    name: 'ParleyMessagesUnanswerable',
    expr: changeOf('channel_unanswerable_messages'),
    lasting: '0m',
    severity: 'warning',
    summary: 'Messages have no answer after the last attempt',
    advice: 'npm run parley -- queues shows why. Retry them there when the cause is gone.',
  },
  {
    name: 'ParleyPartsDead',
    expr: changeOf('channel_dead_parts'),
    lasting: '0m',
    severity: 'warning',
    summary: 'Answers could not be sent after the last attempt',
    advice: 'npm run parley -- queues shows why. Retry them there when the cause is gone.',
  },
  {
    name: 'ParleyChannelDown',
    expr: 'max by (channel, id) (parley_channel_up) == 0',
    lasting: '10m',
    severity: 'warning',
    summary: 'A channel is not connected',
    advice: 'npm run parley -- channel check with its id names the cause and the remedy.',
  },
  {
    name: 'ParleyChannelSilent',
    expr: 'max by (channel, id) (parley_channel_stale) == 1',
    lasting: '10m',
    severity: 'warning',
    summary: 'A platform has been silent for minutes although Parley listens',
    advice: 'Look at the status page of the platform, and restart the process with the worker listeners.',
  },
  {
    name: 'ParleyLiveUpdatesLate',
    expr: 'max by (channel) (parley_notifications_age_seconds) > 25',
    lasting: '2m',
    severity: 'warning',
    summary: 'Live updates of the dashboard come late',
    advice:
      'Check the direct connection to the database: notifications do not pass a pooler of transactions.',
  },
  {
    name: 'ParleySpansLost',
    expr: 'sum(increase(parley_spans_total{outcome=~"failed|dropped"}[15m])) > 0',
    lasting: '15m',
    severity: 'warning',
    summary: 'The collector does not take all spans',
    advice: 'Check OTEL_EXPORTER_OTLP_ENDPOINT. Answers do not wait for spans.',
  },
];

/** The rules for every part of the installation and for what no part knows of. `docs` is the address of `/docs/guide`. Pure. */
export function listAlertRules(docs: string): readonly AlertRule[] {
  return [...partConditions, ...otherConditions].map((condition) => ({
    alert: condition.name,
    expr: condition.expr,
    for: condition.lasting,
    labels: { severity: condition.severity },
    annotations: {
      summary: `${condition.summary}.`,
      description: condition.advice,
      runbook_url: `${docs}/runbook#${condition.name.toLowerCase()}`,
    },
  }));
}

/** One process that sees the fault is enough: most parts are the same in all of them. */
function partCondition(part: string) {
  const name = `Parley${part.charAt(0).toUpperCase()}${part.slice(1)}`;
  return { name, expr: `min by (part) (parley_part_up{part="${part}"}) == 0`, lasting: PART_LASTING };
}

/** Each process reports the same number, and it stays until somebody retries or drops what failed. */
function changeOf(gauge: string): string {
  return `max by (channel) (${gauge}) - max by (channel) (${gauge} offset 15m) > 0`;
}
