import { afterAll } from 'vitest';
import { receiveDeliveries } from '../../../core/channels/inbound/receive-deliveries.ts';
import type { About, AnyConnector } from '../../../core/contract/connector.ts';
import type { Delivery } from '../../../core/contract/inbound.ts';
import type { ReplyLimits } from '../../../core/contract/outbound.ts';
import { ingestDocument } from '../../../core/knowledge/indexing/ingest-document.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import type { WorkspaceSettings } from '../../../core/workspaces/workspace-settings.ts';
import { runAnswerWorker } from '../../../workers/answer/worker.ts';
import { runDeliverWorker } from '../../../workers/deliver/worker.ts';
import { deliveryOf, type FakeMessage, fakeChannel } from '../platforms/fake/channel.ts';
import { openTestRuntime, type TestRuntimeOptions } from '../servers/open-test-runtime.ts';
import { addTestChannel } from './add-test-channel.ts';

interface PipelineOptions extends TestRuntimeOptions {
  readonly alter?: (runtime: Runtime) => Partial<Runtime>;
  readonly settings?: WorkspaceSettings;
  /** The kind of the channel; a kind that no product knows if absent. */
  readonly kind?: string;
  readonly replyLimits?: ReplyLimits;
  /** Where its visitors learn that a machine answers, now; by its interface when absent. */
  readonly disclosure?: () => About['disclosure'];
}

/** A channel with a platform of its own, and workers that answer on it; stopped after the test file. */
export async function openTestPipeline({
  alter,
  settings = {},
  kind = 'fake',
  replyLimits,
  disclosure,
  ...options
}: PipelineOptions = {}) {
  const opened = await openTestRuntime(options);
  const { platform, connector: fake } = fakeChannel(kind, replyLimits);
  const connector: AnyConnector = {
    ...fake,
    get about() {
      return disclosure === undefined ? fake.about : { ...fake.about, disclosure: disclosure() };
    },
  };
  const connectors = { connectors: [connector], findConnector: () => connector };
  const runtime: Runtime = { ...opened, connectors, ...alter?.(opened) };
  const { database } = runtime;
  const { secretBox } = runtime.installation;
  const { workspace } = await runtime.workspaces.create({ name: 'Test', settings });
  const own = { workspaceId: workspace.id, channel: kind, secretBox };
  const channelId = await addTestChannel(database.kysely, own);
  const start = () => Promise.all([runAnswerWorker(runtime), runDeliverWorker(runtime)]);
  let running: Awaited<ReturnType<typeof start>> | undefined;
  const stop = async () => {
    await Promise.all((running ?? []).map((end) => end()));
    running = undefined;
  };
  afterAll(stop);
  const stores = { ...runtime, database: database.kysely };
  const channel = { id: channelId, workspaceId: workspace.id };
  const receiveIn = (id: string, messages: readonly FakeMessage[]) =>
    receiveDeliveries(
      stores,
      { ...channel, id },
      messages.map((each) => deliveryOf(each)),
    );
  return {
    runtime,
    workspace,
    channel,
    platform,
    async start() {
      running = await start();
    },
    stop,
    /** Another channel of the workspace, under the first one's app. */
    addChild: () => addTestChannel(database.kysely, { ...own, parentId: channelId }),
    receive: (...messages: readonly FakeMessage[]) => receiveIn(channelId, messages),
    receiveIn,
    receiveRaw: (deliveries: readonly Delivery[]) => receiveDeliveries(stores, channel, deliveries),
    async addDocument(text: string) {
      const added = await runtime.documents.add({ workspaceId: workspace.id, bytes: Buffer.from(text) });
      await ingestDocument({ ...runtime, database: database.kysely }, added.id);
    },
    /** Returns the messages of all conversations of the channel, in order. */
    messages: () =>
      database.kysely
        .selectFrom('message')
        .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
        .select(['message.role', 'message.content', 'conversation.session_id', 'conversation.status'])
        .where('message.workspace_id', '=', workspace.id)
        .orderBy('conversation.session_id')
        .orderBy('message.position')
        .execute(),
    parts: () =>
      database.kysely
        .selectFrom('outbound_part')
        .select(['status', 'attempts', 'failure', 'part'])
        .where('channel_id', '=', channelId)
        .orderBy('number')
        .execute(),
  };
}
