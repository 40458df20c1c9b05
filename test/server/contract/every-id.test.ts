import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { newIdInOrder } from '../../../core/base/ids.ts';
import { operatorActor } from '../../../core/contract/actor.ts';
import { checkNextDocument } from '../../../core/knowledge/facts/check-document.ts';
import { addRule } from '../../../core/sources/ledger/block-rules.ts';
import { TicketImports } from '../../../core/tickets/ticket-imports.ts';
import { keyScopes } from '../../../core/workspaces/keys/key-scopes.ts';
import { fakeConnector } from '../../helpers/platforms/fake/connector.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';
import { readApi } from '../../helpers/servers/openapi/api-operations.ts';
import { findIdFields, type IdField } from '../../helpers/servers/openapi/id-fields.ts';
import { type SignedIn, signInPerson } from '../../helpers/servers/sign-in-person.ts';
import { uploadFile } from '../../helpers/servers/upload-file.ts';

type Ids = Readonly<Record<string, string>>;

const server = await openTestServer({
  runtime: {
    connectors: [fakeConnector],
    // No server listens there: invitations are made, and their mails fail.
    environment: {
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Parley <parley@acme.example>',
      PUBLIC_URL: 'http://parley.example',
    },
  },
  app: { liveSeconds: 0 },
});
const { operate, runtime, makeWorkspace, query } = server;
const description = (await server.app.inject({ url: '/openapi.json' })).json();
const { operations, schemas } = readApi(description);
const fields = findIdFields(operations, schemas);

/** A word in everything of the victim: no answer to anybody else may hold it. */
const SECRET = 'marzipan';
const victim = await openShop('Victim', SECRET);
const own = await openShop('Own', 'plain');
const people: Readonly<Record<string, SignedIn>> = {
  owner: own.person,
  limited: await join('limited', 'owner', [own.ids.workspace ?? '']),
  agent: await join('agent', 'agent'),
  viewer: await join('viewer', 'viewer'),
  key: await openKey(own.ids.workspace ?? ''),
};

/** Which object each field names. Fields of these names are not ids of stored objects. */
const kinds: Readonly<Record<string, string>> = {
  ...{ workspace_id: 'workspace', workspaces: 'workspace', chan_id: 'channel', channel_id: 'channel' },
  parent: 'channel',
  ...{
    conv_id: 'conversation',
    conversation_id: 'conversation',
    doc_id: 'document',
    rule_id: 'rule',
    document_id: 'document',
    document_ids: 'document',
    question_id: 'testQuestion',
    import_id: 'ticketImport',
    ticket_id: 'ticket',
    change_set_id: 'changeSet',
    item_id: 'changeItem',
    answer_id: 'curated',
    gap_id: 'gap',
    gap_ids: 'otherGap',
  },
  ...{ hook_id: 'webhook', key_id: 'key', skill_id: 'skill', snippet_id: 'snippet', source_id: 'source' },
  ...{ view_id: 'view', note_id: 'note', message_id: 'message', after_message_id: 'message' },
  ...{ resend_of: 'reply', member_id: 'person', assignee_id: 'person', assignee: 'person', assign: 'person' },
  ...{
    mentions: 'person',
    invitation_id: 'invitation',
    action_id: 'action',
    file_id: 'file',
    file_ids: 'file',
  },
  ...{ delivery_id: 'delivery', run_id: 'run', session_id: 'session', conflict_id: 'conflict' },
};

/** Fields that are not tried here, with the reason. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/\/widget\/|\/nlweb\//, 'routes of visitors, which a session of a visitor limits'],
  [/path workspace_id$/, 'permissions.test.ts tries every route with the workspace of another'],
  [/\/admin\/v1\/(persons|queues|installation)\//, 'for operators of the installation'],
  [/POST \/admin\/v1\/workspaces body owner$/, 'for operators of the installation'],
  [/POST .*\/keys body workspaces$/, 'how far a key reaches, not an id'],
  [/body client_id$/, 'an id at the identity provider'],
  [/body (user\.|filters\.)?user_id$|query user_id$/, 'an id of the integrator, inside the workspace'],
  [
    /\/v1\/query(\/stream)? body session_id$|\/conversations query session_id$|body filters\.session_id$/,
    'an id that the integrator chooses',
  ],
  [/body shareable_with$/, 'names the owner that something is given to'],
];

const completion = { model: 'parley', messages: [{ role: 'user', content: 'When is it open?' }] };

/** Requests that are right with an id of one's own: the answer to the other must differ by the id alone. */
const bodies: Readonly<Record<string, (id: string, mine: Ids) => object>> = {
  'POST channels parent': (parent, { workspace }) => ({
    ...{ channel: 'fake', parent },
    settings: { team: workspace, verify: false },
  }),
  'POST reply after_message_id': (id) => ({ content: 'Hello', after_message_id: id }),
  'POST reply resend_of': (id) => ({ resend_of: id }),
  'POST reply file_ids': (id) => ({ content: 'Hello', file_ids: [id] }),
  'POST reply change.assignee_id': (id) => ({ content: 'Hello', change: { assignee_id: id } }),
  'PUT draft actions.assignee_id': (id) => ({
    kind: 'reply',
    content: 'Hello',
    actions: { assignee_id: id },
  }),
  'PUT draft other.actions.assignee_id': (id) => ({
    ...{ kind: 'reply', content: 'Hello' },
    other: { content: 'Hi', actions: { assignee_id: id } },
  }),
  'POST reply-preview file_ids': (id) => ({ content: 'Hello', file_ids: [id] }),
  'PATCH {conv_id} assignee_id': (id) => ({ assignee_id: id }),
  'PUT mentions conversation_id': (id) => ({ conversation_id: id }),
  'POST notes mentions': (id) => ({ content: 'Look', mentions: [id] }),
  'PATCH {note_id} mentions': (id) => ({ content: 'Look', mentions: [id] }),
  'POST conversation-actions ids': (id) => ({ ids: [id], change: { add_tags: ['tried'] } }),
  'POST conversation-actions change.assignee_id': (id, { conversation }) => ({
    ids: [conversation],
    change: { assignee_id: id },
  }),
  'POST conversation-actions filters.assignee': (id) => ({
    filters: { assignee: id },
    change: { add_tags: ['tried'] },
  }),
  'POST conversation-actions filters.channel_id': (id) => ({
    filters: { channel_id: id },
    change: { add_tags: ['tried'] },
  }),
  'POST bulk ids': (id) => ({ action: 'reindex', ids: [id] }),
  'POST search document_ids': (id) => ({ query: 'When is it open?', document_ids: [id] }),
  'POST test-questions questions.document_id': (document_id) => ({
    questions: [{ question: 'When is it open?', document_id }],
  }),
  'POST test-questions questions.turns.document_id': (document_id) => ({
    questions: [{ question: 'Learns the hours', turns: [{ message: 'When is it open?', document_id }] }],
  }),
  'POST change-sets change.document_id': (document_id) => ({
    ...{ name: 'Tried', change: { kind: 'document_removed', document_id } },
  }),
  'POST changes change.document_id': (document_id) => ({
    change: { kind: 'document_removed', document_id },
  }),
  'POST ask channel_id': (id) => ({ query: 'When is it open?', channel_id: id }),
  'POST change-sets change.answer_id': (answer_id) => ({
    ...{ name: 'Tried', change: { kind: 'curated_removed', answer_id } },
  }),
  'POST changes change.answer_id': (answer_id) => ({ change: { kind: 'curated_removed', answer_id } }),
  'POST change-sets change.skill_id': (skill_id) => ({
    ...{ name: 'Tried', change: { kind: 'skill_removed', skill_id } },
  }),
  'POST changes change.skill_id': (skill_id) => ({ change: { kind: 'skill_removed', skill_id } }),
  'POST merge gap_ids': (id) => ({ gap_ids: [id] }),
  'POST check answer_id': (id) => ({ answer_id: id }),
  'POST preview source_id': (id) => ({ source_id: id }),
  'PATCH {member_id} workspaces': (id) => ({ role: 'agent', workspaces: [id] }),
  'POST invitations workspaces': (id) => ({
    ...{ email: `new-${id.toLowerCase().replaceAll('_', '-')}@example.com`, role: 'agent' },
    workspaces: [id],
  }),
  'POST snippets actions.assign': (id) => ({ name: `s${id}`, text: 'Hello', actions: { assign: id } }),
  'PATCH {snippet_id} actions.assign': (id) => ({ actions: { assign: id } }),
  'POST views filters.assignee': (id) => ({ name: `v${id}`, filters: { assignee: id } }),
  'PATCH {view_id} filters.assignee': (id) => ({ filters: { assignee: id } }),
  'POST views filters.channel_id': (id) => ({ name: `c${id}`, filters: { channel_id: id } }),
  'PATCH {view_id} filters.channel_id': (id) => ({ filters: { channel_id: id } }),
  'POST query workspace_id': (id) => ({ query: 'When is it open?', workspace_id: id }),
  'POST query conversation_id': (id) => ({ query: 'When is it open?', conversation_id: id }),
  'POST query document_ids': (id) => ({ query: 'When is it open?', document_ids: [id] }),
  'POST completions workspace_id': (id) => ({ ...completion, workspace_id: id }),
  'POST completions conversation_id': (id) => ({ ...completion, conversation_id: id }),
  'POST stream workspace_id': (id) => ({ query: 'When is it open?', workspace_id: id }),
  'POST stream conversation_id': (id) => ({ query: 'When is it open?', conversation_id: id }),
  'POST stream document_ids': (id) => ({ query: 'When is it open?', document_ids: [id] }),
};

/** Lists, filters and marks of one's own: an unknown id is left out or finds nothing, and stays a word to the one who wrote it. */
const findsNothing =
  /(body|query) (ids|filters\.assignee|assignee|filters\.channel_id|channel_id|document_ids|source_id|run_id|actions\.assign)$|mentions body conversation_id$|draft body .*assignee_id$/;

const tried = fields.filter((field) => !elsewhere.some(([pattern]) => pattern.test(nameField(field))));

describe('ids in paths, queries and bodies', () => {
  test('are all recognised, and each has an object to try', () => {
    const names = new Set(fields.map(({ name }) => name.split('.').at(-1) ?? ''));
    for (const known of [
      ...Object.keys(kinds),
      'ids',
      'person_id',
      'channel_id',
      'owner',
      'shareable_with',
    ]) {
      expect([...names]).toContain(known);
    }
    expect(fields.length).toBeGreaterThan(250);
    expect(tried.length).toBeGreaterThan(110);
    expect(tried.filter((field) => victim.ids[kindOf(field)] === undefined).map(nameField)).toEqual([]);
    const unknown = tried.filter(
      ({ where, ...field }) => where === 'body' && bodies[keyOf(field)] === undefined,
    );
    expect(unknown.map(nameField)).toEqual([]);
  });

  const inBodies = tried.filter(({ where }) => where !== 'path');

  test('reach the objects of the caller’s own workspace', async () => {
    const wrong = [];
    for (const field of inBodies) {
      const answer = await send(field, 'owner', own.ids[kindOf(field)] ?? '');
      // Any message but the last one has been followed by others.
      const isOutdated = answer.body.includes('"conversation_moved_on"');
      if (answer.statusCode >= 300 && !isOutdated)
        wrong.push(`${nameField(field)}: ${answer.statusCode} ${answer.body}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(Object.keys(people))('of another owner reach nothing for %s', async (role) => {
    const before = await dump();
    expect(await findFaults(role, role === 'key' ? tried.filter(takesKeys) : tried)).toEqual([]);
    expect(await dump()).toEqual(before);
  });

  test('are found where a look-up forgets the workspace', async () => {
    const { get } = runtime.documents;
    const unscoped = vi
      .spyOn(runtime.documents, 'get')
      .mockImplementation((_, id) => get.call(runtime.documents, victim.ids.workspace ?? '', id));
    const faults = await findFaults(
      'owner',
      tried.filter(({ name, where }) => name === 'doc_id' && where === 'path'),
    );
    unscoped.mockRestore();
    expect(faults).toContainEqual(expect.stringMatching(/^GET .*\/documents\/\{doc_id\} path doc_id: 200/));
  });
});

/** Whether the operation of the field takes API keys, whose rights are those of people otherwise. */
function takesKeys({ method, path }: IdField): boolean {
  return operations.some(
    (one) => one['x-scope'] !== undefined && one.path === path && one.method === method.toLowerCase(),
  );
}

/** An API key with all scopes, which calls as a person does. */
async function openKey(workspaceId: string): Promise<SignedIn> {
  const limits = { rateLimitMinute: 1_000, rateLimitDay: 100_000 };
  const { value } = await runtime.apiKeys.create(workspaceId, { name: 'All', scopes: keyScopes, ...limits });
  return {
    cookie: '',
    call: (method, url, payload) =>
      server.app.inject({
        ...{ method, url, headers: { authorization: `Bearer ${value}`, host: 'parley.example' } },
        ...(payload !== undefined && { payload }),
      }),
  };
}

/** Puts an id of the victim into each field, and returns the requests that were not refused or revealed something. */
async function findFaults(role: string, fields: readonly IdField[]): Promise<readonly string[]> {
  const faults = [];
  for (const field of fields) {
    const id = victim.ids[kindOf(field)] ?? '';
    const { statusCode, body } = await send(field, role, id);
    const isRefused = statusCode >= 400 && statusCode < 500;
    const others = Object.values(victim.ids).filter((each) => each !== id);
    const tells = body.includes(SECRET) || others.some((each) => body.includes(each));
    const mayBeEmpty = findsNothing.test(nameField(field)) && statusCode < 500;
    const isHidden = field.where !== 'path' || role !== 'owner' || /_not_found"/.test(body);
    if (tells || !(isRefused || mayBeEmpty) || !isHidden) {
      faults.push(`${nameField(field)}: ${statusCode} ${body.slice(0, 200)}`);
    }
  }
  return faults;
}

function nameField({ method, path, where, name }: IdField): string {
  return `${method} ${path} ${where} ${name}`;
}

function keyOf({ method, path, name }: Pick<IdField, 'method' | 'path' | 'name'>): string {
  return `${method} ${path.split('/').at(-1) ?? ''} ${name}`;
}

function kindOf({ name, path }: IdField): string {
  const field = name.split('.').at(-1) ?? '';
  if (path.endsWith('/reply-preview')) return 'unsent';
  if (field === 'run_id' && path.includes('/test-runs/')) return 'testRun';
  if (field === 'ids') return path.includes('documents') ? 'document' : 'conversation';
  return kinds[field] ?? '';
}

/** Sends a request that is the caller's own but for one id. */
function send(field: IdField, role: string, id: string) {
  const { method, where, name } = field;
  const placed = field.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    where === 'path' && parameter === name ? id : (own.ids[ownKind(parameter, where)] ?? 'unknown'),
  );
  const required = placed.endsWith('/ledger') ? '?key=page' : '';
  const listed =
    placed === '/v1/conversations' && name !== 'workspace_id' ? `&workspace_id=${own.ids.workspace}` : '';
  const url = where === 'query' ? `${placed}?${name}=${id}${listed}` : `${placed}${required}`;
  const payload = where === 'body' ? bodies[keyOf(field)]?.(id, own.ids) : field.sample();
  const body = payload === undefined || method === 'GET' ? {} : { payload };
  if (url.startsWith('/v1/')) {
    return server.app.inject({ method, url, headers: { authorization: `Bearer ${own.key}` }, ...body });
  }
  const person = people[role];
  if (person === undefined) throw new TypeError(role);
  const isUpload = method === 'POST' && url.endsWith('/files');
  return isUpload
    ? uploadFile(server.app, { url, cookie: person.cookie })
    : person.call(method, url, body.payload);
}

/** The last owner cannot be changed, so a change is tried on a colleague. */
function ownKind(parameter: string, where: IdField['where']): string {
  return parameter === 'member_id' && where === 'body' ? 'colleague' : (kinds[parameter] ?? '');
}

function join(name: string, role: 'owner' | 'agent' | 'viewer', workspaceIds?: readonly string[]) {
  const newcomer = { email: `${name}@own.example`, role, ownerId: own.owner };
  return signInPerson(server, { ...newcomer, ...(workspaceIds !== undefined && { workspaceIds }) });
}

/** A workspace with one object of each kind, in all of which stands the word. */
async function openShop(name: string, word: string) {
  const { id: workspace, owner, key } = await makeWorkspace({ name: `${name} ${word}`, plan: 'business' });
  const person = await signInPerson(server, {
    email: `${word}@${name.toLowerCase()}.example`,
    role: 'owner',
    ownerId: owner,
  });
  const colleague = await signInPerson(server, {
    email: `colleague@${name.toLowerCase()}.example`,
    role: 'agent',
    ownerId: owner,
  });
  const at = `/workspaces/${workspace}`;
  const add = async (path: string, payload: object, field = 'id'): Promise<string> => {
    const answer = await operate('POST', `${at}${path}`, payload);
    if (answer.statusCode >= 300) throw new TypeError(`${path}: ${answer.body}`);
    return String(answer.json()[field]);
  };
  const { id: document } = await server.addDocument(workspace, `The ${word} shop is open from nine.`);
  const asked = (await query(key, { query: 'When is it open?' })).json();
  const conversation = String(asked.conversation_id);
  const at1 = `/conversations/${conversation}`;
  const webhook = await add('/webhooks', {
    url: `https://${word}.example/hook`,
    events: ['conversation.created'],
  });
  const source = await add('/sources', {
    name: word,
    kind: 'website',
    settings: { url: `https://${word}.example/` },
    run: true,
  });
  const me = (await person.call('GET', '/admin/v1/me')).json().person.id;
  const sessions = (await person.call('GET', '/admin/v1/me/sessions')).json().sessions;
  const action = { ids: [conversation], change: { add_tags: [word] } };
  const view = { name: word, filters: { tag: [word] }, shared: true };
  const staged = { name: word, change: { kind: 'settings', settings: { fallback_message: word } } };
  const set = (await operate('POST', `${at}/change-sets`, staged)).json();
  const ids: Ids = {
    ...{ changeSet: String(set.id), changeItem: String(set.items[0].id) },
    ...{ workspace, conversation, webhook, source, document, person: me, session: sessions[0].id },
    message: String(asked.message_id),
    channel: await add('/channels', {
      channel: 'fake',
      name: word,
      credentials: { token: `token-${word}`, signing_key: `signing-${word}` },
      settings: { verify: false },
    }),
    key: await add('/keys', { name: word }),
    skill: await add('/skills', {
      ...{ name: `skill_${word}`, description: word, url: `https://${word}.example/`, timeout_seconds: 5 },
      ...{ parameters: { type: 'object', properties: {} }, runs_for: 'everyone', enabled: true },
    }),
    snippet: await add('/snippets', { name: word, text: word }),
    view: (await person.call('POST', `/admin/v1${at}/views`, view)).json().id,
    note: (await person.call('POST', `/admin/v1${at}${at1}/notes`, { content: word })).json().id,
    reply: (await person.call('POST', `/admin/v1${at}${at1}/reply`, { content: word })).json().id,
    action: (await person.call('POST', `/admin/v1${at}/conversation-actions`, action)).json().id,
    invitation: await add('/invitations', { email: `guest@${word}.example`, role: 'agent' }),
    delivery: await add(`/webhooks/${webhook}/test`, {}),
    run: await findRun(source),
    rule: await addSourceRule(workspace, source),
    testQuestion: String(
      await add('/test-questions', { questions: [{ question: `${word}?`, said: word }] }, 'ids'),
    ),
    testRun: await add('/test-runs', {}),
    conflict: await addConflict(workspace),
    ...(await addTickets(workspace, word)),
    curated: await add('/curated-answers', { question: `Is there ${word}?`, answer: `There is ${word}.` }),
    gap: await addGap({ workspace, conversation }, word),
    otherGap: await addGap({ workspace, conversation }, word),
    file: await addFile(person, `/admin/v1${at}${at1}/files`, word),
    unsent: await addFile(person, `/admin/v1${at}${at1}/files`, word),
    colleague: (await colleague.call('GET', '/admin/v1/me')).json().person.id,
  };
  return { owner, key, person, ids };
}

/** No page is read here, so that its ledger has no block to make a rule for. */
async function addSourceRule(workspaceId: string, sourceId: string): Promise<string> {
  const { clock, queue, log, database } = runtime;
  const rule = { key: null, block: 'bnothing', action: 'keep', sample: 'A block' } as const;
  const target = { workspaceId, sourceId, actor: operatorActor };
  return (await addRule({ database: database.kysely, clock, queue, log }, target, rule)).id;
}

/** The worker that answers tickets does not run here. */
async function addTickets(workspaceId: string, word: string) {
  const { clock, queue, log, database } = runtime;
  const imports = new TicketImports({ database: database.kysely, clock, queue, log });
  const { id: ticketImport } = await imports.create({
    ...{ workspaceId, fileName: `${word}.json`, audience: [], model: null, startedBy: word },
    chunks: oneChunk(word),
    isTruncated: () => false,
  });
  const ticket = newIdInOrder('tick');
  await database.kysely
    .insertInto('imported_ticket')
    .values({
      ...{ id: ticket, import_id: ticketImport, external_id: word, at: clock.now() },
      ...{ question: word, reply: word, tags: [], verdict: 'agrees', is_sampled: true },
    })
    .execute();
  return { ticketImport, ticket };
}

/** The worker that sorts questions does not run here. */
async function addGap({ workspace, conversation }: Ids, word: string): Promise<string> {
  const id = newIdInOrder('gap');
  const database = runtime.database.kysely;
  const at = runtime.clock.now();
  await database
    .insertInto('gap')
    .values({
      ...{ id, workspace_id: workspace ?? '', kind: 'nothing', language: 'en', state: 'open' },
      ...{ changed_by: word, created_at: at },
    })
    .execute();
  await database
    .insertInto('gap_question')
    .values({
      ...{ message_id: newIdInOrder('msg'), question_id: newIdInOrder('msg'), gap_id: id, asked_at: at },
      ...{ workspace_id: workspace ?? '', conversation_id: conversation ?? '' },
    })
    .execute();
  return id;
}

async function* oneChunk(text: string) {
  yield Buffer.from(text);
}

/** The worker that compares documents does not run here. */
async function addConflict(workspace: string): Promise<string> {
  await server.addDocument(workspace, 'The pass for the lake costs €5.');
  await server.addDocument(workspace, 'The pass for the lake costs €6.');
  const { clock, factConflicts } = runtime;
  while ((await checkNextDocument({ database: runtime.database.kysely, clock })) !== null);
  const { items } = await factConflicts.list(workspace, { status: 'open', limit: 1 });
  return items[0]?.id ?? '';
}

async function addFile({ cookie }: SignedIn, url: string, word: string): Promise<string> {
  const answer = await uploadFile(server.app, { url, name: `${word}.png`, cookie });
  return String(answer.json().id);
}

/** The worker of sources does not run here. */
async function findRun(source: string): Promise<string> {
  const row = await runtime.database.kysely
    .selectFrom('source_run')
    .select('id')
    .where('source_id', '=', source)
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Returns everything stored about the victim, except fields that reading alone changes. */
async function dump(): Promise<unknown> {
  const { workspace = '' } = victim.ids;
  const { rows } = await sql<{ name: string; column: string }>`
    select table_name as name, column_name as "column" from information_schema.columns
    where table_schema = current_schema() and column_name in ('workspace_id', 'owner_id')
      and table_name not in (select table_name from information_schema.views)
    order by 1, 2
  `.execute(runtime.database.kysely);
  const tables = [];
  for (const { name, column } of rows) {
    const key = column === 'owner_id' ? victim.owner : workspace;
    const stored = await sql<{ row: string }>`
      select (to_jsonb(stored) - 'last_used_at')::text as row from ${sql.table(name)} as stored
      where ${sql.ref(column)} = ${key} order by 1
    `.execute(runtime.database.kysely);
    tables.push([name, stored.rows.map(({ row }) => row)]);
  }
  return tables;
}
