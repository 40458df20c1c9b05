import { sameOrigin } from '../../../helpers/servers/sign-in-person.ts';
import { attempt } from '../../attempt.ts';
import type { BenchRun } from '../../bench-run.ts';
import { type LargeInbox, openLargeInbox } from '../../fill/open-large-inbox.ts';
import { milliseconds } from '../../format.ts';
import { quantile } from '../../quantile.ts';
import { table } from '../../table.ts';

const readings = 60;
const warmUps = 5;
const mostMs = 30;

/** The calls of an inbox: its lists, and the counts of all views. */
const calls = [
  'conversation-counts',
  'conversations?view=waiting',
  'conversations?view=mine',
  'conversations?view=unread',
  'conversations?view=sla_at_risk',
  'conversations?view=snoozed',
  'conversations?view=low_confidence',
  'conversations?view=open',
  'conversations?view=open&sort=waiting',
  'conversations?view=resolved',
  'conversations?view=all',
  'conversations?tag=returns',
  'conversations?tag=vip',
  'conversations?channel=sms&channel=email',
  'conversations?priority=high&view=open',
  'conversations?customer=customer%204999',
  'conversations?q=parcel',
  'conversations?q=kiln',
  'conversations?q=nothing',
  'conversations?email=customer77@shop.example',
];

const savedViews = [
  { view: 'open', tag: ['returns'] },
  { view: 'open', priority: ['high'] },
  { status: ['escalated', 'claimed'], assignee: 'none' },
  { channel: ['email'], view: 'open' },
];

/**
 * Measures how long agents wait for lists and counts of an inbox of 50,000 conversations and 500,000 messages, over
 * HTTP.
 */
export async function inboxPart(run: BenchRun): Promise<void> {
  await attempt(run, async () => {
    const inbox = await openLargeInbox(run, 'inbox');
    try {
      await measureInbox(run, inbox);
    } finally {
      await inbox.close();
    }
  });
}

async function measureInbox(run: BenchRun, { address, workspaceId, ann }: LargeInbox): Promise<void> {
  const base = `/admin/v1/workspaces/${workspaceId}`;
  for (const filters of savedViews) {
    await ann.call('POST', `${base}/views`, { name: 'View', filters, shared: true });
  }
  const headers = { ...sameOrigin, cookie: ann.cookie };
  const rows: string[][] = [];
  for (const call of calls) {
    run.progress(`inbox: ${call}`);
    const times = await time(`${address}${base}/${call}`, headers);
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.95)];
    if (!(most <= mostMs)) run.fail(`inbox: 95 of 100 calls of ${call} should take at most ${mostMs} ms`);
    rows.push([call, milliseconds(half), milliseconds(most), milliseconds(quantile(times, 1))]);
  }
  run.print(
    table('An inbox of 50,000 conversations and 500,000 messages', ['call', 'p50', 'p95', 'slowest'], rows),
  );
}

async function time(url: string, headers: Readonly<Record<string, string>>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let reading = -warmUps; reading < readings; reading += 1) {
    const begin = performance.now();
    const answer = await fetch(url, { headers });
    await answer.text();
    if (answer.status !== 200) return [Number.POSITIVE_INFINITY];
    if (reading >= 0) times.push(performance.now() - begin);
  }
  return times;
}
