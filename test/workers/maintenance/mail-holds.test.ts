import { describe, expect, test } from 'vitest';
import { newId } from '../../../core/base/ids.ts';
import { createLog } from '../../../core/base/log.ts';
import type { Mailer } from '../../../core/channels/mailer.ts';
import type { Mail } from '../../../core/contract/facets.ts';
import { mailHolds } from '../../../workers/maintenance/mail-holds.ts';
import { SourceBench } from '../../helpers/sources/source-bench.ts';
import { openTestDatabase, testEngines } from '../../helpers/stores/databases/test-databases.ts';

describe.each(testEngines)('mails about held runs, on %s', async (engine) => {
  const database = await openTestDatabase(engine);

  async function open() {
    const bench = new SourceBench(database);
    bench.site.pageSize = 100;
    const keys = Array.from({ length: 20 }, (_, at) => `page-${at}`);
    for (const key of keys) bench.site.set(key, `Text of ${key}.`);
    const workspaceId = await bench.workspace();
    const id = await bench.create(workspaceId, { name: 'Help\ncenter' });
    await bench.run(workspaceId, id);
    await bench.index(workspaceId);
    const { owner_id: ownerId } = await database.kysely
      .selectFrom('workspace')
      .select('owner_id')
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow();
    const mails: Mail[] = [];
    const fault: { next: Awaited<ReturnType<Mailer['send']>> } = { next: null };
    const mailer: Mailer = {
      async send(mail) {
        if (fault.next === null) mails.push(mail);
        return fault.next;
      },
    };
    const dependencies = {
      ...{ database, clock: bench.dependencies.clock, log: createLog('silent') },
      config: { PUBLIC_URL: 'https://parley.example' },
      findMailer: async (workspace: string) => (workspace === workspaceId ? mailer : null),
    };
    return {
      ...{ bench, workspaceId, id, mails, fault },
      tell: (other = {}) => mailHolds({ ...dependencies, ...other }, new AbortController().signal),
      hold: async () => {
        for (const key of keys.slice(0, 15)) {
          bench.site.troubles.set(key, () => ({ kind: 'gone', isFinal: true }));
        }
        expect(await bench.run(workspaceId, id)).toMatchObject({ state: 'held' });
      },
      release: async () => {
        bench.site.troubles.clear();
        expect(await bench.run(workspaceId, id)).toMatchObject({ state: 'finished' });
      },
      async join(role: string, more: { readonly language?: string; readonly email_digest?: boolean } = {}) {
        const person = newId('per');
        const email = `${person}@acme.example`;
        await database.kysely
          .insertInto('person')
          .values({ id: person, email, name: 'Ann', ...more })
          .execute();
        await database.kysely
          .insertInto('membership')
          .values({
            ...{ person_id: person, owner_id: ownerId, role, created_at: new Date() },
            workspace_ids: [workspaceId],
          })
          .execute();
        return email;
      },
    };
  }

  test('go to owners who want mails, once for all runs in a row that are held', async () => {
    const bench = await open();
    const ann = await bench.join('owner');
    const bea = await bench.join('owner', { language: 'de' });
    await bench.join('owner', { email_digest: false });
    await bench.join('agent');
    await bench.tell();
    expect(bench.mails).toEqual([]);
    await bench.hold();
    await bench.tell();
    await bench.hold();
    await bench.tell();
    expect(bench.mails.map(({ to }) => to).toSorted()).toEqual([ann, bea].toSorted());
    const english = bench.mails.find(({ to }) => to === ann);
    expect(english?.subject).toBe('Help center in Test waits for you');
    expect(english?.text).toContain('would remove 15 documents, replace 0, and keep 5');
    expect(english?.text).toContain(
      `https://parley.example/dashboard/w/${bench.workspaceId}/knowledge/sources/${bench.id}`,
    );
    expect(bench.mails.find(({ to }) => to === bea)?.subject).toBe('Help center in Test wartet auf Sie');
  });

  test('come again for a new hold', async () => {
    const bench = await open();
    await bench.join('owner');
    await bench.hold();
    await bench.tell();
    await bench.release();
    await bench.hold();
    await bench.tell();
    expect(bench.mails).toHaveLength(2);
  });

  test('are not sent for a hold that has ended before, and not without PUBLIC_URL', async () => {
    const bench = await open();
    await bench.join('owner');
    await bench.hold();
    await bench.tell({ config: {} });
    await bench.release();
    await bench.tell();
    expect(bench.mails).toEqual([]);
  });

  test('are tried again if the server was away, and not if it refused them', async () => {
    const bench = await open();
    await bench.join('owner');
    await bench.hold();
    bench.fault.next = { words: '451 Try again later', isPassing: true };
    await bench.tell();
    bench.fault.next = null;
    await bench.tell();
    await bench.tell();
    expect(bench.mails).toHaveLength(1);
    const refused = await open();
    await refused.join('owner');
    await refused.hold();
    refused.fault.next = { words: '550 No such mailbox', isPassing: false };
    await refused.tell();
    refused.fault.next = null;
    await refused.tell();
    expect(refused.mails).toEqual([]);
  });
});
