import type { ToolAnswer, ToolCall, ToolStandIn } from './tool-bench.ts';

interface DriveFile {
  readonly name: string;
  readonly type: string;
  readonly text: string;
  readonly eTag: string;
  readonly size?: number;
  readonly isNotebook?: boolean;
  readonly isMalware?: boolean;
}

/** Tokens by https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow. */
export class MicrosoftTokenStandIn implements ToolStandIn {
  readonly origin = 'https://login.microsoftonline.com';

  respond({ path, body }: ToolCall): ToolAnswer {
    const form = new URLSearchParams(body);
    const isRight = path[0] === 'acme.onmicrosoft.com' && form.get('client_secret') === 'right-secret';
    const isAsked =
      form.get('grant_type') === 'client_credentials' &&
      form.get('scope') === 'https://graph.microsoft.com/.default';
    if (isRight && isAsked)
      return { json: { token_type: 'Bearer', expires_in: 3599, access_token: 'right-token' } };
    const description = 'AADSTS7000215: Invalid client secret provided.';
    return { status: 401, json: { error: 'invalid_client', error_description: description } };
  }
}

/**
 * A site with one library, by https://learn.microsoft.com/en-us/graph/api/driveitem-delta, /site-getbypath, /drive-list and
 * /driveitem-get-content (which leads to an address without a token).
 */
export class GraphStandIn implements ToolStandIn {
  readonly origin = 'https://graph.microsoft.com';
  readonly files = new Map<string, DriveFile>();
  /** Files that the app may not open. */
  readonly forbidden = new Set<string>();
  pageSize = 2;
  /** Every change of a file, oldest first: tokens of the change feed are places in it. */
  readonly #changes: string[] = [];
  #oldest = 0;

  set(id: string, more: Partial<DriveFile>): void {
    const file = { name: `${id}.md`, type: 'text/markdown', text: 'Text', eTag: '1' };
    this.files.set(id, { ...file, ...this.files.get(id), ...more });
    this.#changes.push(id);
  }

  delete(id: string): void {
    this.files.delete(id);
    this.#changes.push(id);
  }

  /** Every place in the feed that was given out is unknown from now on. */
  forget(): void {
    this.#oldest = this.#changes.length + 1;
    this.#changes.push('root');
  }

  respond({ path, query, headers }: ToolCall): ToolAnswer {
    if (headers.get('authorization') !== 'Bearer right-token')
      return failure(401, 'InvalidAuthenticationToken');
    const [version, resource, id = '', part, item = '', content] = path;
    if (version !== 'v1.0') return failure(404, 'itemNotFound');
    if (resource === 'sites') return this.#site(id, part);
    if (resource === 'users')
      return id === 'ann@acme.example' ? { json: { id: 'b!drive' } } : failure(404, 'itemNotFound');
    if (resource !== 'drives' || id !== 'b!drive') return failure(404, 'itemNotFound');
    if (part === 'root') return this.#delta(query);
    const file = this.files.get(item);
    if (file === undefined) return failure(404, 'itemNotFound');
    if (content !== 'content') return { json: view(item, file) };
    if (this.forbidden.has(item)) return failure(403, 'accessDenied');
    return { bytes: file.text, headers: { 'content-type': 'application/octet-stream' } };
  }

  #site(id: string, part: string | undefined): ToolAnswer {
    if (id === 'site-1') return { json: { value: [{ id: 'b!drive', name: 'Documents' }] } };
    const isKnown = id === 'acme.sharepoint.com:' && part === 'sites';
    return isKnown ? { json: { id: 'site-1' } } : failure(404, 'itemNotFound');
  }

  /** A token is the place in the list of changes from which on they are wanted, and how many were given. */
  #delta(query: URLSearchParams): ToolAnswer {
    const [since = 0, given = 0] = (query.get('token') ?? '').split('.').map(Number);
    if (since > 0 && since < this.#oldest) return failure(410, 'resyncRequired');
    const changed = since === 0 ? [...this.files.keys()] : [...new Set(this.#changes.slice(since))];
    const all = [{ id: 'root', name: 'root', folder: {} }, ...changed.map((id) => this.#entry(id))];
    const value = all.slice(given, given + this.pageSize);
    const base = `${this.origin}/v1.0/drives/b!drive/root/delta?token=`;
    const isMore = given + this.pageSize < all.length;
    const link = isMore
      ? { '@odata.nextLink': `${base}${since}.${given + this.pageSize}` }
      : { '@odata.deltaLink': `${base}${this.#changes.length}.0` };
    return { json: { value, ...link } };
  }

  #entry(id: string) {
    const file = this.files.get(id);
    return file === undefined ? { id, deleted: { state: 'deleted' } } : view(id, file);
  }
}

function view(id: string, { name, type, text, eTag, size, isNotebook, isMalware }: DriveFile) {
  return {
    ...{ id, name, eTag, size: size ?? text.length },
    ...(isNotebook === true ? { package: { type: 'oneNote' } } : { file: { mimeType: type } }),
    ...(isMalware === true && { malware: { description: 'Virus' } }),
    webUrl: `https://acme.sharepoint.com/sites/help/Documents/${name}`,
    parentReference: { driveId: 'b!drive' },
  };
}

function failure(status: number, code: string): ToolAnswer {
  return { status, json: { error: { code, message: `Graph says ${code}.` } } };
}
