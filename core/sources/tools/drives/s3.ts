import { AwsV4Signer } from 'aws4fetch';
import { z } from 'zod';
import type { GuardedResponse } from '../../../base/http-client.ts';
import { isListedDocument, unreadableReason } from '../../../knowledge/loaders/declared-format.ts';
import {
  elementsOf,
  findChild,
  parseXml,
  textOf,
  type XmlElement,
} from '../../../knowledge/loaders/office/read-xml.ts';
import { SourceError } from '../../source-reader.ts';
import { maxFileBytes } from '../kit/attachments.ts';
import { defineCollection } from '../kit/collection.ts';
import type { Collection, Refusal } from '../kit/declaration.ts';
import { toolKind } from '../kit/tool.ts';
import { baseAddress, ToolClient } from '../kit/tool-client.ts';
import { webPath } from '../repositories/repository.ts';

const settingsSchema = z.object({
  bucket: z
    .string()
    .regex(/^[a-z\d][\w-]{0,62}(\.[a-z\d][\w-]{0,62}){0,20}$/i, 'Give the name of the bucket alone.')
    .meta({ description: 'The name of the bucket.' }),
  region: z
    .string()
    .regex(/^[a-z\d][a-z\d-]{0,40}$/, 'Give a region such as eu-central-1.')
    .default('us-east-1')
    .meta({ description: 'The region of the bucket, such as `eu-central-1`. For Cloudflare R2: `auto`.' }),
  prefix: z.string().max(1_000).optional().meta({
    description:
      'Read only objects whose keys begin with this text, such as `manuals/`. Empty: the whole bucket.',
  }),
  endpoint: baseAddress.optional().meta({
    description:
      'Only for a storage other than Amazon S3 (MinIO, Cloudflare R2, Hetzner, …): its address, without the bucket.',
  }),
  public_address: baseAddress.optional().meta({
    description:
      'Where visitors find the objects, such as `https://files.acme.example`: the key of an object is added. Empty: answers do not link to them.',
  }),
});

const credentialsSchema = z.object({
  access_key_id: z.string().min(1).max(200).meta({
    description:
      'The access key of a user who may list the bucket and get its objects: `s3:ListBucket`, `s3:GetObject`.',
  }),
  secret_access_key: z.string().min(1).meta({
    description: 'The secret of the access key. AWS shows it once.',
    format: 'password',
  }),
});

type Settings = z.output<typeof settingsSchema>;
type Credentials = z.output<typeof credentialsSchema>;

/** Objects of a bucket. https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
export const s3Kind = toolKind<Settings, Credentials>({
  kind: 's3',
  settings: settingsSchema,
  credentials: credentialsSchema,
  open({ settings, credentials }, tools) {
    const sign = async (url: string) => {
      const signer = new AwsV4Signer({
        ...{ url, method: 'GET', service: 's3', region: settings.region },
        ...{ accessKeyId: credentials.access_key_id, secretAccessKey: credentials.secret_access_key },
        datetime: tools
          .now()
          .toISOString()
          .replaceAll(/[:-]|\.\d{3}/g, ''),
      });
      const { headers } = await signer.sign();
      return Object.fromEntries([...headers].filter(([name]) => name !== 'host'));
    };
    const api = { name: 'S3', base: baseOf(settings), headers: {}, sign, isLimited };
    const client = new ToolClient(api, tools);
    return { client, collections: [defineCollection(objects(client, settings), client)] };
  },
});

const cursorSchema = z.string().nullable();

function objects(client: ToolClient, settings: Settings): Collection<S3Object> {
  const { public_address: address } = settings;
  return {
    name: '',
    async list(cursor) {
      const token = cursorSchema.parse(cursor);
      const response = await client.send('/', {
        query: {
          ...{ 'list-type': 2, 'max-keys': 1_000, 'encoding-type': 'url' },
          ...{ prefix: settings.prefix || undefined, 'continuation-token': token ?? undefined },
        },
      });
      const { objects: found, next } = parseList(response);
      // Consoles make objects with a slash at their end to show a folder.
      return { records: found.filter(({ key }) => !key.endsWith('/')), next };
    },
    describe: ({ key, etag }) => ({
      id: key,
      url: address === undefined ? undefined : `${address}/${webPath(key)}`,
      version: etag === '' ? undefined : etag,
    }),
    refuse,
    find: async (key) => ({ key }),
    async content({ key }) {
      const response = await client.bytes(`/${webPath(key)}`, { maxBytes: maxFileBytes });
      if (response === null) return null;
      const contentType = response.headers.get('content-type') ?? '';
      return { bytes: response.bytes, contentType, fileName: nameOf(key) };
    },
  };
}

/** The name of a bucket with a dot is not covered by the certificate of the host, so it goes into the path. */
function baseOf({ endpoint, bucket, region }: Settings): string {
  if (endpoint !== undefined) return `${endpoint}/${bucket}`;
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const inPath = bucket.includes('.') || bucket !== bucket.toLowerCase() || bucket.includes('_');
  return inPath ? `https://s3.${region}.${domain}/${bucket}` : `https://${bucket}.s3.${region}.${domain}`;
}

interface S3Object {
  readonly key: string;
  /** Known from the list only, as all that follows. */
  readonly etag?: string;
  readonly size?: number;
  readonly storage?: string;
}

function refuse({ key, size = 1, storage }: S3Object): Refusal | null {
  if (!isUsable(key)) return unusable;
  if (!isListedDocument(null, nameOf(key))) return unreadableReason(nameOf(key));
  if (storage === 'GLACIER' || storage === 'DEEP_ARCHIVE') {
    return { code: 'archived', reason: `The object is in the archive ${storage}. Restore it first.` };
  }
  if (size === 0) return { code: 'empty', reason: 'The object is empty.' };
  if (size <= maxFileBytes) return null;
  return { code: 'too_large', reason: `The object is larger than ${Math.floor(maxFileBytes / 2 ** 20)} MB.` };
}

const unusable = {
  code: 'unusable_key',
  reason: 'Its key has a part that is "." or "..", which cannot be requested.',
};

/** Clients resolve such parts, which would request another object. */
function isUsable(key: string): boolean {
  return key !== '' && !key.split('/').some((part) => part === '.' || part === '..');
}

function nameOf(key: string): string {
  return key.split('/').at(-1) ?? key;
}

/** Buckets answer 503 if there are too many requests: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
function isLimited({ status }: GuardedResponse, words: () => string): boolean {
  return status === 503 && /reduce your request rate/i.test(words());
}

interface ObjectList {
  readonly objects: readonly S3Object[];
  readonly next: string | null;
}

/** Throws a SourceError. */
function parseList({ bytes }: GuardedResponse): ObjectList {
  try {
    const list = parseXml(bytes, 'The list');
    if (list.name !== 'ListBucketResult') throw new TypeError('not a list of objects');
    const next = field(list, 'IsTruncated') === 'true' ? field(list, 'NextContinuationToken') : null;
    if (next === '') throw new TypeError('no place to continue');
    return { objects: elementsOf(list, 'Contents').map(toObject), next };
  } catch (cause) {
    const reason = 'The answer is not the list of a bucket. Check the address of the storage.';
    throw new SourceError('unexpected_answer', reason, { cause });
  }
}

function field(parent: XmlElement, name: string): string {
  return textOf(findChild(parent, name));
}

function toObject(object: XmlElement): S3Object {
  return {
    key: decodeURIComponent(field(object, 'Key').replaceAll('+', ' ')),
    etag: field(object, 'ETag').replaceAll('"', ''),
    size: Number(field(object, 'Size') || Number.NaN),
    storage: field(object, 'StorageClass'),
  };
}
