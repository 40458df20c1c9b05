import type { Turn } from '../../../core/conversations/messages/turn.ts';
import { plainTurn } from '../models/plain-turn.ts';
import { openTestServer } from './open-test-server.ts';

/** A server with a workspace, at a time that the test sets. */
export async function openConversationServer() {
  const time = { now: new Date('2026-03-01T10:00:00.000Z') };
  const environment = { PUBLIC_URL: 'http://parley.example' };
  const server = await openTestServer({ runtime: { clock: { now: () => time.now }, environment } });
  const workspace = await server.makeWorkspace();
  return {
    ...server,
    time,
    workspace,
    /** A call with the workspace's key, or another. */
    call: (
      method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
      path: string,
      { payload, key = workspace.key }: { readonly payload?: object; readonly key?: string } = {},
    ) =>
      server.app.inject({
        method,
        url: `/v1${path}`,
        headers: { authorization: `Bearer ${key}` },
        ...(payload === undefined ? {} : { payload }),
      }),
    /** Stores a question with its answer. Returns the id of the conversation. */
    async say(change: Partial<Turn> = {}): Promise<string> {
      const turn = plainTurn(change.workspaceId ?? workspace.id, change);
      return (await server.runtime.conversations.storeTurn(turn)).conversationId;
    },
    /** Lets so many milliseconds pass. */
    pass(ms: number) {
      time.now = new Date(time.now.getTime() + ms);
    },
  };
}
