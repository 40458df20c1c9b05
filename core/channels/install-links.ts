import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** A link's target: the workspace to install the channel's app for. */
interface InstallLink {
  readonly channelId: string;
  readonly workspaceId: string;
}

const validMs = 60 * 60 * 1_000;

/** One-time links for installing an app, valid for one hour. */
export class InstallLinks {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** Creates a link. The token is returned only here; the database stores its hash. */
  async create({ channelId, workspaceId }: InstallLink): Promise<{ token: string; expiresAt: Date }> {
    const { database, clock } = this.#stores;
    const now = clock.now();
    const token = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now.getTime() + validMs);
    await database.deleteFrom('install_link').where('expires_at', '<', now).execute();
    await database
      .insertInto('install_link')
      .values({
        token_hash: hashToken(token),
        channel_id: channelId,
        workspace_id: workspaceId,
        expires_at: expiresAt,
        used_at: null,
      })
      .execute();
    return { token, expiresAt };
  }

  /** Throws `install_link_not_found`, also for a used link. */
  async find(token: string): Promise<InstallLink> {
    const row = await this.#valid(token).executeTakeFirst();
    return linkFromRow(row);
  }

  /**
   * Marks the link as used. If several requests use it concurrently, one succeeds; the others get
   * `install_link_not_found`.
   */
  async use(token: string): Promise<InstallLink> {
    const { database, clock } = this.#stores;
    const row = await database
      .updateTable('install_link')
      .set({ used_at: clock.now() })
      .where('token_hash', '=', hashToken(token))
      .where('token_hash', 'in', this.#valid(token).clearSelect().select('token_hash'))
      .where('used_at', 'is', null)
      .returning(['channel_id', 'workspace_id'])
      .executeTakeFirst();
    return linkFromRow(row);
  }

  /** Makes the link usable again after a failed installation. */
  async release(token: string): Promise<void> {
    await this.#stores.database
      .updateTable('install_link')
      .set({ used_at: null })
      .where('token_hash', '=', hashToken(token))
      .execute();
  }

  #valid(token: string) {
    const { database, clock } = this.#stores;
    return database
      .selectFrom('install_link')
      .innerJoin('workspace', 'workspace.id', 'install_link.workspace_id')
      .select(['install_link.channel_id', 'install_link.workspace_id'])
      .where('token_hash', '=', hashToken(token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', clock.now())
      .where('workspace.deleted_at', 'is', null);
  }
}

function linkFromRow(
  row: { readonly channel_id: string; readonly workspace_id: string } | undefined,
): InstallLink {
  if (row === undefined) throw new AppError('install_link_not_found');
  return { channelId: row.channel_id, workspaceId: row.workspace_id };
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Returns the OAuth `state`: the link, and a hash that binds it to the browser without revealing the browser's cookie.
 */
export function writeInstallState(link: string, browser: string): string {
  return `${link}.${signState(link, browser)}`;
}

/** Parses a state, and checks that the same browser started the installation. */
export function readInstallState(
  state: string,
  browser: string | null,
): { readonly link: string; readonly isSameBrowser: boolean } {
  const [link = '', mark = ''] = state.split('.');
  const expected = Buffer.from(signState(link, browser ?? ''));
  const actual = Buffer.from(mark);
  const isSame = actual.length === expected.length && timingSafeEqual(actual, expected);
  return { link, isSameBrowser: browser !== null && isSame };
}

function signState(link: string, browser: string): string {
  return createHash('sha256').update(`${link}.${browser}`).digest('base64url');
}
