import { createHash, createHmac } from 'node:crypto';
import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface StoredObject {
  readonly text: string;
  readonly type?: string;
  readonly size?: number;
  readonly storage?: string;
}

/**
 * A bucket, by https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html and API_GetObject.html. It checks
 * signatures by https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html.
 */
export class S3StandIn implements ToolStandIn {
  readonly origin: string;
  readonly #folder: string;
  readonly objects = new Map<string, StoredObject>();
  /** Objects that the user may not get. */
  readonly forbidden = new Set<string>();
  pageSize = 2;

  /** `folder` is the name of the bucket where it is part of the path. */
  constructor(origin = 'https://acme-docs.s3.eu-central-1.amazonaws.com', folder = '') {
    this.origin = origin;
    this.#folder = folder;
  }

  set(key: string, text: string, more: Omit<StoredObject, 'text'> = {}): void {
    this.objects.set(key, { text, ...more });
  }

  respond(call: ToolCall): ToolAnswer {
    if (!call.headers.get('authorization')?.includes('Credential=right-key/')) {
      return failure(
        403,
        'InvalidAccessKeyId',
        'The AWS Access Key Id you provided does not exist in our records.',
      );
    }
    if (call.headers.get('authorization') !== expectedAuthorization(call)) {
      return failure(403, 'SignatureDoesNotMatch', 'The request signature we calculated does not match.');
    }
    const key = call.path.slice(this.#folder === '' ? 0 : 1).join('/');
    if (this.#folder !== '' && call.path[0] !== this.#folder)
      return failure(404, 'NoSuchBucket', 'No such bucket');
    if (key === '') return this.#list(call.query);
    if (this.forbidden.has(key)) return failure(403, 'AccessDenied', 'Access Denied');
    const object = this.objects.get(key);
    if (object === undefined) return failure(404, 'NoSuchKey', 'The specified key does not exist.');
    return { bytes: object.text, headers: { 'content-type': object.type ?? 'binary/octet-stream' } };
  }

  #list(query: URLSearchParams): ToolAnswer {
    const prefix = query.get('prefix') ?? '';
    const all = [...this.objects].filter(([key]) => key.startsWith(prefix)).sort();
    const from = Number(query.get('continuation-token')?.replace('token/+', '') ?? 0);
    const to = from + this.pageSize;
    const contents = all.slice(from, to).map(([key, { text, size = text.length, storage = 'STANDARD' }]) => {
      const etag = createHash('md5').update(text).digest('hex');
      const name = encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/');
      return `<Contents><Key>${name}</Key><ETag>&quot;${etag}&quot;</ETag><Size>${size}</Size><StorageClass>${storage}</StorageClass><Owner><ID>x</ID></Owner></Contents>`;
    });
    const more = to < all.length ? `<NextContinuationToken>token/+${to}</NextContinuationToken>` : '';
    const bytes = `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>acme-docs</Name><Prefix/><IsTruncated>${more !== ''}</IsTruncated>${contents.join('')}${more}</ListBucketResult>`;
    return { bytes, headers: { 'content-type': 'application/xml' } };
  }
}

function failure(status: number, code: string, message: string): ToolAnswer {
  const bytes = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, bytes, headers: { 'content-type': 'application/xml' } };
}

function expectedAuthorization({ method, url, headers, path }: ToolCall): string {
  const date = headers.get('x-amz-date') ?? '';
  const day = date.slice(0, 8);
  const region = /\.s3\.([\w-]+)\.amazonaws/.exec(url.host)?.[1] ?? 'us-east-1';
  const scope = `${day}/${region}/s3/aws4_request`;
  const signed = 'host;x-amz-content-sha256;x-amz-date';
  const payload = headers.get('x-amz-content-sha256') ?? '';
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');
  const canonical = [
    method,
    `/${path.map(encode).join('/')}`,
    query,
    `host:${url.host}`,
    `x-amz-content-sha256:${payload}`,
    `x-amz-date:${date}`,
    '',
    signed,
    payload,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join(
    '\n',
  );
  const start = Buffer.from('AWS4right-secret');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer>((before, part) => hmac(before, part), start);
  return `AWS4-HMAC-SHA256 Credential=right-key/${scope}, SignedHeaders=${signed}, Signature=${hmac(key, text).toString('hex')}`;
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
