import { describe, expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import {
  indexWaiting,
  runTrial as runTrialOf,
  runTrialSlice,
} from '../../../helpers/servers/questions/run-trial.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const { operate, makeWorkspace, addDocument, runtime } = server;
const database = runtime.database.kysely;

/** A workspace with a document and two test questions, and calls below its change sets. */
async function openShop() {
  const workspace = await makeWorkspace();
  const document = await addDocument(
    workspace.id,
    '# Hours\n\nThe shop opens at nine on Mondays.\n\n# Returns\n\nYou can return a box within 30 days.',
  );
  const path = `/workspaces/${workspace.id}`;
  const questions = [
    { question: 'When does the shop open on Mondays?', accepted: ['nine'] },
    { question: 'Within how many days can I return a box?', accepted: ['30 days'] },
  ];
  await operate('POST', `${path}/test-questions`, { questions });
  const call = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', below: string, body?: object) =>
    operate(method, `${path}/change-sets${below}`, body);
  /** A set whose documents are indexed, as the worker does it. */
  const stage = async (...changes: object[]) => {
    const { id } = (await call('POST', '', { name: 'Autumn' })).json();
    for (const change of changes) await call('POST', `/${id}/changes`, { change });
    await index();
    return id;
  };
  const content = (text: string) => ({ kind: 'document_content', document_id: document.id, content: text });
  const open = async (id: string) => (await call('GET', `/${id}`)).json();
  return { workspace, path, call, stage, content, open };
}

const index = () => indexWaiting(runtime);
const runTrial = (runId: string) => runTrialOf(runtime, runId);

describe('change sets', () => {
  test('show each change as a difference, and which questions would be answered differently', async () => {
    const { call, stage, content, open } = await openShop();
    const id = await stage(
      content(
        '# Hours\n\nThe shop opens at ten on Mondays.\n\n# Returns\n\nYou can return a box within 30 days.',
      ),
      { kind: 'settings', settings: { answer_from: 0.4, maybe_from: 0.2 } },
    );
    const set = await open(id);
    expect(set).toMatchObject({ name: 'Autumn', state: 'staged', trial: null });
    expect(set.items[0]).toMatchObject({ status: 'indexed', is_changed: false, is_gone: false });
    expect(set.items[0].lines).toEqual(
      expect.arrayContaining([
        { kind: 'removed', text: 'The shop opens at nine on Mondays.' },
        { kind: 'added', text: 'The shop opens at ten on Mondays.' },
        { kind: 'same', text: 'You can return a box within 30 days.' },
      ]),
    );
    expect(set.items[1].settings).toContainEqual({ name: 'answer_from', before: null, after: 0.4 });
    const { run_id: runId } = (await call('POST', `/${id}/trials`)).json();
    await runTrial(runId);
    const { trial } = await open(id);
    expect(trial).toMatchObject({
      ...{ state: 'finished', is_current: true, is_green: false },
      counts: { same: 1, worse: 1, better: 0, differs: 0 },
    });
    expect(trial.results[0]).toMatchObject({
      ...{ question: 'When does the shop open on Mondays?', difference: 'worse', verdict: null },
      live: { outcome: 'right', text: expect.stringContaining('nine') },
      after: { outcome: 'wrong', text: expect.stringContaining('ten') },
    });
    const judged = await call('PUT', `/${id}/answers/${trial.results[0].question_id}`, { verdict: 'fine' });
    expect(judged.json()).toMatchObject({ is_green: true });
  });

  test('a trial counts for no live run, and its live answers are the newest of the questions', async () => {
    const { path, call, stage, content } = await openShop();
    const id = await stage(content('# Hours\n\nThe shop opens at ten on Mondays.'));
    const { run_id: runId } = (await call('POST', `/${id}/trials`)).json();
    await runTrial(runId);
    expect((await operate('GET', `${path}/test-runs`)).json().runs).toEqual([]);
    const { questions } = (await operate('GET', `${path}/test-questions`)).json();
    expect(questions.map(({ last }: { last: { outcome: string } }) => last.outcome)).toEqual([
      'right',
      'right',
    ]);
    const conversations = await database.selectFrom('conversation').select('id').execute();
    expect(conversations).toEqual([]);
  });

  test('409: publishing needs a green set if the workspace says so, and one that was changed since is not', async () => {
    const { workspace, call, stage, content, open } = await openShop();
    await runtime.workspaces.update(workspace.id, { settings: { publish_needs_green: true } });
    const id = await stage(content('# Hours\n\nThe shop opens at nine on Mondays and Tuesdays.'));
    const refused = await call('POST', `/${id}/publish`);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'change_set_not_green']);
    const { run_id: runId } = (await call('POST', `/${id}/trials`)).json();
    await runTrial(runId);
    for (const { question_id: question } of (await open(id)).trial.results)
      await call('PUT', `/${id}/answers/${question}`, { verdict: 'better' });
    expect((await open(id)).trial.is_green).toBe(true);
    await call('POST', `/${id}/changes`, {
      change: content('# Hours\n\nThe shop opens at nine on Mondays and Fridays.'),
    });
    await index();
    expect((await open(id)).trial).toMatchObject({ is_green: false, is_current: false });
    expect((await call('POST', `/${id}/publish`)).json().code).toBe('change_set_not_green');
    await call('PATCH', `/${id}`, { name: 'Winter' });
    await runtime.workspaces.update(workspace.id, { settings: { publish_needs_green: null } });
    expect((await call('POST', `/${id}/publish`)).json()).toMatchObject({
      ...{ name: 'Winter', state: 'published', published: { by: 'operator' } },
    });
  });

  test('a run that is going ends as cancelled when the set is changed, and a worker continues one that was left', async () => {
    const { call, stage, content, open } = await openShop();
    const id = await stage(content('# Hours\n\nThe shop opens at ten on Mondays.'));
    const first = (await call('POST', `/${id}/trials`)).json();
    const stopping = new AbortController();
    stopping.abort();
    expect(await runTrialSlice(runtime, first.run_id, stopping.signal)).toBe(1);
    await runTrial(first.run_id);
    expect((await open(id)).trial).toMatchObject({ state: 'finished', results: expect.any(Array) });
    const second = (await call('POST', `/${id}/trials`)).json();
    await call('POST', `/${id}/changes`, {
      change: { kind: 'settings', settings: { strictness: 'fallback' } },
    });
    await runTrial(second.run_id);
    expect((await open(id)).trial).toMatchObject({ run_id: second.run_id, state: 'cancelled' });
  });

  test('403: an agent stages and tries, but does not publish; a viewer reads', async () => {
    const { workspace, path, stage, content } = await openShop();
    const id = await stage(content('# Hours\n\nThe shop opens at ten on Mondays.'));
    const signIn = (role: 'agent' | 'viewer') =>
      signInPerson(server, { email: `${role}@shop.example`, role, ownerId: workspace.owner });
    const sets = `/admin/v1${path}/change-sets`;
    const agent = await signIn('agent');
    expect((await agent.call('POST', sets, { name: 'Mine' })).statusCode).toBe(201);
    expect((await agent.call('POST', `${sets}/${id}/trials`)).statusCode).toBe(202);
    expect((await agent.call('POST', `${sets}/${id}/publish`)).statusCode).toBe(403);
    const viewer = await signIn('viewer');
    expect((await viewer.call('GET', `${sets}/${id}`)).statusCode).toBe(200);
    expect((await viewer.call('DELETE', `${sets}/${id}`)).statusCode).toBe(403);
  });

  test('403: skills are staged by people who may change them, and others see no address of one', async () => {
    const { workspace, path, stage } = await openShop();
    const skill = {
      ...{ kind: 'skill_new', name: 'stock', description: 'Looks up the stock.', enabled: true },
      ...{ parameters: { type: 'object' }, url: 'https://shop.example/stock?code=7' },
      ...{ timeout_seconds: 5, runs_for: 'everyone' },
    };
    const id = await stage(skill);
    const signIn = (role: 'owner' | 'agent') =>
      signInPerson(server, { email: `skills-${role}@shop.example`, role, ownerId: workspace.owner });
    const agent = await signIn('agent');
    const sets = `/admin/v1${path}/change-sets`;
    const refused = await agent.call('POST', `${sets}/${id}/changes`, { change: skill });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'permission_denied']);
    const seen = await agent.call('GET', `${sets}/${id}`);
    expect([seen.statusCode, seen.json().items[0].name, seen.body.includes('code=7')]).toEqual([
      ...[200, 'stock', false],
    ]);
    const owner = await signIn('owner');
    expect((await owner.call('GET', `${sets}/${id}`)).body).toContain('code=7');
    const published = await owner.call('POST', `${sets}/${id}/publish`);
    expect(published.json()).toMatchObject({ state: 'published' });
    expect(published.body).not.toContain('whsec_');
  });

  test('400 and 404: nothing is staged that could not be saved either', async () => {
    const { call, stage } = await openShop();
    const other = await openShop();
    const id = await stage();
    const put = async (change: object) => (await call('POST', `/${id}/changes`, { change })).json().code;
    expect(await put(other.content('Foreign.'))).toBe('document_not_found');
    expect(await put({ kind: 'document_new', title: 'Staff', content: 'x', audience: ['staff'] })).toBe(
      'invalid_audience',
    );
    expect(await put({ kind: 'settings', settings: { model: 'nobody:nothing' } })).toBe('invalid_settings');
    const skill = { kind: 'skill_changed', skill_id: 'skill_x' };
    expect(await put({ ...skill, fields: {} })).toBe('missing_field');
    expect(await put({ ...skill, fields: { url: 'https://ann:secret@shop.example' } })).toBe('invalid_url');
    expect(await put({ ...skill, fields: { enabled: false } })).toBe('skill_not_found');
    expect(await put({ kind: 'curated_removed', answer_id: 'cur_x' })).toBe('curated_answer_not_found');
    expect(await put({ kind: 'settings', settings: { answer_from: 0.3, maybe_from: 0.8 } })).toBe(
      'invalid_settings',
    );
    expect((await call('POST', `/${id}/publish`)).json().code).toBe('change_set_empty');
    expect((await call('DELETE', `/${id}/changes/item_x`)).json().code).toBe('change_item_not_found');
    expect((await other.call('GET', `/${id}`)).json().code).toBe('change_set_not_found');
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204);
    expect((await call('GET', '')).json().change_sets).toEqual([]);
  });
});
