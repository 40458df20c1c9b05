import { describe, expect, test } from 'vitest';
import { newId } from '../../../core/base/ids.ts';
import { AgentPresence } from '../../../core/conversations/agent-presence.ts';
import { assignHandedOver } from '../../../core/conversations/hand-over.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

const minute = 60_000;

describe.each(testEngines)('the presence of agents on %s', async (engine) => {
  const { database, clock, pass, say, alter, time, makeWorkspace, user } = await openTestInbox(engine);
  const { kysely } = database;
  const handover = { assignment: 'round_robin', capacity: 100 };

  /** Available people of a workspace who have never opened their dashboard. */
  async function employ(workspaceId: string, count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => newId('per'));
    for (const id of ids) {
      const who = {
        id,
        name: id,
        email: `${id}@shop.example`,
        created_at: clock.now(),
        updated_at: clock.now(),
      };
      await kysely.insertInto('person').values(who).execute();
      const membership = { person_id: id, owner_id: user.ownerId, role: 'agent', created_at: clock.now() };
      await kysely.insertInto('membership').values(membership).execute();
      const agent = { workspace_id: workspaceId, person_id: id, available: true, changed_at: clock.now() };
      await kysely.insertInto('inbox_agent').values(agent).execute();
    }
    return ids;
  }

  const wait = async (workspaceId: string) => {
    const id = await say({ workspaceId });
    await alter(id, { status: 'escalated', handover_since: time.now, unanswered_since: time.now });
    return id;
  };

  test('people who come back while conversations are handed over do not wait for each other, and get what waits', async () => {
    const workspace = await makeWorkspace({ handover });
    const people = await employ(workspace.id, 6);
    const presence = new AgentPresence({ database: kysely, clock });
    const handOver = async (id: string) => {
      const target = { workspaceId: workspace.id, id, now: time.now };
      await kysely.transaction().execute((transaction) => assignHandedOver(transaction, target));
    };
    for (let round = 0; round < 8; round += 1) {
      pass(5 * minute);
      await wait(workspace.id);
      const handed = [];
      for (let count = 0; count < 4; count += 1) handed.push(await wait(workspace.id));
      const notes = people.map((personId) => presence.note({ workspaceId: workspace.id, personId }));
      await Promise.all([...notes, ...handed.map(handOver)]);
    }
    const waiting = await kysely
      .selectFrom('conversation')
      .select('id')
      .where('workspace_id', '=', workspace.id)
      .where('assignee_id', 'is', null)
      .execute();
    expect(waiting).toEqual([]);
  });
});
