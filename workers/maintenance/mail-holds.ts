import type { Mailer } from '../../core/channels/mailer.ts';
import type { Mail } from '../../core/contract/facets.ts';
import {
  claimHoldNotice,
  findUntoldHolds,
  type HoldNotice,
  returnHoldNotice,
} from '../../core/sources/holds/hold-notices.ts';
import type { DigestDependencies } from './mail-digests.ts';
import { toOneLine } from './render-digest.ts';

/** One a minute, over most of an hour. */
const MAX_TRIES = 50;

/**
 * Mails the owners of a workspace that a run of a source is held, once for each hold. It sends nothing without
 * PUBLIC_URL, and waits in workspaces without a mailer. A process that dies after the claim loses the mail, and none
 * is sent twice.
 */
export async function mailHolds(dependencies: HoldMailDependencies, signal: AbortSignal): Promise<void> {
  const { database, config, log } = dependencies;
  if (config.PUBLIC_URL === undefined) return;
  for (const { id, workspaceId } of await findUntoldHolds(database.kysely)) {
    if (signal.aborted) return;
    try {
      const mailer = await dependencies.findMailer(workspaceId);
      if (mailer !== null) await mailHold(dependencies, { id, mailer, base: config.PUBLIC_URL });
    } catch (err) {
      log.error({ err, source: id }, 'hold of a source not mailed');
    }
  }
}

type HoldMailDependencies = Omit<DigestDependencies, 'connectors'>;

interface Delivery {
  readonly id: string;
  readonly mailer: Mailer;
  readonly base: string;
}

async function mailHold(
  { database, clock, log }: HoldMailDependencies,
  { id, mailer, base }: Delivery,
): Promise<void> {
  const notice = await claimHoldNotice(database.kysely, id, clock.now());
  if (notice === null) return;
  const faults = [];
  for (const recipient of notice.recipients) {
    const fault = await mailer.send(renderHoldMail(notice, { ...recipient, base }));
    if (fault !== null) faults.push(fault);
  }
  if (faults.length === 0) return;
  // Owners who have the mail get no second one.
  const isRepeated =
    faults.length === notice.recipients.length &&
    faults.every(({ isPassing }) => isPassing) &&
    notice.faults + 1 < MAX_TRIES;
  log.warn({ source: id, fault: faults[0]?.words, isRepeated }, 'hold of a source not mailed');
  if (isRepeated) await returnHoldNotice(database.kysely, notice);
}

interface Addressed {
  readonly email: string;
  readonly language: string | null;
  /** The address of this installation. */
  readonly base: string;
}

export function renderHoldMail(notice: HoldNotice, { email, language, base }: Addressed): Mail {
  const texts = language === 'de' ? german : english;
  const [source, workspace] = [toOneLine(notice.source), toOneLine(notice.workspace)];
  const address = `${base}/dashboard/w/${notice.workspaceId}/knowledge/sources/${notice.sourceId}`;
  const subject = texts.subject(source, workspace);
  const parts = [subject, texts.numbers(notice), texts.nothing, `${texts.decide}:\n${address}`];
  return {
    to: email,
    subject,
    text: [...parts, `${texts.switchOff}: ${base}/dashboard/me`].join('\n\n'),
  };
}

type Numbers = Pick<HoldNotice, 'removed' | 'changed' | 'kept'>;

const english = {
  subject: (source: string, workspace: string) => `${source} in ${workspace} waits for you`,
  numbers: ({ removed, changed, kept }: Numbers) =>
    `The last run would remove ${removed} documents, replace ${changed}, and keep ${kept}. That is more than a site usually loses at once.`,
  nothing: 'Nothing was removed or replaced. A later run that is plausible ends this by itself.',
  decide: 'Apply or discard the changes',
  switchOff: 'Switch these mails off',
};

const german: typeof english = {
  subject: (source, workspace) => `${source} in ${workspace} wartet auf Sie`,
  numbers: ({ removed, changed, kept }) =>
    `Der letzte Lauf würde ${removed} Dokumente entfernen, ${changed} ersetzen und ${kept} behalten. So viel verliert eine Website selten auf einmal.`,
  nothing: 'Nichts wurde entfernt oder ersetzt. Ein späterer, plausibler Lauf beendet das von selbst.',
  decide: 'Änderungen übernehmen oder verwerfen',
  switchOff: 'Diese E-Mails abschalten',
};
