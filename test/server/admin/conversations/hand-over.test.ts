import { describe, expect, test } from 'vitest';
import type { WorkspaceSettings } from '../../../../core/workspaces/workspace-settings.ts';
import { runMaintenance } from '../../../../workers/maintenance/worker.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

// Yesterday: the database stores no time that it has not reached.
let moved = -24 * 3_600_000;
const clock = { now: () => new Date(Date.now() + moved) };
const server = await openTestServer({ runtime: { clock } });
const { runtime } = server;

interface Person {
  readonly call: Awaited<ReturnType<typeof signInPerson>>['call'];
  readonly id: string;
}

async function openShop(
  name: string,
  handover: WorkspaceSettings['handover'],
  hours?: WorkspaceSettings['support_hours'],
) {
  const settings = { handover, ...(hours && { support_hours: hours }) };
  const workspace = await server.makeWorkspace({ name, plan: 'growth', settings });
  const { id, owner: ownerId, key } = workspace;
  const base = `/admin/v1/workspaces/${id}`;
  const sign = async (who: string, role: 'owner' | 'agent'): Promise<Person> => {
    const { call } = await signInPerson(server, { email: `${who}@${name}.example`, role, ownerId });
    return { call, id: (await call('GET', '/admin/v1/me')).json().person.id };
  };
  const [ann, ben] = [await sign('ann', 'owner'), await sign('ben', 'agent')];
  return {
    ...{ ann, ben, base },
    available: (person: Person, available: boolean) =>
      person.call('PUT', `${base}/availability`, { available }),
    /** As a dashboard without a stream does. */
    look: (person: Person) => person.call('GET', `${base}/conversation-counts`),
    async askForPerson() {
      const answer = await server.query(key, { query: 'I want to talk to a human please' });
      return String(answer.json().conversation_id);
    },
    async assigneeOf(conversation: string) {
      const shown = await ann.call('GET', `${base}/conversations/${conversation}`);
      return shown.json().assignee?.id ?? null;
    },
    keepHouse: () => runMaintenance(runtime, new AbortController().signal),
  };
}

const minute = 60_000;

describe('hand-over', () => {
  test('goes in turn to those who are available, in the moment a visitor asks for a person', async () => {
    const shop = await openShop('turns', { assignment: 'round_robin' });
    await shop.available(shop.ann, true);
    await shop.available(shop.ben, true);
    const asked = [await shop.askForPerson(), await shop.askForPerson(), await shop.askForPerson()];
    const assignees = [];
    for (const id of asked) assignees.push(await shop.assigneeOf(id));
    expect(new Set(assignees.slice(0, 2))).toEqual(new Set([shop.ann.id, shop.ben.id]));
    expect(assignees[2]).toBe(assignees[0]);
  });

  test('goes to whoever has least', async () => {
    const shop = await openShop('load', { assignment: 'least_busy' });
    await shop.available(shop.ann, true);
    await shop.askForPerson();
    await shop.askForPerson();
    await shop.available(shop.ben, true);
    const next = [await shop.askForPerson(), await shop.askForPerson()];
    for (const id of next) expect(await shop.assigneeOf(id)).toBe(shop.ben.id);
  });

  test('waits for somebody to be available, and then goes to them', async () => {
    const shop = await openShop('late', { assignment: 'round_robin' });
    const id = await shop.askForPerson();
    expect(await shop.assigneeOf(id)).toBeNull();
    await shop.available(shop.ben, true);
    expect(await shop.assigneeOf(id)).toBe(shop.ben.id);
  });

  test('rings nobody outside of the support hours', async () => {
    const shop = await openShop('closed', { assignment: 'round_robin' }, { time_zone: 'UTC' });
    await shop.available(shop.ann, true);
    const id = await shop.askForPerson();
    await shop.keepHouse();
    expect(await shop.assigneeOf(id)).toBeNull();
  });

  test('goes on to the next person without an answer, and to the queue if there is nobody else', async () => {
    const shop = await openShop('return', { assignment: 'round_robin', return_after_minutes: 5 });
    await shop.available(shop.ann, true);
    const id = await shop.askForPerson();
    await shop.available(shop.ben, true);
    moved += 6 * minute;
    await shop.look(shop.ben);
    await shop.keepHouse();
    expect(await shop.assigneeOf(id)).toBe(shop.ben.id);
    await shop.available(shop.ann, false);
    moved += 6 * minute;
    await shop.keepHouse();
    await shop.keepHouse();
    expect(await shop.assigneeOf(id)).toBeNull();
    const waiting = await shop.ann.call('GET', `${shop.base}/conversations?view=waiting`);
    expect(waiting.json().conversations).toMatchObject([{ id }]);
  });

  test('gives nobody more than may wait for them, and goes on as they answer', async () => {
    const shop = await openShop('capacity', { assignment: 'round_robin', capacity: 2 });
    const asked: string[] = [];
    for (let number = 0; number < 5; number += 1) asked.push(await shop.askForPerson());
    const [first = '', , third = ''] = asked;
    const assignees = () => Promise.all(asked.map((id) => shop.assigneeOf(id)));
    const ann = shop.ann.id;
    await shop.available(shop.ann, true);
    expect(await assignees()).toEqual([ann, ann, null, null, null]);
    await shop.ann.call('POST', `${shop.base}/conversations/${first}/reply`, { content: 'Hello' });
    await shop.keepHouse();
    expect(await assignees()).toEqual([ann, ann, ann, null, null]);
    expect(await shop.assigneeOf(third)).toBe(ann);
    await shop.available(shop.ben, true);
    expect(await assignees()).toEqual([ann, ann, ann, shop.ben.id, shop.ben.id]);
  });

  test('goes to nobody whose dashboard is closed, until it is open again', async () => {
    const shop = await openShop('absent', { assignment: 'round_robin' });
    await shop.available(shop.ann, true);
    moved += 3 * minute;
    const id = await shop.askForPerson();
    expect(await shop.assigneeOf(id)).toBeNull();
    const present = async () => {
      const { agents } = (await shop.ben.call('GET', `${shop.base}/agents`)).json();
      return agents.map((agent: { available: boolean; present: boolean }) => [
        agent.available,
        agent.present,
      ]);
    };
    const away = [false, false];
    expect(await present()).toEqual([[true, false], away]);
    await shop.look(shop.ben);
    expect(await shop.assigneeOf(id)).toBeNull();
    await shop.look(shop.ann);
    expect(await present()).toEqual([[true, true], away]);
    expect(await shop.assigneeOf(id)).toBe(shop.ann.id);
  });

  test('goes to each person once, then stays in the queue', async () => {
    const shop = await openShop('once', { assignment: 'round_robin', return_after_minutes: 5 });
    await shop.available(shop.ann, true);
    await shop.available(shop.ben, true);
    const id = await shop.askForPerson();
    const had = [];
    for (let round = 0; round < 4; round += 1) {
      had.push(await shop.assigneeOf(id));
      moved += 6 * minute;
      await shop.look(shop.ann);
      await shop.look(shop.ben);
      await shop.keepHouse();
    }
    expect(new Set(had.slice(0, 2))).toEqual(new Set([shop.ann.id, shop.ben.id]));
    expect(had.slice(2)).toEqual([null, null]);
  });

  test('stays with somebody who has answered', async () => {
    const shop = await openShop('answered', { assignment: 'round_robin', return_after_minutes: 5 });
    await shop.available(shop.ann, true);
    const id = await shop.askForPerson();
    await shop.ann.call('POST', `${shop.base}/conversations/${id}/reply`, { content: 'Hello' });
    await shop.available(shop.ben, true);
    moved += 60 * minute;
    await shop.keepHouse();
    expect(await shop.assigneeOf(id)).toBe(shop.ann.id);
  });

  test('takes conversations back from somebody who left', async () => {
    const shop = await openShop('left', { assignment: 'round_robin' });
    await shop.available(shop.ben, true);
    const id = await shop.askForPerson();
    await shop.available(shop.ann, true);
    await shop.ann.call('DELETE', `${shop.base}/members/${shop.ben.id}`);
    await shop.keepHouse();
    expect(await shop.assigneeOf(id)).toBe(shop.ann.id);
    const log = (await shop.ann.call('GET', `${shop.base}/conversations/${id}/audit-log`)).json().audit_log;
    expect(log[0]).toMatchObject({ action: 'assignee_changed', actor: 'handover' });
  });
});
