import { describe, expect, test, vi } from 'vitest';
import { findConnector } from '../../../connectors/registry.ts';
import { newId } from '../../../core/base/ids.ts';
import { createLog } from '../../../core/base/log.ts';
import type { Mailer } from '../../../core/channels/mailer.ts';
import type { Mail } from '../../../core/contract/facets.ts';
import { assignWaiting, setAvailability } from '../../../core/conversations/hand-over.ts';
import { startAction, undoAction } from '../../../core/inbox/bulk.ts';
import { runActionBatch } from '../../../core/inbox/bulk-batch.ts';
import { addNote, changeConversation, markSeen } from '../../../core/inbox/desk.ts';
import { readMentions } from '../../../core/inbox/mentions.ts';
import { Members } from '../../../core/members/members.ts';
import { type DigestDependencies, mailDigests } from '../../../workers/maintenance/mail-digests.ts';
import { testEngines } from '../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../helpers/stores/inbox/open-test-inbox.ts';

const minuteMs = 60_000;
const log = createLog('silent');

describe.each(testEngines)('digests on %s', async (engine) => {
  const { database, clock, pass, say, alter, makeWorkspace, workspaces } = await openTestInbox(engine);
  const { kysely } = database;
  const stores = {
    ...{ database: kysely, clock, log },
    findAccount: async () => null,
    queue: { add: async () => {} },
  };
  const members = new Members({ database: kysely, clock });
  const passing = { words: '451 Try again later', isPassing: true };
  const final = { words: '550 No such mailbox', isPassing: false };

  /** A workspace of two people, and its mails. */
  async function openShop(settings = {}) {
    const { id: workspaceId, owner: ownerId } = await makeWorkspace(settings);
    const join = async (name: string, role = 'agent') => {
      const id = newId('per');
      const email = `${id}@acme.example`;
      await kysely.insertInto('person').values({ id, email, name }).execute();
      await kysely
        .insertInto('membership')
        .values({
          ...{ person_id: id, owner_id: ownerId, role, created_at: clock.now() },
          workspace_ids: [workspaceId],
        })
        .execute();
      return { workspaceId, ownerId, name, personId: id, email };
    };
    const [ann, ben] = [await join('Ann Reid'), await join('Ben Okafor')];
    const mails: Mail[] = [];
    const mailer: Mailer = {
      async send(mail) {
        mails.push(mail);
        return null;
      },
    };
    const dependencies: DigestDependencies = {
      ...{ database, clock, log },
      config: { PUBLIC_URL: 'https://parley.example' },
      connectors: { findConnector },
      findMailer: async (id) => (id === workspaceId ? mailer : null),
    };
    const ask = () =>
      say({
        workspaceId,
        channel: 'widget',
        customer: { name: 'Kim Lee', email: null, emailVerified: false, phone: null },
      });
    return {
      ...{ workspaceId, ann, ben, join, ask, mails, mailer, dependencies },
      tell: (other: Partial<DigestDependencies> = {}) =>
        mailDigests({ ...dependencies, ...other }, new AbortController().signal),
      mention: (id: string, person = ben) =>
        addNote(stores, ann, id, { content: 'Please look, the PIN is 4711', mentions: [person.personId] }),
      assign: (id: string, person: typeof ben | null = ben, by = ann) =>
        changeConversation(stores, by, id, { assigneeId: person?.personId ?? null }),
    };
  }
  /** With one conversation that is due: it was assigned to Ben eleven minutes ago. */
  async function openDueShop() {
    const shop = await openShop();
    const id = await shop.ask();
    await shop.assign(id);
    pass(11 * minuteMs);
    return { ...shop, id };
  }

  test('tell everything that a person has not seen for ten minutes in one mail, without contents', async () => {
    const { ask, mention, assign, tell, mails, ben, workspaceId } = await openShop();
    const [noted, assigned] = [await ask(), await ask()];
    await mention(noted);
    pass(1);
    await assign(assigned);
    pass(10 * minuteMs - 2);
    await tell();
    expect(mails).toEqual([]);
    pass(2);
    await tell();
    const inbox = `https://parley.example/dashboard/w/${workspaceId}/inbox`;
    expect(mails).toEqual([
      {
        to: ben.email,
        subject: '2 conversations wait for you in Test',
        text: [
          '2 conversations wait for you in Test',
          `Ann Reid mentioned you in a note: Kim Lee (Website widget)\n${inbox}/${noted}`,
          `Ann Reid assigned you a conversation: Kim Lee (Website widget)\n${inbox}/${assigned}`,
          'Switch these mails off: https://parley.example/dashboard/me',
        ].join('\n\n'),
      },
    ]);
  });

  test('are written in the language of the person, and name the rule’s assignments as such', async () => {
    const { ask, tell, mails, ben, workspaceId } = await openShop({
      handover: { assignment: 'round_robin' },
    });
    await kysely.updateTable('person').set({ language: 'de' }).where('id', '=', ben.personId).execute();
    const id = await ask();
    await alter(id, { handover_since: clock.now(), unanswered_since: clock.now(), status: 'escalated' });
    await setAvailability(stores, ben, true);
    pass(11 * minuteMs);
    await kysely.transaction().execute((transaction) => assignWaiting({ transaction, now: clock.now() }));
    await tell();
    expect(mails).toMatchObject([{ to: ben.email, subject: '1 Gespräch wartet auf Sie in Test' }]);
    expect(mails[0]?.text.split('\n')).toEqual([
      '1 Gespräch wartet auf Sie in Test',
      '',
      'Ein Gespräch wurde Ihnen zugewiesen: Kim Lee (Website-Widget)',
      `https://parley.example/dashboard/w/${workspaceId}/inbox/${id}`,
      '',
      'Diese E-Mails abschalten: https://parley.example/dashboard/me',
    ]);
  });

  test('leave out what the person has read, answered or done themselves', async () => {
    const { ask, mention, assign, tell, mails, ben, ann } = await openShop();
    const read = await ask();
    await mention(read);
    await readMentions(stores, { ...ben, conversationId: read });
    const seen = await ask();
    await assign(seen);
    pass(1);
    await markSeen(stores, ben, seen, { back: false });
    await assign(await ask(), ben, ben);
    const returned = await ask();
    await assign(returned);
    await assign(returned, null);
    const resolved = await ask();
    await mention(resolved);
    await assign(resolved);
    await changeConversation(stores, ann, resolved, { status: 'resolved' });
    const snoozed = await ask();
    await assign(snoozed);
    const snoozeUntil = new Date(clock.now().getTime() + 1e9);
    await changeConversation(stores, ann, snoozed, { status: 'snoozed', snoozeUntil });
    const deleted = await ask();
    await mention(deleted);
    await kysely.deleteFrom('conversation').where('id', '=', deleted).execute();
    pass(20 * minuteMs);
    await tell();
    expect(mails).toEqual([]);
  });

  test('tell an assignment after the conversation was seen, and who assigned it last', async () => {
    const { ask, assign, tell, mails, ben, join } = await openShop();
    const id = await ask();
    await markSeen(stores, ben, id, { back: false });
    await assign(id, ben, ben);
    pass(1);
    await assign(id, null);
    await assign(id, ben, await join('Cem'));
    pass(11 * minuteMs);
    await tell();
    expect(mails.map(({ text }) => text.split('\n')[2])).toEqual([
      'Cem assigned you a conversation: Kim Lee (Website widget)',
    ]);
  });

  test('tell that a visitor opened a conversation of the person again, until they have seen it', async () => {
    const { ask, assign, tell, mails, ben, workspaceId } = await openShop();
    const id = await ask();
    await assign(id);
    const resolve = () => changeConversation(stores, ben, id, { status: 'resolved' });
    const goOn = () => say({ workspaceId, conversationId: id });
    await markSeen(stores, ben, id, { back: false });
    await resolve();
    pass(minuteMs);
    await goOn();
    pass(9 * minuteMs);
    await tell();
    expect(mails).toEqual([]);
    pass(2 * minuteMs);
    await tell();
    expect(mails).toMatchObject([{ to: ben.email }]);
    expect(mails[0]?.text).toContain('A conversation of yours goes on after its end: Kim Lee');
    await resolve();
    await goOn();
    await markSeen(stores, ben, id, { back: false });
    pass(31 * minuteMs);
    await tell();
    expect(mails).toHaveLength(1);
  });

  test('count a change of many as one of the person who made it, and an undone one not at all', async () => {
    const { ask, tell, mails, ann, ben, workspaceId } = await openShop();
    const assignAll = async (by: typeof ann) => {
      const reader = {
        workspaceId,
        personId: by.personId,
        isInInbox: true,
        policy: undefined,
        now: clock.now(),
        today: clock.now(),
      };
      const change = { assignee_id: ben.personId };
      const { id } = await startAction(stores, by, { reader, change, range: { ids: [await ask()] } });
      while (await runActionBatch(stores, id));
      return id;
    };
    await assignAll(ben);
    const id = await assignAll(ann);
    await undoAction(stores, { workspaceId, id });
    while (await runActionBatch(stores, id));
    pass(11 * minuteMs);
    await tell();
    expect(mails).toEqual([]);
    await assignAll(ann);
    pass(11 * minuteMs);
    await tell();
    expect(mails[0]?.text).toContain('Ann Reid assigned you a conversation');
  });

  test('go to nobody who switched them off, left, or lost the workspace', async () => {
    const { ask, assign, tell, mails, join, ben } = await openShop();
    const people = [await join('Cem'), await join('Dora'), await join('Eva')] as const;
    for (const person of people) await assign(await ask(), person);
    await assign(await ask());
    pass(11 * minuteMs);
    const [off, left, elsewhere] = people;
    await members.updateProfile(off.personId, { emailDigest: false });
    await kysely.deleteFrom('membership').where('person_id', '=', left.personId).execute();
    await kysely
      .updateTable('membership')
      .set({ workspace_ids: ['ws_other'] })
      .where('person_id', '=', elsewhere.personId)
      .execute();
    await tell();
    expect(mails.map(({ to }) => to)).toEqual([ben.email]);
    const gone = await openDueShop();
    await kysely.deleteFrom('person').where('id', '=', gone.ben.personId).execute();
    await gone.tell();
    const closed = await openDueShop();
    await workspaces.delete(closed.workspaceId);
    await closed.tell();
    expect([...gone.mails, ...closed.mails]).toEqual([]);
  });

  test('are sent once by two workers at the same time, and only the news again after half an hour', async () => {
    const { ask, assign, tell, mails } = await openDueShop();
    await Promise.all([tell(), tell(), tell()]);
    expect(mails).toHaveLength(1);
    const second = await ask();
    await assign(second);
    pass(29 * minuteMs);
    await tell();
    expect(mails).toHaveLength(1);
    pass(minuteMs);
    await tell();
    await tell();
    expect(mails).toHaveLength(2);
    expect(mails[1]).toMatchObject({ subject: '1 conversation waits for you in Test' });
    expect(mails[1]?.text).toContain(second);
    pass(60 * minuteMs);
    await tell();
    expect(mails).toHaveLength(2);
  });

  test('that a dying process had claimed are not sent by another one', async () => {
    const { tell, mails } = await openDueShop();
    const { promise: claimed, resolve: claim } = Promise.withResolvers<void>();
    const send = () => {
      claim();
      return new Promise<null>(() => {});
    };
    void tell({ findMailer: async () => ({ send }) });
    await claimed;
    await tell();
    pass(60 * minuteMs);
    await tell();
    expect(mails).toEqual([]);
  });

  test('that a server cannot take now are tried again, with what is unread by then', async () => {
    const { tell, mails, mailer, ask, assign, ben, id } = await openDueShop();
    const send = vi.spyOn(mailer, 'send').mockResolvedValueOnce(passing).mockResolvedValueOnce(passing);
    const tries: number[] = [];
    for (let minute = 0; minute < 20; minute += 1) {
      if (minute === 7) await assign(await ask());
      if (minute === 8) await markSeen(stores, ben, id, { back: false });
      if (minute === 14) await assign(await ask());
      await tell();
      if (tries.length < send.mock.calls.length) tries.push(minute);
      pass(minuteMs);
    }
    // The first is seen by then, the third too recent.
    expect(tries).toEqual([0, 5, 17]);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.subject).toBe('1 conversation waits for you in Test');
    pass(40 * minuteMs);
    await tell();
    expect(mails).toHaveLength(2);
  });

  test('are given up after five tries, and at once if the server refuses them for good', async () => {
    const { tell, mailer } = await openDueShop();
    const send = vi.spyOn(mailer, 'send').mockResolvedValue(passing);
    for (let minute = 0; minute < 120; minute += 1) {
      await tell();
      pass(minuteMs);
    }
    expect(send).toHaveBeenCalledTimes(5);
    const other = await openDueShop();
    const sendOther = vi.spyOn(other.mailer, 'send').mockResolvedValue(final);
    for (let minute = 0; minute < 60; minute += 1) {
      await other.tell();
      pass(minuteMs);
    }
    expect(sendOther).toHaveBeenCalledTimes(1);
  });

  test('ask a server that is out of order once a round, and other workspaces’ servers still', async () => {
    const { ask, assign, join, mailer, dependencies } = await openDueShop();
    for (const name of ['Cem', 'Dora']) await assign(await ask(), await join(name));
    pass(11 * minuteMs);
    const other = await openDueShop();
    const send = vi.spyOn(mailer, 'send').mockResolvedValue(passing);
    const findMailer = async (id: string) =>
      (await dependencies.findMailer(id)) ?? other.dependencies.findMailer(id);
    await other.tell({ findMailer });
    expect(send).toHaveBeenCalledTimes(1);
    expect(other.mails).toHaveLength(1);
  });

  test('wait where mail is not set up, for a day', async () => {
    const { tell, mails, workspaceId } = await openDueShop();
    await tell({ config: {} });
    await tell({ findMailer: async () => null });
    const claimed = kysely.selectFrom('mail_digest').selectAll().where('workspace_id', '=', workspaceId);
    expect(await claimed.execute()).toEqual([]);
    pass(22 * 60 * minuteMs);
    await tell();
    expect(mails).toHaveLength(1);
    const late = await openDueShop();
    pass(24 * 60 * minuteMs);
    await late.tell();
    expect(late.mails).toEqual([]);
  });

  test('show twenty lines and the number of the others, and names on one line each', async () => {
    const { ask, assign, tell, mails, workspaceId } = await openShop();
    await kysely
      .updateTable('workspace')
      .set({ name: 'Acme\r\nBcc: eve@evil.example' })
      .where('id', '=', workspaceId)
      .execute();
    const ids = [];
    for (let count = 0; count < 23; count += 1) {
      const id = await ask();
      ids.push(id);
      await alter(id, { customer_name: 'Kim\n\u2028\u202ELee' });
      await assign(id);
      pass(1);
    }
    pass(11 * minuteMs);
    await tell();
    const [mail] = mails;
    expect(mail?.subject).toBe('23 conversations wait for you in Acme Bcc: eve@evil.example');
    const lines = mail?.text.split('\n\n') ?? [];
    expect(lines).toHaveLength(23);
    expect(lines[20]).toMatch(/^Ann Reid assigned you a conversation: Kim Lee \(Website widget\)\nhttps:/);
    expect(lines[20]).toContain(ids[19]);
    expect(lines[21]).toBe(`and 3 more:\nhttps://parley.example/dashboard/w/${workspaceId}/inbox`);
    await tell();
    pass(60 * minuteMs);
    await tell();
    expect(mails).toHaveLength(1);
  });
});
