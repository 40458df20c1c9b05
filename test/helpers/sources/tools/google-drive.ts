import { generateKeyPairSync } from 'node:crypto';
import { importSPKI, jwtVerify } from 'jose';
import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface File {
  readonly name: string;
  readonly mimeType: string;
  readonly parent: string;
  readonly modifiedTime?: string;
  readonly text?: string;
  readonly size?: string;
  readonly trashed?: boolean;
  /** Of a shortcut. */
  readonly target?: string;
  /** Google refuses to export it in these media types. */
  readonly largeAs?: readonly string[];
}

const keys = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** The file of a key, which also names an address to which no token must be sent. */
export const serviceAccount = {
  ...{ type: 'service_account', client_email: 'parley@acme.iam.gserviceaccount.com' },
  ...{ private_key: keys.privateKey, token_uri: 'https://elsewhere.example/token' },
};

/** Tokens by https://developers.google.com/identity/protocols/oauth2/service-account#httprest. */
export class GoogleTokenStandIn implements ToolStandIn {
  readonly origin = 'https://oauth2.googleapis.com';
  readonly now: () => Date;

  constructor(now: () => Date) {
    this.now = now;
  }

  async respond({ body }: ToolCall): Promise<ToolAnswer> {
    const key = await importSPKI(keys.publicKey, 'RS256');
    try {
      const { payload } = await jwtVerify<{ readonly scope?: string }>(
        new URLSearchParams(body).get('assertion') ?? '',
        key,
        {
          ...{
            issuer: serviceAccount.client_email,
            audience: `${this.origin}/token`,
            currentDate: this.now(),
          },
        },
      );
      if (payload.scope !== 'https://www.googleapis.com/auth/drive.readonly')
        return { status: 400, json: {} };
      return { json: { access_token: 'right-token', expires_in: 3599, token_type: 'Bearer' } };
    } catch {
      return { status: 400, json: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } };
    }
  }
}

/**
 * A drive, by https://developers.google.com/workspace/drive/api/reference/rest/v3/files (list, get, export) and
 * https://developers.google.com/workspace/drive/api/guides/handle-errors.
 */
export class GoogleDriveStandIn implements ToolStandIn {
  readonly origin = 'https://www.googleapis.com';
  readonly files = new Map<string, File>();
  /** Files that the account may not download. */
  readonly forbidden = new Set<string>();
  isIncomplete = false;
  pageSize = 2;

  set(id: string, more: Partial<File>): void {
    const file = { name: id, mimeType: 'application/vnd.google-apps.document', parent: 'root-folder' };
    this.files.set(id, { ...file, ...this.files.get(id), ...more });
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    if (headers.get('authorization') !== 'Bearer right-token') return failure(401, 'Invalid Credentials');
    if (path.slice(0, 3).join('/') !== 'drive/v3/files' || query.get('supportsAllDrives') === 'false')
      return missing('');
    const [, , , id, action] = path;
    if (id === undefined) return this.#list(query);
    const file = this.files.get(id);
    if (file === undefined) return missing(id);
    if (action === undefined && query.get('alt') !== 'media') return { json: view(id, file) };
    if (this.forbidden.has(id))
      return failure(403, 'The user does not have sufficient permissions for this file.');
    if (file.largeAs?.includes(query.get('mimeType') ?? '') === true)
      return failure(403, 'This file is too large to be exported.');
    const isGoogle = file.mimeType.startsWith('application/vnd.google-apps.');
    if (isGoogle !== (action === 'export')) return failure(403, 'Export only supports Docs Editors files.');
    return { bytes: isGoogle ? `${query.get('mimeType')} of ${id}` : (file.text ?? '') };
  }

  #list(query: URLSearchParams): ToolAnswer {
    const [, parent] = /^'([\w-]+)' in parents and trashed = false$/.exec(query.get('q') ?? '') ?? [];
    const all = [...this.files].filter(([, file]) => file.parent === parent && file.trashed !== true);
    const from = Number(query.get('pageToken') ?? 0);
    const to = from + this.pageSize;
    const files = all.slice(from, to).map(([id, file]) => view(id, file));
    return {
      json: {
        files,
        incompleteSearch: this.isIncomplete,
        ...(to < all.length && { nextPageToken: String(to) }),
      },
    };
  }
}

function view(
  id: string,
  { text, target, largeAs: __, parent: _, modifiedTime = '2026-01-01T00:00:00.000Z', ...file }: File,
) {
  return {
    trashed: false,
    ...file,
    id,
    modifiedTime,
    webViewLink: `https://docs.google.com/document/d/${id}/edit`,
    ...(text && { md5Checksum: `md5 of ${text}` }),
    ...(target !== undefined && { shortcutDetails: { targetId: target } }),
  };
}

function failure(code: number, message: string): ToolAnswer {
  return { status: code, json: { error: { code, message, errors: [{ domain: 'global', message }] } } };
}

function missing(id: string): ToolAnswer {
  return failure(404, `File not found: ${id}.`);
}
