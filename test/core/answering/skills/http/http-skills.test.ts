import { describe, expect, test } from 'vitest';
import { HttpSkills, type NewHttpSkill } from '../../../../../core/answering/skills/http/http-skills.ts';
import { SecretBox } from '../../../../../core/secrets/secret-box.ts';
import {
  openWebhookReceiver,
  verifiedMessage,
} from '../../../../helpers/servers/network/webhook-receiver.ts';
import { testEngines } from '../../../../helpers/stores/databases/test-databases.ts';
import { openTestInbox } from '../../../../helpers/stores/inbox/open-test-inbox.ts';

const receiver = await openWebhookReceiver();

describe.each(testEngines)('the HTTP skills of a workspace on %s', async (engine) => {
  const { database, clock, makeWorkspace, workspaces, pass } = await openTestInbox(engine);
  const secretBox = new SecretBox(Buffer.alloc(32));
  const skills = new HttpSkills({
    database: database.kysely,
    clock,
    secretBox,
    log: { warn: () => {} },
    allowPrivate: true,
  });
  const fields: NewHttpSkill = {
    name: 'order_status',
    description: 'Looks up where an order is.',
    // The order is neither alphabetical nor by length.
    parameters: {
      type: 'object',
      properties: { zip: {}, order_id: {}, at: {} },
      additionalProperties: false,
    },
    url: receiver.url,
    timeoutMs: 5_000,
    runsFor: 'everyone',
    enabled: true,
  };
  const open = async () => (await makeWorkspace()).id;
  const add = async (workspaceId: string, changed: Partial<NewHttpSkill> = {}) => {
    pass(1);
    return skills.create(workspaceId, { ...fields, ...changed });
  };

  test('are stored as given, with an encrypted secret', async () => {
    const own = await open();
    const { skill, secret } = await add(own);
    const expected = { ...fields, workspaceId: own, createdAt: clock.now() };
    expect(skill).toEqual({ ...expected, id: expect.stringMatching(/^skill_\w+$/) });
    const found = await skills.get(own, skill.id);
    expect(found).toEqual(skill);
    expect(JSON.stringify(found.parameters)).toBe(JSON.stringify(fields.parameters));
    const row = await database.kysely
      .selectFrom('http_skill')
      .selectAll()
      .where('id', '=', skill.id)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain(secret.replace('whsec_', ''));
    expect(
      secretBox.open(row.secret_encrypted, { table: 'http_skill', column: 'secret_encrypted', id: row.id }),
    ).toBe(secret);
  });

  test('are known to the workspace while any is enabled', async () => {
    const own = await open();
    const hasAny = async () => (await workspaces.get(own)).hasOwnSkills;
    expect(await hasAny()).toBe(false);
    const { skill } = await add(own);
    expect(await hasAny()).toBe(true);
    await skills.change(own, skill.id, { enabled: false });
    expect(await hasAny()).toBe(false);
    await skills.change(own, skill.id, { enabled: true });
    expect(await hasAny()).toBe(true);
    await skills.delete(own, skill.id);
    expect(await hasAny()).toBe(false);
    await add(own, { enabled: false });
    expect(await hasAny()).toBe(false);
  });

  test('stay known if the last one is deleted while another is added', async () => {
    const own = await open();
    let last = await add(own, { name: 'skill_0' });
    for (let round = 1; round <= 10; round += 1) {
      const [added] = await Promise.all([
        skills.create(own, { ...fields, name: `skill_${round}` }),
        skills.delete(own, last.skill.id),
      ]);
      expect((await workspaces.get(own)).hasOwnSkills).toBe(true);
      last = added;
    }
  });

  test('are used by the engine while enabled, oldest first', async () => {
    const own = await open();
    const { secret } = await add(own);
    const other = await add(own, { name: 'refund', runsFor: 'verified' });
    await add(own, { name: 'off', enabled: false });
    await add(await open(), { name: 'foreign' });
    const enabled = await skills.enabledFor(own);
    expect(enabled.map(({ name, runsFor }) => [name, runsFor])).toEqual([
      ['order_status', 'everyone'],
      ['refund', 'verified'],
    ]);
    expect(enabled[0]).toMatchObject({ description: fields.description, parameters: fields.parameters });
    await skills.change(own, other.skill.id, { enabled: false });
    expect(await skills.enabledFor(own)).toHaveLength(1);

    const real = new HttpSkills({
      database: database.kysely,
      clock: { now: () => new Date() },
      secretBox,
      log: { warn: () => {} },
      allowPrivate: true,
    });
    const id = (await skills.list(own, { limit: 10 })).items.at(-1)?.id ?? '';
    const tried = await real.tryOut(own, id, { given: { zip: '1' }, userId: null });
    expect(tried).toMatchObject({ status: 204, error: null });
    const message = receiver.received.at(-1);
    if (message === undefined) throw new TypeError('nothing arrived');
    expect(verifiedMessage(secret, message).data).toMatchObject({
      arguments: { zip: '1' },
      channel: 'test',
      conversation_id: null,
      user: null,
    });
  });

  test('change only in the given fields', async () => {
    const own = await open();
    const { skill } = await add(own);
    const change = { description: 'Other.', timeoutMs: 1_000, runsFor: 'verified', enabled: false } as const;
    expect(await skills.change(own, skill.id, change)).toEqual({ ...skill, ...change });
    const parameters = { type: 'object', required: ['zip'], properties: { zip: {} } };
    const url = 'https://skills.example/';
    expect(await skills.change(own, skill.id, { parameters, url })).toEqual({
      ...skill,
      ...change,
      parameters,
      url,
    });
  });

  test('have unique names even if two are added concurrently', async () => {
    const [own, other] = [await open(), await open()];
    const added = await Promise.allSettled([add(own), add(own), add(other)]);
    const refused = added.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    expect(refused).toEqual(['skill_name_taken']);
  });

  test('are at most twenty even if added concurrently', async () => {
    const own = await open();
    const names = Array.from({ length: 24 }, (_, index) => `skill_${index}`);
    const added = await Promise.allSettled(names.map((name) => add(own, { name })));
    const refused = added.flatMap((one) => (one.status === 'rejected' ? one.reason.code : []));
    expect(refused).toEqual(Array.from({ length: 4 }, () => 'too_many_skills'));
    const { items } = await skills.list(own, { limit: 100 });
    expect(items).toHaveLength(20);
    await skills.delete(own, items[0]?.id ?? '');
    await add(own, { name: 'one_more' });
  });

  test('belong to one workspace, which must not be deleted', async () => {
    const [own, other] = [await open(), await open()];
    const { skill } = await add(own);
    const code = 'skill_not_found';
    await expect(skills.get(other, skill.id)).rejects.toMatchObject({ code });
    await expect(skills.change(other, skill.id, { enabled: false })).rejects.toMatchObject({ code });
    await expect(skills.delete(other, skill.id)).rejects.toMatchObject({ code });
    const trial = { given: {}, userId: null };
    await expect(skills.tryOut(other, skill.id, trial)).rejects.toMatchObject({ code });
    await workspaces.delete(other);
    await expect(add(other)).rejects.toMatchObject({ code: 'workspace_not_found' });
  });

  test('are signed with both secrets during a rotation, and only with the new one without grace', async () => {
    const own = await open();
    const real = new HttpSkills({
      database: database.kysely,
      clock: { now: () => new Date() },
      secretBox,
      log: { warn: () => {} },
      allowPrivate: true,
    });
    const { skill, secret } = await add(own);
    const call = async () => {
      await real.tryOut(own, skill.id, { given: {}, userId: null });
      const message = receiver.received.at(-1);
      if (message === undefined) throw new TypeError('nothing arrived');
      return message;
    };
    const second = await real.rotateSecret(own, skill.id, { graceSeconds: 600 });
    const during = await call();
    expect(verifiedMessage(secret, during)).toEqual(verifiedMessage(second.secret, during));
    const third = await real.rotateSecret(own, skill.id, { graceSeconds: 0 });
    const after = await call();
    expect(verifiedMessage(third.secret, after)).toBeDefined();
    for (const former of [secret, second.secret]) expect(() => verifiedMessage(former, after)).toThrow();
    const strangers = real.rotateSecret((await makeWorkspace()).id, skill.id, { graceSeconds: 0 });
    await expect(strangers).rejects.toMatchObject({ code: 'skill_not_found' });
  });
});
