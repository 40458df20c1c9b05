import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { BenchError } from '../bench-error.ts';
import type { StoredConversation } from './chat-record.ts';
import type { ChatPlatform } from './platforms/chat-platform.ts';

const made = z.object({ id: z.string(), public_token: z.string() });
const keyMade = z.object({ key: z.string() });
const listed = z.object({
  conversations: z.array(z.object({ id: z.string() })),
  pagination: z.object({ next_cursor: z.string().nullable() }),
});
const messages = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

interface Client {
  readonly address: string;
  readonly adminToken: string;
}

const channelMade = z.object({ id: z.string(), webhook_url: z.string().nullable() });

/** A workspace whose every answer is the same, with a bot on each of the platforms. */
export async function openBotWorkspace(
  client: Client,
  platforms: readonly Pick<ChatPlatform, 'channel' | 'postTo' | 'visit'>[],
): Promise<{ workspaceId: string; key: string; channelIds: readonly string[] }> {
  const settings = { skills: [], fallback_message: 'Noted.' };
  const workspace = made.parse(
    await call(client, '/admin/v1/workspaces', { name: 'Bench', plan: 'enterprise', settings }),
  );
  const at = `/admin/v1/workspaces/${workspace.id}`;
  const { key } = keyMade.parse(
    await call(client, `${at}/keys`, {
      name: 'bench',
      rate_limit_minute: 1_000,
      rate_limit_day: 100_000,
    }),
  );
  const channelIds: string[] = [];
  for (const platform of platforms) {
    const added = channelMade.parse(
      await call(client, `${at}/channels`, { name: 'Bench', ...platform.channel }),
    );
    platform.postTo(added.webhook_url ?? '');
    platform.visit?.({ address: client.address, publicToken: workspace.public_token });
    channelIds.push(added.id);
  }
  return { workspaceId: workspace.id, key, channelIds };
}

/** All conversations of a workspace. */
export async function storedConversations(
  address: string,
  { workspaceId, key }: { readonly workspaceId: string; readonly key: string },
): Promise<readonly StoredConversation[]> {
  const get = (path: string) => read(`${address}${path}`, key);
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const from: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = listed.parse(await get(`/v1/conversations?workspace_id=${workspaceId}&limit=100${from}`));
    ids.push(...page.conversations.map(({ id }) => id));
    cursor = page.pagination.next_cursor;
  }
  const stored: StoredConversation[] = [];
  for (const id of ids) {
    const page = messages.parse(
      await get(`/v1/conversations/${id}/messages?workspace_id=${workspaceId}&limit=100&order=asc`),
    );
    const saidBy = (speaker: string) => page.messages.filter(({ role }) => role === speaker);
    stored.push({
      turns: saidBy('user').map(({ content }) => content),
      answers: saidBy('assistant').length,
    });
  }
  return stored;
}

/** The request is repeated if the key has asked too often. */
async function read(url: string, key: string): Promise<unknown> {
  for (;;) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    if (response.ok) return response.json();
    const retryAfter = Number(response.headers.get('retry-after'));
    const words = await response.text();
    if (response.status !== 429) throw new BenchError(`${url}: ${response.status} ${words}`);
    await wait(Math.max(1, retryAfter) * 1_000);
  }
}

async function call({ address, adminToken }: Client, path: string, body: object): Promise<unknown> {
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new TypeError(`${path}: ${JSON.stringify(answer)}`);
  return answer;
}
