import { z } from 'zod';
import { defineCollection } from '../../../../core/sources/tools/kit/collection.ts';
import type { Collection } from '../../../../core/sources/tools/kit/declaration.ts';
import { toolKind } from '../../../../core/sources/tools/kit/tool.ts';
import { apiPath, ToolClient } from '../../../../core/sources/tools/kit/tool-client.ts';

const settingsSchema = z.object({
  shelf: z.string().min(1).max(100).meta({ description: 'The name of the shelf, as in its address.' }),
});

const credentialsSchema = z.object({
  api_token: z.string().min(1).meta({ description: 'From your profile at Shelf.', format: 'password' }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** The pages of a shelf. Start a kind of source of your own from it: `npm run new -- source NAME`. */
export const shelfKind = toolKind<Settings, Credentials>({
  kind: 'shelf',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials }, tools) {
    const headers = { authorization: `Bearer ${credentials.api_token}` };
    const client = new ToolClient({ name: 'Shelf', base: 'https://api.shelf.example', headers }, tools);
    return { client, collections: [defineCollection(pages(client, settings), client)] };
  },
});

const fileSchema = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  changed_at: z.string(),
});
const pageSchema = z.object({
  ...{ id: z.string(), title: z.string(), url: z.string(), changed_at: z.string() },
  ...{ is_draft: z.boolean().optional(), html: z.string().optional(), files: z.array(fileSchema).optional() },
});
type Page = z.output<typeof pageSchema>;

const listSchema = z.object({ pages: z.array(pageSchema), next: z.string().nullable() });

/** The list names every page, so a page that is missing from it is gone. */
function pages(client: ToolClient, { shelf }: Settings): Collection<Page> {
  return {
    name: '',
    async list(cursor) {
      const after = z.string().nullable().parse(cursor) ?? undefined;
      const { value } = await client.list(listSchema, apiPath`/v1/shelves/${shelf}/pages`, {
        query: { after },
      });
      return { records: value.pages, next: value.next };
    },
    describe: ({ id, title, url, changed_at: version }) => ({ id, title, url, version }),
    refuse: ({ is_draft: isDraft }) =>
      isDraft === true ? { code: 'draft', reason: 'The page is a draft.' } : null,
    find: (id) => client.item(pageSchema, apiPath`/v1/pages/${id}`),
    content: ({ html }) => ({ bytes: html ?? '', contentType: 'text/html; charset=utf-8' }),
    attachments: ({ files = [] }) => files.map(({ changed_at: version, ...file }) => ({ ...file, version })),
  };
}
