import { beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../core/base/ids.ts';
import { createAccountFinder } from '../../../core/channels/accounts/channel-accounts.ts';
import { sendAgentReply } from '../../../core/channels/outbound/agent-reply.ts';
import { sendEmailFallbacks } from '../../../workers/deliver/email-fallback.ts';
import { createDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestPipeline } from '../../helpers/stores/open-test-pipeline.ts';

const minute = 60_000;

describe.each(testEngines)('email fallback for an unread agent reply on %s', async (engine) => {
  const environment = engine === 'postgres' ? { DATABASE_URL: await createDatabase() } : {};
  const { runtime, workspace, channel } = await openTestPipeline({ environment, kind: 'email' });
  const { database } = runtime;
  const mailing = { ...runtime, findAccount: createAccountFinder(runtime) };
  let conversationId = '';
  const reply = (content: string) =>
    sendAgentReply(mailing, {
      workspaceId: workspace.id,
      conversationId,
      content,
      authorEmail: 'jo@shop.example',
    });
  const parts = () =>
    database.kysely
      .selectFrom('outbound_part')
      .select(['channel_id', 'lane', 'author', 'content'])
      .where('conversation_id', '=', conversationId)
      .orderBy('number')
      .execute();
  const later = (ms: number) => ({ ...mailing, clock: { now: () => new Date(Date.now() + ms) } });

  beforeEach(async () => {
    const visitorId = newId('vis');
    await database.pool.query(
      `insert into visitor (id, workspace_id, channel_id, read_at, created_at) values ($1, $2, $3, now(), now())`,
      [visitorId, workspace.id, channel.id],
    );
    conversationId = newId('conv');
    await database.pool.query(
      `insert into conversation (id, workspace_id, channel, session_id, started_at, last_message_at, customer_email)
       values ($1, $2, 'widget', $3, now(), now(), 'ann@lind.example')`,
      [conversationId, workspace.id, visitorId],
    );
  });

  test('sends the reply once, after a delay, to the address of the visitor', async () => {
    expect((await reply('Here I am')).delivery).toBeNull();
    await sendEmailFallbacks(later(minute));
    expect(await parts()).toEqual([]);
    await Promise.all([sendEmailFallbacks(later(3 * minute)), sendEmailFallbacks(later(3 * minute))]);
    await sendEmailFallbacks(later(4 * minute));
    const lane = `begun:${conversationId}`;
    expect(await parts()).toEqual([
      { channel_id: channel.id, lane, author: 'agent', content: { text: 'Here I am' } },
    ]);
    await reply('And more');
    await sendEmailFallbacks(later(6 * minute));
    expect((await parts()).map((part) => part.lane)).toEqual([lane, lane]);
  });

  test('sends nothing if the visitor has read the reply or left no address', async () => {
    await reply('Seen');
    await database.pool.query(`update visitor set read_at = now() + interval '1 minute'`);
    await sendEmailFallbacks(later(3 * minute));
    expect(await parts()).toEqual([]);
    await database.pool.query(`update visitor set read_at = now() - interval '1 minute'`);
    await database.pool.query('update conversation set customer_email = null');
    await sendEmailFallbacks(later(3 * minute));
    expect(await parts()).toEqual([]);
  });
});
