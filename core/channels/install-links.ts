import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Tables } from '../storage/tables/tables.ts';

interface Stores {
  readonly database: Kysely<Tables>;
  readonly clock: Clock;
}

/** For which workspace a link lets the app of which channel in. */
export interface InstallLink {
  readonly channelId: string;
  readonly workspaceId: string;
}

const validMs = 60 * 60 * 1_000;

/** Links by which people install apps: each may be used once, within an hour. */
export class InstallLinks {
  readonly #stores: Stores;

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** Its token is in this answer only. */
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

  /** Throws `install_link_not_found`, also for one that was used. */
  async find(token: string): Promise<InstallLink> {
    const row = await this.#valid(token).executeTakeFirst();
    return linkFromRow(row);
  }

  /** Uses it up: of several who try at once one does. Throws `install_link_not_found` for the others. */
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

  /** It may be used again: nothing came of it. */
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

/** What the platform is given to bring back: a link, and which browser it was opened in without telling that. */
export function writeInstallState(link: string, browser: string): string {
  return `${link}.${signState(link, browser)}`;
}

/** The link of a state, and whether this browser began it. */
export function readInstallState(
  state: string,
  browser: string | null,
): { readonly link: string; readonly isSameBrowser: boolean } {
  const [link = '', mark = ''] = state.split('.');
  const expected = Buffer.from(signState(link, browser ?? ''));
  const given = Buffer.from(mark);
  const isSame = given.length === expected.length && timingSafeEqual(given, expected);
  return { link, isSameBrowser: browser !== null && isSame };
}

function signState(link: string, browser: string): string {
  return createHash('sha256').update(`${link}.${browser}`).digest('base64url');
}
