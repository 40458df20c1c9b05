import { describe, expect, test } from 'vitest';
import { Authority } from '../../../core/members/authority.ts';
import { ModelKeys } from '../../../core/members/model-keys.ts';
import { SecretBox } from '../../../core/secrets/secret-box.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';

const runtime = await openTestRuntime();
const database = runtime.database.kysely;
const { secretBox } = runtime.installation;
const { workspace } = await runtime.workspaces.create({ name: 'Acme' });
const { workspace: other } = await runtime.workspaces.create({ name: 'Other' });
const authority = Authority.operator(workspace).forOwner('people:write');
const trial = { model: 'small', outcome: 'answered', ms: 640, tokens: 14, reason: null } as const;
const apiKey = 'sk-a-secret-key-x4Qd';
let now = new Date('2026-03-03T10:00:00Z');
const lines: object[] = [];

/** The store of one process. */
function openProcess(box = secretBox): ModelKeys {
  const log = { error: (facts: unknown) => void lines.push(Object(facts)) };
  return new ModelKeys({ database, secretBox: box, clock: { now: () => now }, log, isNews: () => true });
}

describe('the key of an owner', () => {
  test('is sealed, and told by its last four characters, with who set it and when', async () => {
    const keys = openProcess();
    await keys.save(authority, { provider: 'openai', apiKey, trial });
    const row = await database.selectFrom('owner_model_key').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('sk-a-secret');
    const [stored] = await keys.list(workspace.owner);
    expect(stored).toEqual({
      provider: 'openai',
      lastFour: 'x4Qd',
      setAt: now,
      setBy: 'operator',
      triedAt: now,
      trial,
    });
    expect(await keys.of(workspace.owner)).toEqual(new Map([['openai', apiKey]]));
  });

  test('is of no other owner', async () => {
    const keys = openProcess();
    expect(await keys.list(other.owner)).toEqual([]);
    expect(await keys.of(other.owner)).toEqual(new Map());
    const theirs = Authority.operator(other).forOwner('people:write');
    await expect(keys.remove(theirs, 'openai')).rejects.toMatchObject({ code: 'model_key_not_found' });
    await expect(keys.open(other.owner, 'openai')).rejects.toMatchObject({ code: 'model_key_not_found' });
  });

  test('counts in another process within ten seconds, and so does its removal', async () => {
    const [here, there] = [openProcess(), openProcess()];
    await there.of(workspace.owner);
    await here.save(authority, { provider: 'openai', apiKey: 'sk-another-key-9Zz9', trial });
    expect((await here.of(workspace.owner)).get('openai')).toBe('sk-another-key-9Zz9');
    expect((await there.of(workspace.owner)).get('openai')).toBe(apiKey);
    now = new Date(now.getTime() + 10_000);
    expect((await there.of(workspace.owner)).get('openai')).toBe('sk-another-key-9Zz9');
    await here.remove(authority, 'openai');
    expect(await here.of(workspace.owner)).toEqual(new Map());
    now = new Date(now.getTime() + 10_000);
    expect(await there.of(workspace.owner)).toEqual(new Map());
  });

  test('keeps the outcome of its last try, unless it was replaced meanwhile', async () => {
    const keys = openProcess();
    await keys.save(authority, { provider: 'groq', apiKey, trial });
    const refused = { ...trial, outcome: 'key_refused', tokens: 0 } as const;
    await keys.recordTrial(workspace.owner, { provider: 'groq', apiKey: 'sk-of-before-000', trial: refused });
    expect((await keys.list(workspace.owner))[0]?.trial.outcome).toBe('answered');
    await keys.recordTrial(workspace.owner, { provider: 'groq', apiKey, trial: refused });
    expect((await keys.list(workspace.owner))[0]?.trial.outcome).toBe('key_refused');
  });

  test('that cannot be decrypted is left out and logged, without its value', async () => {
    const keys = openProcess(new SecretBox(Buffer.alloc(32, 7)));
    expect(await keys.of(workspace.owner)).toEqual(new Map());
    expect(lines).toMatchObject([{ owner: workspace.owner, provider: 'groq' }]);
  });

  test('is in the audit log by its provider alone', async () => {
    const entries = await database
      .selectFrom('audit_entry')
      .select(['action', 'details'])
      .where('action', 'like', 'model_key_%')
      .orderBy('id')
      .execute();
    expect(entries.map(({ action, details }) => [action, details])).toEqual([
      ['model_key_set', { provider: 'openai', passed: true }],
      ['model_key_set', { provider: 'openai', passed: true }],
      ['model_key_removed', { provider: 'openai' }],
      ['model_key_set', { provider: 'groq', passed: true }],
    ]);
  });
});
