import { expect, test, vi } from 'vitest';
import { start } from '../../../workers/main.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import { openTestRuntime } from '../../helpers/servers/open-test-runtime.ts';

const time = { now: new Date('2026-03-01T10:00:00Z') };
const runtime = await openTestRuntime({ clock: { now: () => time.now } });
const { workspace } = await runtime.workspaces.create({ name: 'Test' });

test('the worker runs maintenance at its start, and stops on request', async () => {
  const { conversationId } = await runtime.conversations.storeTurn(plainTurn(workspace.id));
  time.now = new Date('2026-04-01T10:00:00Z');
  const worker = await start(runtime, ['housekeeping']);
  await vi.waitFor(
    async () => {
      const user = { ownerId: workspace.owner, name: 'Test' };
      await expect(runtime.inbox.get(user, conversationId)).rejects.toMatchObject({
        code: 'conversation_not_found',
      });
    },
    { timeout: 20_000 },
  );
  await worker.stop();
});
