import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { SourceError } from '../../source-reader.ts';
import { maxFileBytes, refuseFile } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection, Refusal } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { apiPath, ToolClient } from '../kit/tool-client.ts';
import { microsoftToken } from './microsoft-tokens.ts';

const settingsSchema = z
  .object({
    site: z
      .string()
      .max(500)
      .regex(
        /^https:\/\/[\w-]+\.sharepoint\.com(\/[\w .~%-]+){0,5}\/?$/i,
        'Give an address such as https://acme.sharepoint.com/sites/help.',
      )
      .optional()
      .meta({
        description: 'SharePoint: the address of the site, such as `https://acme.sharepoint.com/sites/help`.',
      }),
    library: z.string().max(200).optional().meta({
      description:
        'SharePoint: the name of the document library, such as `Documents`. Empty: all of the site.',
    }),
    user: z.email().optional().meta({
      description: 'OneDrive: the sign-in name of the person whose files are read, instead of a site.',
    }),
  })
  .refine(({ site, user }) => (site === undefined) !== (user === undefined), {
    path: ['site'],
    message: 'Give either a site of SharePoint or the user of a OneDrive.',
  });

const credentialsSchema = z.object({
  tenant_id: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'Give the directory (tenant) ID.')
    .meta({ description: 'The directory (tenant) ID of the app registration, from Microsoft Entra.' }),
  client_id: z
    .string()
    .min(1)
    .max(100)
    .meta({ description: 'The application (client) ID of the app registration.' }),
  client_secret: z.string().min(1).meta({
    description:
      'A client secret of the app registration. The app needs the application permission Files.Read.All, or Sites.Selected with the right to the site.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** Files of SharePoint and OneDrive. https://learn.microsoft.com/en-us/graph/api/driveitem-delta */
export const microsoftKind = toolKind<Settings, Credentials>({
  kind: 'sharepoint',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials }, tools) {
    const tokens = microsoftToken(credentials, tools);
    const sign = async () => ({ authorization: `Bearer ${await tokens.get()}` });
    const client = new ToolClient({ name: 'Microsoft Graph', base: graph, headers: {}, sign }, tools);
    return { client, collections: [defineCollection(files(client, settings), client)] };
  },
});

const graph = 'https://graph.microsoft.com';
const fields = 'id,name,file,folder,package,malware,deleted,size,eTag,webUrl,parentReference';
const fileSchema = z.object({
  ...{ id: z.string(), name: z.string().nullish(), size: z.number().nullish(), eTag: z.string().nullish() },
  ...{ webUrl: z.string().nullish(), folder: z.unknown().optional(), package: z.unknown().optional() },
  ...{ deleted: z.unknown().optional(), malware: z.unknown().optional() },
  file: z.object({ mimeType: z.string().nullish() }).nullish(),
  parentReference: z.object({ driveId: z.string().nullish() }).nullish(),
});
const deltaSchema = z.object({
  value: z.array(fileSchema),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});
const drivesSchema = z.object({ value: z.array(z.object({ id: z.string(), name: z.string().nullish() })) });
const idSchema = z.object({ id: z.string() });

/** The places where the changes of drives begin, by the ids of the drives. */
const feedSchema = z.record(z.string(), z.string());
/** The drives that are left to list, next one last, where the list of that one goes on, and where those done ended. */
const cursorSchema = z.object({
  drives: z.array(z.string()),
  link: z.string().nullable(),
  feed: feedSchema,
  isOfChanges: z.boolean(),
});

interface DriveFile {
  readonly drive: string;
  readonly file: z.output<typeof fileSchema>;
}

function files(client: ToolClient, settings: Settings): Collection<DriveFile> {
  return {
    name: '',
    async list(value, since) {
      const before = feedSchema.nullable().catch(null).parse(since) ?? {};
      const cursor = value === null ? await start(client, { settings, before }) : cursorSchema.parse(value);
      const { drives, link, isOfChanges } = cursor;
      const drive = drives.at(-1);
      if (drive === undefined) return { records: [], next: null };
      const from = isOfChanges ? (before[drive] ?? null) : null;
      const page = await listDelta(client, drive, link ?? from);
      const files = page.value.filter((item) => item.folder === undefined && item.id !== 'root');
      const isDeleted = ({ deleted = null }: DriveFile['file']) => deleted !== null;
      const found = {
        records: files.filter((file) => !isDeleted(file)).map((file) => ({ drive, file })),
        gone: files.filter(isDeleted).map(({ id }) => `${drive}/${id}`),
        isOfChanges,
      };
      const next = followLink(drive, page['@odata.nextLink']);
      if (next !== null && next !== link) return { ...found, next: { ...cursor, link: next } };
      const end = followLink(drive, page['@odata.deltaLink']);
      const feed = end === null ? cursor.feed : { ...cursor.feed, [drive]: end };
      const left = drives.slice(0, -1);
      if (left.length > 0) return { ...found, next: { ...cursor, drives: left, link: null, feed } };
      return { ...found, next: null, feed };
    },
    describe: ({ drive, file: { id, name, webUrl: url, eTag } }) => ({
      ...{ id: `${drive}/${id}`, title: name, url },
      version: eTag ?? undefined,
    }),
    refuse: ({ file }) => refuse(file),
    async find(key) {
      const [drive = '', id = ''] = key.split('/');
      const query = { $select: fields };
      const file = await client.item(fileSchema, apiPath`/v1.0/drives/${drive}/items/${id}`, { query });
      return file === null || file.deleted !== undefined ? null : { drive, file };
    },
    async content({ drive, file: { id, name, file } }) {
      const path = apiPath`/v1.0/drives/${drive}/items/${id}/content`;
      const response = await client.bytes(path, { maxBytes: maxFileBytes });
      if (response === null) return null;
      return { bytes: response.bytes, contentType: file?.mimeType ?? '', fileName: name ?? '' };
    },
  };
}

interface Start {
  readonly settings: Settings;
  readonly before: z.output<typeof feedSchema>;
}

/** Changes are listed only if the drives are those of the last run: the files of one that is gone are deleted. */
async function start(client: ToolClient, { settings, before }: Start) {
  const drives = await findDrives(client, settings);
  const isOfChanges = isDeepStrictEqual(Object.keys(before).sort(), [...drives].sort());
  return { drives, link: null, feed: {}, isOfChanges };
}

/** The drives of a site, or the one of a user. Throws a SourceError. */
async function findDrives(client: ToolClient, { site, library, user }: Settings): Promise<string[]> {
  if (user !== undefined) {
    const { value } = await client.list(idSchema, apiPath`/v1.0/users/${user}/drive`, {
      query: { $select: 'id' },
    });
    return [value.id];
  }
  const { hostname, pathname } = new URL(site ?? 'https://invalid.sharepoint.com');
  const path = pathname === '/' ? '' : `:${pathname.replace(/\/$/, '')}:`;
  const { value: found } = await client.list(idSchema, `/v1.0/sites/${hostname}${path}`, {
    query: { $select: 'id' },
  });
  const { value } = await client.list(drivesSchema, apiPath`/v1.0/sites/${found.id}/drives`, {
    query: { $select: 'id,name' },
  });
  const wanted = value.value.filter(({ name }) => (library ?? '') === '' || name === library);
  if (wanted.length > 0) return wanted.map(({ id }) => id).reverse();
  const names = value.value.map(({ name }) => name).join(', ');
  throw new SourceError('source_missing', `The site has no document library of that name. It has: ${names}.`);
}

async function listDelta(client: ToolClient, drive: string, link: string | null) {
  const path = apiPath`/v1.0/drives/${drive}/root/delta`;
  const request = link === null ? { query: { $select: fields, $top: 200 } } : {};
  try {
    return (await client.list(deltaSchema, link ?? path, request)).value;
  } catch (error) {
    // Graph forgets places in its feed: https://learn.microsoft.com/en-us/graph/api/driveitem-delta#response
    const isExpired = link !== null && error instanceof SourceError && / status 410\b/.test(error.message);
    throw isExpired ? new SourceError('feed_expired', error.message, { cause: error }) : error;
  }
}

/** Returns the path of a link to the next page. Null if it leads elsewhere: the token goes to the drive's own list only. */
function followLink(drive: string, link: string | undefined): string | null {
  const url = URL.parse(link ?? '');
  if (url === null || url.origin !== graph) return null;
  const isOwn = decodeURI(url.pathname)
    .toLowerCase()
    .startsWith(`/v1.0/drives/${drive}/root/delta`.toLowerCase());
  return isOwn && !url.pathname.includes('..') ? url.pathname + url.search : null;
}

function refuse({ name, file, size, package: notebook, malware }: DriveFile['file']): Refusal | null {
  if ((malware ?? null) !== null) return { code: 'malware', reason: 'Microsoft found malware in the file.' };
  if ((notebook ?? null) !== null || (file ?? null) === null) {
    return { code: 'unknown_format', reason: 'Notebooks and other packages cannot be read.' };
  }
  return refuseFile({ name: name ?? '', contentType: file?.mimeType, bytes: size });
}
