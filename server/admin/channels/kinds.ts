import { z } from 'zod';
import { type AnyConnector, abilities, symbols } from '../../../core/contract/connector.ts';
import { isVisitorChannel } from '../../../core/contract/conversation-values.ts';
import type { Runtime } from '../../../core/runtime/runtime.ts';
import { type ChannelGuide, loadGuide } from '../../docs/channel-guide.ts';
import { needs } from '../../plugins/operator-access.ts';
import type { TypedApp } from '../../typed-app.ts';
import { operatorRoute } from '../operator-route.ts';

const spanSchema = z.object({
  text: z.string(),
  style: z.enum(['plain', 'strong', 'code']),
  href: z.string().nullable(),
});

const blockSchema = z
  .object({
    kind: z.enum(['text', 'code']),
    spans: z.array(spanSchema).meta({ description: 'The runs of a paragraph. Empty for code.' }),
    text: z.string().meta({ description: 'The code. Empty for a paragraph.' }),
  })
  .meta({ id: 'GuideBlock' });

/** The set-up steps of a channel, as its page of the documentation has them. */
export const guideSchema = z
  .object({
    steps: z.array(
      z.object({
        phase: z.enum(['before', 'add', 'after']).meta({
          description:
            'before: on the platform, before the channel is added. add: adds it in a terminal. after: needs the address of the channel.',
        }),
        blocks: z.array(blockSchema),
        values: z
          .array(z.object({ name: z.string(), value: z.string() }))
          .meta({ description: 'The values to paste on the platform that the step names.' }),
      }),
    ),
    notes: z.array(blockSchema),
    troubles: z.array(z.object({ symptom: z.array(spanSchema), remedy: z.array(spanSchema) })),
  })
  .meta({ id: 'ChannelGuide' });

export function presentGuide({ steps, notes, troubles }: ChannelGuide): z.output<typeof guideSchema> {
  return {
    steps: steps.map(({ phase, blocks, values }) => ({
      phase,
      blocks: blocks.map(presentBlock),
      values: [...values],
    })),
    notes: notes.map(presentBlock),
    troubles: troubles.map(({ symptom, remedy }) => ({ symptom: [...symptom], remedy: [...remedy] })),
  };
}

function presentBlock(block: ChannelGuide['notes'][number]): z.output<typeof blockSchema> {
  return block.kind === 'code'
    ? { kind: 'code', spans: [], text: block.text }
    : { kind: 'text', spans: [...block.spans], text: '' };
}

const facetNames = [...abilities, 'own_chat', 'mailbox'] as const;

const jsonSchema = z.record(z.string(), z.unknown());

const kindSchema = z
  .object({
    kind: z
      .string()
      .meta({ description: 'The value of `channel` when one is added. `api` is not added: it has keys.' }),
    summary: z
      .object({ en: z.string(), de: z.string() })
      .meta({ description: 'What people use it for, by language.' }),
    symbol: z.enum(symbols).meta({ description: 'Its symbol in the dashboard.' }),
    colour: z
      .object({ light: z.string(), dark: z.string() })
      .nullable()
      .meta({ description: 'The colour of the symbol on light and on dark ground. Null: that of the text.' }),
    credentials: jsonSchema.meta({
      description: 'The JSON schema of the credentials. Fields with the format `password` are secret.',
    }),
    settings: jsonSchema.meta({ description: 'The JSON schema of the settings.' }),
    intakes: z.array(z.enum(['webhook', 'listener'])).meta({
      description: 'How messages can come. None for channels that visitors reach directly.',
    }),
    public_url: z.enum(['required', 'optional', 'unused']).meta({
      description:
        'Whether the platform has to reach this installation. optional: without PUBLIC_URL, Parley holds a connection instead.',
    }),
    facets: z.array(z.enum(facetNames)).meta({
      description:
        'What the channel can do. own_chat: visitors use a chat of this installation, which has a look and sessions. mailbox: its servers can be found from an address.',
    }),
    guide: guideSchema,
  })
  .meta({ id: 'ChannelKind' });

const listKindsSchema = {
  ...operatorRoute,
  summary: 'List the kinds of channels',
  operationId: 'listChannelKinds',
  description:
    'Returns each kind with the JSON schemas of its credentials and settings, its set-up steps, and what it can do.',
  querystring: z.object({
    name: z.string().trim().min(1).max(200).default('Parley').meta({
      description: 'The name of the new channel. It stands in the texts to paste on the platform.',
    }),
  }),
  response: {
    200: z.object({
      kinds: z.array(kindSchema),
      public_url: z.string().nullable().meta({
        description: 'The address at which platforms reach this installation: PUBLIC_URL.',
      }),
    }),
  },
};

/** Registers the list of the kinds of channels. */
export function channelKindRoutes(app: TypedApp, { connectors, config }: Runtime): void {
  app.get('/channel-kinds', { schema: listKindsSchema, ...needs('self') }, async ({ query: { name } }) => {
    const kinds = await Promise.all(connectors.connectors.map((connector) => describeKind(connector, name)));
    return { kinds: [...kinds, await describeApi()], public_url: config.PUBLIC_URL ?? null };
  });
}

async function describeKind(connector: AnyConnector, name: string): Promise<z.output<typeof kindSchema>> {
  const { about, manifest } = connector;
  const values = connector.guideValues?.({ name, webhookUrl: null });
  const { channel } = manifest;
  return {
    kind: channel,
    summary: about.summary,
    symbol: about.symbol,
    colour: about.colour ?? null,
    credentials: toJsonSchema(manifest.credentials),
    settings: toJsonSchema(manifest.settings),
    intakes: [...about.intakes],
    public_url: findAddressNeed(about.intakes),
    facets: [
      ...about.abilities,
      ...(isVisitorChannel(channel) ? (['own_chat'] as const) : []),
      ...(connector.findServers === undefined ? [] : (['mailbox'] as const)),
    ],
    guide: presentGuide(await loadGuide(about.page, values)),
  };
}

function findAddressNeed(intakes: AnyConnector['about']['intakes']): 'required' | 'optional' | 'unused' {
  if (!intakes.includes('webhook')) return 'unused';
  return intakes.includes('listener') ? 'optional' : 'required';
}

/** The public API: it takes keys, not credentials, and is always on. */
async function describeApi(): Promise<z.output<typeof kindSchema>> {
  const nothing = toJsonSchema(z.object({}));
  return {
    kind: 'api',
    summary: { en: 'Your own apps, with a key', de: 'Ihre eigenen Programme, mit Schlüssel' },
    symbol: 'braces',
    colour: null,
    credentials: nothing,
    settings: nothing,
    intakes: [],
    public_url: 'unused',
    facets: ['streaming'],
    guide: presentGuide(await loadGuide('server/docs/pages/api.md')),
  };
}

/** The schema of what is given, in which fields with a default may be left out. */
function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return described;
}
