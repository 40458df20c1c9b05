import { describe, expect, test } from 'vitest';
import { verifyReport, writeReportFile } from '../../../../core/insights/report/verify-report.ts';
import { rollUpInsights } from '../../../../core/insights/roll-up.ts';
import { throwDice } from '../../../helpers/day/dice.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';
import { fillHistory } from '../../../helpers/stores/insights/fill-history.ts';

const day = 24 * 3_600_000;
const now = new Date();
const server = await openTestServer();
const { operate, makeWorkspace, runtime } = server;
const database = runtime.database.kysely;
const workspace = await makeWorkspace();
await fillHistory(database, {
  ...{ workspaceId: workspace.id, conversations: 150, days: 70 },
  before: new Date(now.getTime() - 2 * 3_600_000),
});
await database.transaction().execute((transaction) => rollUpInsights({ transaction, now }, () => 'message'));

const path = `/workspaces/${workspace.id}/insights`;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const range = `from=${dayOf(now.getTime() - 80 * day)}&to=${dayOf(now.getTime())}`;
const get = async (query: string) => (await operate('GET', `${path}${query}`)).json();

describe('the panels of the insights', () => {
  test('count within a range that each of them names', async () => {
    const { range: counted, ended, open, ...outcomes } = await get(`/outcomes?${range}`);
    expect(counted).toMatchObject({ time_zone: 'UTC', to: dayOf(now.getTime()) });
    const { confirmed, assumed, handed_over: handedOver, unanswered, left } = outcomes;
    expect(confirmed + assumed + handedOver + unanswered + left).toBe(ended);
    expect(ended + open).toBeGreaterThanOrEqual(150);
    expect((await get('')).since).not.toBeNull();
    const { asked, answered_share: share } = await get(`/questions?${range}`);
    expect(asked).toBeGreaterThan(150);
    expect(share.low).toBeLessThan(share.share);
    for (const panel of [
      'people',
      'satisfaction',
      'cost',
      'documents',
      'breakdown?by=hour&',
      'breakdown?by=audience&',
    ]) {
      const { statusCode } = await operate(
        'GET',
        `${path}/${panel}${panel.includes('?') ? '' : '?'}${range}`,
      );
      expect([panel, statusCode]).toEqual([panel, 200]);
    }
  });

  test('give no share of fewer than 30 questions', async () => {
    const { asked, answered_share: share } = await get(`/questions?${range}&channel=unheard`);
    expect([asked, share]).toEqual([0, null]);
  });

  test('list the conversations behind a number, page by page', async () => {
    const { handed_over: count } = await get(`/outcomes?${range}`);
    const first = await get(`/conversations?counts=ended&outcome=handed_over&limit=5&${range}`);
    expect(first.conversations[0]).toMatchObject({ outcome: 'handed_over', customer: expect.any(String) });
    let found = first.conversations.length;
    let cursor = first.pagination.next_cursor;
    while (cursor !== null) {
      const next = await get(
        `/conversations?counts=ended&outcome=handed_over&limit=5&${range}&cursor=${cursor}`,
      );
      found += next.conversations.length;
      cursor = next.pagination.next_cursor;
    }
    expect(found).toBe(count);
  });

  test('are exported as CSV', async () => {
    const response = await operate('GET', `${path}.csv?panel=outcomes&${range}`);
    expect(response.headers['content-type']).toContain('text/csv');
    expect(response.body.split('\r\n')[0]).toBe('"outcome","conversations"');
    const panels = ['questions', 'channel', 'documents', 'people', 'satisfaction', 'cost'];
    for (const panel of panels) {
      expect((await operate('GET', `${path}.csv?panel=${panel}&${range}`)).statusCode).toBe(200);
    }
  });

  test('422: a range that ends before it begins, or of more than a year', async () => {
    for (const wrong of ['from=2026-03-02&to=2026-03-01', 'from=2024-01-01&to=2026-03-01']) {
      expect((await get(`/outcomes?${wrong}`)).code).toBe('invalid_range');
    }
  });

  test('404: for people of another owner; an operator sees numbers, and no conversation', async () => {
    const other = await makeWorkspace();
    const signIn = (role: 'viewer' | 'owner', ownerId: string) =>
      signInPerson(server, { email: `${role}@${ownerId.slice(-4)}.example`, role, ownerId });
    const stranger = await signIn('owner', other.owner);
    expect((await stranger.call('GET', `/admin/v1${path}/outcomes`)).statusCode).toBe(404);
    const viewer = await signIn('viewer', workspace.owner);
    expect((await viewer.call('GET', `/admin/v1${path}/outcomes`)).statusCode).toBe(200);
    expect((await viewer.call('GET', `/admin/v1${path}/reports/2026-01`)).statusCode).toBe(403);
  });
});

describe('the signed file of a month', async () => {
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 15));
  const month = dayOf(last.getTime()).slice(0, 7);
  const { body } = await operate('GET', `${path}/reports/${month}`);
  const { public_key: key } = (await server.app.inject('/.well-known/parley-report-key.json')).json();
  const { report, signature } = JSON.parse(body);

  test('holds what happened, and is verified with the published key', async () => {
    expect(verifyReport(body, key)).toEqual([]);
    expect(report).toMatchObject({ format: 'parley-report-v1', workspace: workspace.id, month });
    expect(report.conversations).toBeGreaterThan(20);
    expect(report.disclosure.not_disclosed).toBe(report.disclosure.answered);
    expect(report.calibration.judged).toBeGreaterThan(0);
    expect(report.calibration.error).toBeGreaterThan(0);
    const again = await operate('GET', `${path}/reports/${month}`);
    expect(verifyReport(again.body, key)).toEqual([]);
  });

  test('names the addresses that data goes to', async () => {
    await operate('POST', `/workspaces/${workspace.id}/webhooks`, {
      ...{ url: 'https://hooks.example/in', events: ['*'] },
    });
    const file = JSON.parse((await operate('GET', `${path}/reports/${month}`)).body);
    expect(file.report.addresses).toEqual([{ kind: 'host', address: 'hooks.example', purpose: 'webhook' }]);
  });

  test('is refused in 50 ways to tamper with it', async () => {
    const leaves = listLeaves({ report, signature });
    const dice = throwDice(50);
    const changed = leaves.map((path) => changeLeaf({ report, signature }, path, dice.below(90)));
    const other = await openTestServer();
    const foreign = (await other.app.inject('/.well-known/parley-report-key.json')).json().public_key;
    const tampered = [
      ...changed.map(writeReportFile),
      writeReportFile({ report: { ...report, note: 'all is well' }, signature }),
      writeReportFile({ report, signature: { ...signature, public_key: foreign } }),
      writeReportFile({ report, signature, more: true }),
      writeReportFile({ signature, report }),
      writeReportFile({ report }),
      JSON.stringify({ report, signature }),
      body.replace('"conversations"', '"conversations": 999999,\n    "conversations"'),
      body.slice(0, -1),
      `${body} `,
      body.slice(0, 500),
      '',
      'null',
      '[]',
    ];
    expect(tampered.length).toBeGreaterThanOrEqual(50);
    expect(tampered.filter((text) => verifyReport(text, key).length === 0)).toEqual([]);
    expect(verifyReport(body, foreign)).toEqual(['The file was signed with another key.']);
  });

  test('422: a month that is not over', async () => {
    const current = await get(`/reports/${dayOf(now.getTime()).slice(0, 7)}`);
    expect([current.code, (await get('/reports/2026-13')).code]).toEqual(['invalid_month', 'invalid_month']);
  });
});

type Place = readonly (string | number)[];

function listLeaves(value: unknown, at: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, inner]) => listLeaves(inner, [...at, name]));
}

function changeLeaf(value: unknown, [name, ...rest]: Place, by: number): unknown {
  if (name !== undefined && Array.isArray(value)) {
    return value.map((inner, index) => (String(index) === name ? changeLeaf(inner, rest, by) : inner));
  }
  if (name !== undefined && typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [
      key,
      key === name ? changeLeaf(inner, rest, by) : inner,
    ]);
    return Object.fromEntries(entries);
  }
  if (typeof value === 'number') return value + 1 + by;
  if (typeof value === 'boolean') return !value;
  return value === null ? 0.5 : `${String(value)}x`;
}
