import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseApiDescription } from '../../knowledge/loaders/data/load-data.ts';
import { apiTitle, listOperations, renderOverview } from '../../knowledge/loaders/data/openapi-markdown.ts';
import { ItemError, SourceError } from '../source-reader.ts';
import { defineCollection } from './kit/collection.ts';
import type { Collection } from './kit/declaration.ts';
import { toolKind } from './kit/tool.ts';
import { ToolClient } from './kit/tool-client.ts';

const settingsSchema = z.object({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .meta({
      description:
        'The address of the description, as JSON or YAML: `https://api.acme.example/openapi.json`.',
    }),
  public_address: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional()
    .meta({
      description: 'The page where people read the reference. Empty: answers link to the description itself.',
    }),
});

const credentialsSchema = z.object({
  token: z.string().min(1).optional().meta({
    description: 'A bearer token, if the description is not public.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** The operations of an API that an OpenAPI or Swagger description names. https://spec.openapis.org/oas/latest.html */
export const openapiKind = toolKind<Settings, Credentials>({
  kind: 'openapi',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials: { token } }, tools) {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const base = new URL(settings.url).origin;
    const client = new ToolClient({ name: 'The server', base, headers }, tools);
    return { client, collections: [defineCollection(operations(client, settings), client)] };
  },
});

interface Operation {
  readonly name: string;
  readonly markdown: string;
}

const MOST_BYTES = 20 * 2 ** 20;
const OVERVIEW = 'overview';

function operations(client: ToolClient, settings: Settings): Collection<Operation> {
  const { pathname, search } = new URL(settings.url);
  const load = async (): Promise<readonly Operation[]> => {
    const { bytes } = await client.send(pathname + search, { maxBytes: MOST_BYTES });
    const api = parseApiDescription(bytes);
    if (api === null) {
      const reason = 'The address does not answer with an OpenAPI or Swagger description in JSON or YAML.';
      throw new SourceError('unexpected_answer', reason);
    }
    const title = apiTitle(api);
    const found = [...listOperations(api)].map(({ name, text }) => {
      return { name, markdown: `# ${name}\n\nAPI: ${title}\n\n${text}\n` };
    });
    return [{ name: OVERVIEW, markdown: renderOverview(api) }, ...found];
  };
  return {
    name: '',
    isListedWhole: true,
    list: async () => ({ records: await load(), next: null }),
    describe: ({ name, markdown }) => ({
      id: name,
      title: name === OVERVIEW ? undefined : name,
      url: settings.public_address ?? settings.url,
      version: createHash('sha256').update(markdown).digest('base64url'),
    }),
    async find(id) {
      try {
        return (await load()).find(({ name }) => name === id) ?? null;
      } catch (error) {
        if (error instanceof SourceError && error.code === 'tool_down')
          throw new ItemError('tool_down', error.message, { cause: error });
        throw error;
      }
    },
    content: ({ markdown }) => ({ bytes: markdown, contentType: 'text/markdown' }),
  };
}
