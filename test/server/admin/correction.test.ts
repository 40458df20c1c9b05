import { describe, expect, test } from 'vitest';
import { findJudgedAnswers } from '../../../core/answering/refit/judged-answers.ts';
import { runMaintenance } from '../../../workers/maintenance/worker.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../helpers/servers/sign-in-person.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { judgeAnswers, overConfident } from '../../helpers/stores/inbox/judge-answers.ts';

const dayMs = 24 * 3_600_000;

describe.each(testEngines)('the correction of probabilities on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const time = { at: Date.now() };
  const clock = { now: () => new Date(time.at) };
  const server = await openTestServer({
    runtime: { environment },
    alter: () => ({ clock }),
  });
  const { operate, query, makeWorkspace, runtime } = server;
  const { kysely } = runtime.database;
  const judge = (id: string, judgements: Parameters<typeof judgeAnswers>[2]) =>
    judgeAnswers(kysely, id, judgements);
  const state = async (id: string) => (await operate('GET', `/workspaces/${id}/correction`)).json();
  const fitNow = async (id: string, offer: boolean) =>
    (await operate('POST', `/workspaces/${id}/correction/fit`, { offer })).json();
  const tidy = () => runMaintenance({ ...runtime, clock }, new AbortController().signal);
  const audited = async (id: string) => {
    const rows = await kysely
      .selectFrom('audit_entry')
      .select(['action', 'actor', 'details'])
      .where('workspace_id', '=', id)
      .where('action', 'like', 'correction%')
      .orderBy('id')
      .execute();
    return rows.map(({ action, actor, details }) => [action, actor, details]);
  };

  test('maintenance offers one a week, only to the workspace whose answers were judged', async () => {
    const [shop, other] = [await makeWorkspace({ name: 'Shop' }), await makeWorkspace({ name: 'Other' })];
    await judge(shop.id, overConfident(120, clock.now()));
    await tidy();
    expect(await state(other.id)).toEqual({ in_use: null, offer: null });
    const { in_use, offer } = await state(shop.id);
    expect(in_use).toBeNull();
    expect(offer).toMatchObject({ judged: 120, answers: 120, offered_at: clock.now().toISOString() });
    expect(offer.before).toBeGreaterThan(offer.after);
    expect(offer.log_loss_after).toBeLessThan(offer.log_loss_before - 0.01);
    expect(offer.bins).toHaveLength(5);
    expect(offer.bins.reduce((sum: number, { answers }: { answers: number }) => sum + answers, 0)).toBe(120);
    time.at += 6 * dayMs;
    await tidy();
    expect((await state(shop.id)).offer.offered_at).toBe(offer.offered_at);
    time.at += dayMs;
    await tidy();
    expect((await state(shop.id)).offer.offered_at).toBe(clock.now().toISOString());
    const rows = await kysely
      .selectFrom('correction_offer')
      .select('workspace_id')
      .where('workspace_id', '=', shop.id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test('an accepted one changes probability and tier of the next answers, until it is taken back', async () => {
    const shop = await makeWorkspace({ name: 'Socks', plan: 'growth' });
    await server.addDocument(shop.id, '# Socks\n\nWe sell red socks made of wool for 12 pounds.');
    const ask = async () => (await query(shop.key, { query: 'Are there things for cold feet?' })).json();
    const before = await ask();
    const path = `/workspaces/${shop.id}`;
    const limit = Math.floor(before.probability * 100) / 100;
    await operate('PATCH', path, { settings: { answer_from: limit, maybe_from: 0.05 } });
    expect((await ask()).tier).toBe('answer');
    await judge(shop.id, overConfident(400, clock.now()));
    expect(await fitNow(shop.id, true)).toMatchObject({ offered: true, fit: { is_better: true } });
    const { offer } = await state(shop.id);
    expect(offer.moves.every(({ from, to }: { from: string; to: string }) => from !== to)).toBe(true);
    expect((await ask()).probability).toBe(before.probability);
    const used = await operate('PUT', `${path}/correction`, { offered_at: offer.offered_at });
    const { slope, offset } = offer;
    expect(used.json()).toEqual({
      in_use: { slope, offset, judged: 400, since: clock.now().toISOString() },
      offer: null,
    });
    const after = await ask();
    const odds = slope * Math.log(before.probability / (1 - before.probability)) + offset;
    expect(after.probability).toBeCloseTo(1 / (1 + Math.exp(-odds)), 3);
    expect([after.probability < limit, after.tier]).toEqual([true, 'maybe']);
    const stored = await operate(
      'GET',
      `${path}/conversations/${after.conversation_id}/messages/${after.message_id}/decision`,
    );
    expect(stored.json().decision.correction).toEqual({
      ...{ slope, offset },
      probability: expect.closeTo(before.probability, 3),
    });
    expect((await operate('DELETE', `${path}/correction`)).json()).toEqual({ in_use: null, offer: null });
    expect((await ask()).probability).toBe(before.probability);
    expect(await audited(shop.id)).toEqual([
      ['correction_used', 'operator', { judged: 400 }],
      ['correction_removed', 'operator', { judged: 400 }],
    ]);
    await operate('DELETE', `${path}/correction`);
    expect(await audited(shop.id)).toHaveLength(2);
  });

  test('the histogram and the next fit start from probabilities before a correction', async () => {
    const shop = await makeWorkspace({ name: 'Shares' });
    const at = clock.now();
    await judge(shop.id, [
      { probability: 0.72, verdict: 'up', at },
      { probability: 0.42, shipped: 0.72, verdict: 'down', at },
    ]);
    const judged = await findJudgedAnswers(kysely, shop.id, at);
    expect(judged.map(({ probability }) => probability)).toEqual([
      expect.closeTo(0.72, 3),
      expect.closeTo(0.72, 3),
    ]);
    const bins = async () =>
      (await operate('GET', `/workspaces/${shop.id}/answer_probabilities`))
        .json()
        .bins.flatMap((count: number, bin: number) => (count > 0 ? [[bin, count]] : []));
    expect(await bins()).toEqual([
      [8, 1],
      [14, 1],
    ]);
    await judge(shop.id, overConfident(400, new Date(at.getTime() - 40 * dayMs)));
    await fitNow(shop.id, true);
    const { offer } = await state(shop.id);
    await operate('PUT', `/workspaces/${shop.id}/correction`, { offered_at: offer.offered_at });
    const [[bin, count], ...others] = await bins();
    expect([others, count]).toEqual([[], 2]);
    expect(bin).toBeLessThan(14);
  });

  test('a declined one is gone for four weeks, and neither can be chosen twice', async () => {
    const shop = await makeWorkspace({ name: 'Later', plan: 'growth' });
    await judge(shop.id, overConfident(120, clock.now()));
    await fitNow(shop.id, true);
    const chosen = { offered_at: (await state(shop.id)).offer.offered_at };
    const stale = { offered_at: new Date(time.at - 1).toISOString() };
    const decline = (body: object) => operate('POST', `/workspaces/${shop.id}/correction/decline`, body);
    expect((await decline(stale)).json()).toMatchObject({ code: 'correction_offer_not_found' });
    expect((await decline(chosen)).json()).toEqual({ in_use: null, offer: null });
    expect((await decline(chosen)).statusCode).toBe(404);
    const use = await operate('PUT', `/workspaces/${shop.id}/correction`, chosen);
    expect([use.statusCode, use.json().code]).toEqual([404, 'correction_offer_not_found']);
    expect(await audited(shop.id)).toEqual([['correction_declined', 'operator', { judged: 120 }]]);
    time.at += 27 * dayMs;
    await tidy();
    expect((await state(shop.id)).offer).toBeNull();
    time.at += dayMs;
    await tidy();
    expect((await state(shop.id)).offer).not.toBeNull();
  });

  test('a fit that is asked for stores nothing, and says so if there is too little', async () => {
    const shop = await makeWorkspace({ name: 'Dry' });
    expect(await fitNow(shop.id, true)).toEqual({ fit: null, offered: false });
    await judge(shop.id, overConfident(120, clock.now()));
    expect(await fitNow(shop.id, false)).toMatchObject({ fit: { judged: 120 }, offered: false });
    expect((await state(shop.id)).offer).toBeNull();
  });

  test('ratings and a wish for a person count, of quoted answers of 90 days, once for a visitor', async () => {
    const shop = await makeWorkspace({ name: 'Judged' });
    const at = clock.now();
    const same = { probability: 0.5, at, text: 'The same.', sessionId: 'vis_1' };
    await judge(shop.id, [
      { probability: 0.9, verdict: 'up', at },
      { probability: 0.8, verdict: 'down', at },
      { probability: 0.7, verdict: 'asked for a person', at },
      { probability: 0.6, verdict: null, at },
      { probability: 0.4, verdict: 'up', at, isQuoted: false },
      { probability: 0.3, verdict: 'up', at: new Date(at.getTime() - 91 * dayMs) },
      ...Array.from({ length: 100 }, () => ({ ...same, verdict: 'down' as const })),
    ]);
    const judged = await findJudgedAnswers(kysely, shop.id, at);
    const shown = judged
      .filter(({ visitor }) => visitor !== 'vis_1')
      .map(({ probability, helped }) => [Number(probability.toFixed(2)), helped]);
    expect(shown.sort().reverse()).toEqual([
      [0.9, true],
      [0.8, false],
      [0.7, false],
    ]);
    await judge(shop.id, overConfident(60, at));
    expect((await fitNow(shop.id, false)).fit.judged).toBe(64);
  });

  test('a person who may only read sees the offer and cannot choose', async () => {
    const shop = await makeWorkspace({ name: 'Rights' });
    await judge(shop.id, overConfident(120, clock.now()));
    await fitNow(shop.id, true);
    const { offer } = await state(shop.id);
    const email = `vic-${engine}@acme.example`;
    const vic = await signInPerson(server, { email, role: 'viewer', ownerId: shop.owner });
    const path = `/admin/v1/workspaces/${shop.id}/correction`;
    expect((await vic.call('GET', path)).json().offer).toEqual(offer);
    const body = { offered_at: offer.offered_at };
    for (const [method, below, payload] of [
      ['PUT', '', body],
      ['DELETE', '', undefined],
      ['POST', '/decline', body],
      ['POST', '/fit', {}],
    ] as const) {
      expect((await vic.call(method, `${path}${below}`, payload)).json()).toMatchObject({
        code: 'permission_denied',
      });
    }
    expect((await state(shop.id)).offer).toEqual(offer);
  });
});
