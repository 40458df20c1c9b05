import { expect, test } from 'vitest';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';
import { signInPerson } from '../../../helpers/servers/sign-in-person.ts';

const server = await openTestServer();
const workspace = await server.makeWorkspace({ name: 'Acme', plan: 'growth' });
const { id: workspaceId, owner: ownerId } = workspace;
const ann = await signInPerson(server, { email: 'ann@acme.example', role: 'owner', ownerId });
await server.addDocument(workspaceId, 'You can return a box within 30 days. Parcels arrive in two days.');

/** A conversation in which the visitor wrote these messages, one after the other. */
async function talk(...messages: readonly string[]) {
  let id: string | undefined;
  for (const query of messages) {
    const answer = await server.query(workspace.key, { query, conversation_id: id });
    id = String(answer.json().conversation_id);
  }
  const url = `/admin/v1/workspaces/${workspaceId}/conversations/${id}`;
  const suggest = async (query = '') => (await ann.call('POST', `${url}/suggestion${query}`)).json();
  return { url, suggest };
}

const person = 'Can I speak to a human?';

test('the question is what was asked before the wish for a person, and what was told is said to be', async () => {
  const { suggest } = await talk('When does my parcel arrive?', person);
  const told = {
    told: true,
    text: expect.stringContaining('two days'),
    question: 'When does my parcel arrive?',
  };
  expect(await suggest()).toMatchObject(told);
  expect((await suggest()).sources).not.toEqual([]);
  expect(await suggest('?again=true')).toMatchObject({
    told: false,
    text: expect.stringContaining('two days'),
  });
});

test('a question that was not answered is answered, with the words beside it left out', async () => {
  const { suggest } = await talk('Which wolves howl beneath glaciers?', `Hello! ${person} Thanks!`);
  expect(await suggest()).toMatchObject({
    ...{ told: false, text: null, question: 'Which wolves howl beneath glaciers?' },
  });
});

test.each([
  ['the visitor only wants a person', [person]],
  ['they only greet and thank', ['Hello', person, 'Thank you!']],
])('there is no question where %s', async (_, messages) => {
  const { suggest } = await talk(...messages);
  expect(await suggest()).toMatchObject({ question: '', text: null, message_id: null });
});

test('a question that a person has answered counts no more, and neither do thanks for it', async () => {
  const { url, suggest } = await talk('Which wolves howl beneath glaciers?', person);
  await ann.call('POST', `${url}/reply`, { content: 'Grey ones.' });
  expect(await suggest()).toMatchObject({ question: '', text: null });
});
