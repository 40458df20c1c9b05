import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../connectors/registry.ts';
import { identifyVisitor } from '../../../core/answering/ask.ts';
import { maskQuestion } from '../../../core/answering/masking.ts';
import { disclosureText } from '../../../core/channels/disclosure.ts';
import { askForRating } from '../../../core/channels/ratings.ts';
import { sourceKinds } from '../../../core/sources/source-kinds.ts';
import type { Workspace } from '../../../core/workspaces/workspaces.ts';
import { describeSettings } from '../../../server/admin/settings/setting-descriptions.ts';
import { parseLook } from '../../../server/widget/look.ts';
import { plainTurn } from '../../helpers/models/plain-turn.ts';
import { openTestServer } from '../../helpers/servers/open-test-server.ts';

// A form draws a switch that is not set as its schema's default, and as off without one.

const { runtime, app, operate, makeWorkspace } = await openTestServer();
const database = runtime.database.kysely;

const secret = 'My card is 4111 1111 1111 1111.';
const mcpCall = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** Whether the server does in a workspace what the name of each switch says. */
const holds: Readonly<Record<string, (workspace: Workspace) => boolean | Promise<boolean>>> = {
  disclosure_enabled: ({ settings }) => disclosureText(settings, 'en') !== null,
  mask_secrets: (workspace) =>
    maskQuestion(workspace, { text: secret, earlierTurns: [], summary: null, overheard: [] }).text !== secret,
  require_identity_verification: (workspace) =>
    identifyVisitor(runtime, workspace, { token: null, user: null }).then(
      () => false,
      () => true,
    ),
  nlweb_enabled: async ({ id }) => (await app.inject(`/api/nlweb/${id}`)).statusCode !== 404,
  mcp_enabled: async ({ id }) => {
    const headers = { accept: 'application/json, text/event-stream' };
    const call = { method: 'POST', url: `/api/nlweb/${id}/mcp`, headers, payload: mcpCall } as const;
    return (await app.inject(call)).statusCode !== 404;
  },
  publish_needs_green: async ({ id }) => {
    const sets = `/workspaces/${id}/change-sets`;
    const change = { kind: 'settings', settings: { trace_days: 7 } };
    const { id: set } = (await operate('POST', sets, { name: 'Autumn', change })).json();
    return (await operate('POST', `${sets}/${set}/publish`)).json().code === 'change_set_not_green';
  },
  ask_for_rating: async ({ id: workspaceId }) => {
    const turn = plainTurn(workspaceId, { channel: 'widget' });
    const { conversationId } = await runtime.conversations.storeTurn(turn);
    await database.updateTable('message').set({ role: 'agent' }).where('role', '=', 'assistant').execute();
    const resolution = { ...{ workspaceId, conversationId, personId: null }, now: runtime.clock.now() };
    await database
      .transaction()
      .execute((transaction) =>
        askForRating(transaction, { ...resolution, accounts: new Map(), delayMs: 0 }),
      );
    const asked = database.selectFrom('conversation_rating').select('conversation_id');
    return (await asked.where('workspace_id', '=', workspaceId).execute()).length === 1;
  },
};

const { properties } = describeSettings({ plan: 'growth', settings: {} });
const switches = Object.entries(properties).filter(([, schema]) => Reflect.get(schema, 'type') === 'boolean');

test.each(switches)('the switch %s of a workspace shows what holds', async (name, schema) => {
  const drawn = Reflect.get(schema, 'default') === true;
  const observe = holds[name] ?? (() => expect.unreachable(`Say here how to see that ${name} is on.`));
  const find = async (settings: object) => {
    const { id } = await makeWorkspace({ plan: 'growth', settings });
    return runtime.workspaces.get(id);
  };
  expect(await observe(await find({}))).toBe(drawn);
  expect(await observe(await find({ [name]: !drawn }))).toBe(!drawn);
});

const fieldSchema = z.object({
  type: z.unknown().optional(),
  default: z.unknown().optional(),
  get properties() {
    return z.record(z.string(), fieldSchema).optional();
  },
});
type Field = z.output<typeof fieldSchema>;

/** Every switch below a schema, by its path. */
function listSwitches({ properties: fields = {} }: Field, above = ''): readonly (readonly [string, Field])[] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const inner = listSwitches(field, `${above}${key}.`);
    return field.type === 'boolean' ? [[`${above}${key}`, field] as const] : inner;
  });
}

const look: Readonly<Record<string, unknown>> = parseLook({ settings: {} });
const described = (schema: z.ZodType) =>
  listSwitches(fieldSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));

const ofChannels = connectors.flatMap(({ manifest: { channel, settings, credentials } }) =>
  [settings, credentials].flatMap((schema) =>
    described(schema).map(([path, field]) => [channel, path, field.default] as const),
  ),
);
const ofSources = sourceKinds({ folders: [] }).flatMap(({ kind, settings, credentials }) =>
  [settings, credentials].flatMap((schema) =>
    described(schema).map(([path, field]) => [kind, path, field.default] as const),
  ),
);

describe('switches of channels and sources', () => {
  test.each(ofChannels)('%s.%s names its default, or is off where it is read', (_kind, path, preset) => {
    // A schema with a default applies it when the settings are read. Chats of this server are read by their look.
    if (preset === undefined) expect(look[path]).toBe(false);
    else expect(preset).toBeTypeOf('boolean');
  });

  test.each(ofSources)('%s.%s names its default', (_kind, _path, preset) => {
    expect(preset).toBeTypeOf('boolean');
  });
});
