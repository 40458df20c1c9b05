import type { Kysely } from 'kysely';
import type { Clock } from '../../core/base/clock.ts';
import type { Logger } from '../../core/base/log.ts';
import type { ConnectorRegistry } from '../../core/channels/connector-registry.ts';
import type { Mailer } from '../../core/channels/mailer.ts';
import type { Config } from '../../core/config/config.ts';
import { claimDigest, findRecipients, type Recipient, settleDigest } from '../../core/inbox/digests.ts';
import type { Tables } from '../../core/storage/tables/tables.ts';
import { renderDigest } from './render-digest.ts';

export interface DigestDependencies {
  readonly database: { readonly kysely: Kysely<Tables> };
  readonly clock: Clock;
  readonly config: Pick<Config, 'PUBLIC_URL'>;
  readonly connectors: Pick<ConnectorRegistry, 'findConnector'>;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Returns null if the workspace has no way to send mail. */
  readonly findMailer: (workspaceId: string) => Promise<Mailer | null>;
}

const MINUTE_MS = 60_000;
/** A slow mail server holds up the other work of the round no longer. */
const ROUND_MS = MINUTE_MS;

/**
 * Mails people about mentions, assigned conversations, and those that visitors opened again, if they have not seen
 * them: one mail for each person and workspace. It sends nothing without PUBLIC_URL, and in workspaces without a
 * mailer.
 */
export async function mailDigests(dependencies: DigestDependencies, signal: AbortSignal): Promise<void> {
  const { database, clock, config, log, findMailer } = dependencies;
  if (config.PUBLIC_URL === undefined) return;
  const start = clock.now();
  // The map holds the mailers by workspace, for this round. Null: there is none, or it failed.
  const mailers = new Map<string, Mailer | null>();
  for (const recipient of await findRecipients(database.kysely, start)) {
    if (signal.aborted || clock.now().getTime() - start.getTime() > ROUND_MS) return;
    const { workspaceId } = recipient;
    try {
      if (!mailers.has(workspaceId)) {
        mailers.set(workspaceId, null);
        mailers.set(workspaceId, await findMailer(workspaceId));
      }
      const mailer = mailers.get(workspaceId) ?? null;
      if (mailer === null) continue;
      if (!(await mailDigest(dependencies, { recipient, mailer, base: config.PUBLIC_URL }))) {
        mailers.set(workspaceId, null);
      }
    } catch (err) {
      log.error({ err, ...recipient }, 'digest not mailed');
    }
  }
}

interface Delivery {
  readonly recipient: Recipient;
  readonly mailer: Mailer;
  readonly base: string;
}

/**
 * Claims what is to be told, then mails it: a process that dies in between loses a digest, and none is sent twice. Returns
 * false if the mail server is out of order for now.
 */
async function mailDigest(
  { database, clock, connectors, log }: DigestDependencies,
  { recipient, mailer, base }: Delivery,
): Promise<boolean> {
  const claim = await claimDigest(database.kysely, recipient, clock.now());
  if (claim === null) return true;
  const fault = await mailer.send(renderDigest({ ...claim, base, connectors }));
  if (fault === null) {
    if (claim.faults > 0) await settleDigest(database.kysely, claim, { faults: 0 });
    return true;
  }
  const faults = claim.faults + 1;
  const isRepeated = fault.isPassing && faults < MAX_TRIES;
  log.warn({ fault: fault.words, isRepeated, ...recipient }, 'digest not mailed');
  const pauseMs = faults * RETRY_MS;
  await settleDigest(
    database.kysely,
    claim,
    isRepeated
      ? { faults, told_until: claim.toldBefore, next_at: new Date(clock.now().getTime() + pauseMs) }
      : { faults: 0 },
  );
  return !fault.isPassing;
}

/** With growing pauses, over most of an hour. Each try tells what is unread by then. */
const MAX_TRIES = 5;
const RETRY_MS = 5 * MINUTE_MS;
