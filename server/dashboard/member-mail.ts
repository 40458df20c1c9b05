import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { runInBackground } from '../../core/base/async.ts';
import { AppError } from '../../core/base/errors.ts';
import type { Mailer } from '../../core/channels/mailer.ts';
import type { Mail } from '../../core/contract/facets.ts';
import { toAddressGroup } from '../../core/limits/public-rate.ts';
import type { MemberRole } from '../../core/members/authority.ts';
import { noteMailFault } from '../../core/members/invitations.ts';
import type { MemberLink } from '../../core/members/member-links.ts';
import { createRecoveryLink } from '../../core/members/recovery.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { element, renderDocument } from '../pages/html.ts';
import { ownAddress } from '../plugins/own-address.ts';
import { dashboardLink } from './links.ts';

export type Language = 'en' | 'de';

export interface Words {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly action: string;
  readonly ending: readonly string[];
}

interface Invited {
  readonly inviter: string;
  readonly workspaces: string;
  readonly role: MemberRole;
  readonly until: string;
}

interface Texts {
  readonly invitation: (invited: Invited) => Words;
  readonly recovery: (until: string) => Words;
}

const english: Texts = {
  invitation: ({ inviter, workspaces, role, until }) => ({
    title: `${inviter} invites you to ${workspaces}`,
    paragraphs: [
      `You join ${workspaces} in Parley as ${{ owner: 'an owner', agent: 'an agent', viewer: 'a viewer' }[role]}.`,
    ],
    action: 'Accept the invitation',
    ending: [
      `The link works once, until ${until}.`,
      'You know nothing about this? Then leave this mail alone.',
    ],
  }),
  recovery: (until) => ({
    title: 'Choose a new password',
    paragraphs: [
      'Somebody asked for a new password of your Parley account. Your other sessions end when you set it.',
    ],
    action: 'Choose a new password',
    ending: [
      `The link works once, until ${until}.`,
      'It was not you? Then leave this mail alone: nothing changes.',
    ],
  }),
};

const german: Texts = {
  invitation: ({ inviter, workspaces, role, until }) => ({
    title: `${inviter} lädt Sie zu ${workspaces} ein`,
    paragraphs: [
      `Ihre Rolle in ${workspaces} bei Parley: ${{ owner: 'Inhaberschaft', agent: 'Mitarbeit', viewer: 'Lesen' }[role]}.`,
    ],
    action: 'Einladung annehmen',
    ending: [
      `Der Link gilt einmal, bis ${until}.`,
      'Sie wissen nichts davon? Dann lassen Sie diese E-Mail einfach liegen.',
    ],
  }),
  recovery: (until) => ({
    title: 'Neues Passwort wählen',
    paragraphs: [
      'Jemand hat für Ihr Konto bei Parley ein neues Passwort angefordert. Wenn Sie es setzen, enden Ihre anderen Sitzungen.',
    ],
    action: 'Neues Passwort wählen',
    ending: [
      `Der Link gilt einmal, bis ${until}.`,
      'Sie waren das nicht? Dann lassen Sie diese E-Mail liegen: Es ändert sich nichts.',
    ],
  }),
};

interface Created {
  readonly link: MemberLink;
  readonly token: string;
  readonly mailer: Mailer;
  /** The language of the inviter; null: that of their browser. */
  readonly language: string | null;
}

/**
 * Mails an invitation, and stores with it why the server did not take it. Returns that reason, or null once it is sent.
 */
export async function mailInvitation(
  runtime: Runtime,
  request: FastifyRequest,
  { link, token, mailer, language: wanted }: Created,
): Promise<string | null> {
  const { workspaces, config, database, clock } = runtime;
  const language = chooseLanguage(wanted, request);
  const visible = [{ ownerId: link.ownerId ?? '', workspaceIds: link.workspaceIds }];
  const { items } = await workspaces.list({ limit: 5 }, visible);
  const names = new Intl.ListFormat(language).format(items.map(({ name }) => name));
  const words = textsIn(language).invitation({
    inviter: link.createdBy === 'operator' ? 'Parley' : link.createdBy,
    workspaces: names === '' ? 'Parley' : names,
    role: link.role ?? 'viewer',
    until: formatTime(link.expiresAt, language),
  });
  const address = dashboardLink(ownAddress(config, request), { kind: 'invitation', token });
  const fault = await mailer.send(renderMail(words, { to: link.email ?? '', language, address }));
  if (fault === null) return null;
  await noteMailFault({ database: database.kysely, clock }, link.id, fault.words);
  return fault.words;
}

/** Links for a new password that one network, and one account, can ask for in an hour. */
const PER_NETWORK = 10;
const PER_ACCOUNT = 3;
const HOUR_SECONDS = 3_600;

/**
 * Mails a link for a new password in the background, if the address signs in here: neither the answer nor its time tells. Throws
 * `mail_not_set_up`, and `rate_limit_minute` for known and unknown addresses alike.
 */
export async function mailRecoveryLink(
  runtime: Runtime,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  if (runtime.mailer === null) throw new AppError('mail_not_set_up');
  await limitRecovery(runtime, `address ${toAddressGroup(request.ip)}`, PER_NETWORK);
  const account = createHash('sha256').update(email).digest('hex');
  await limitRecovery(runtime, `account ${account}`, PER_ACCOUNT);
  runInBackground(sendRecoveryLink(runtime, request, email), (err) =>
    runtime.log.error({ err }, 'link for a new password not mailed'),
  );
}

async function sendRecoveryLink(
  { mailer, members, database, clock, config, log }: Runtime,
  request: FastifyRequest,
  email: string,
): Promise<void> {
  const person = await members.findByEmail(email);
  if (person === null || mailer === null) return;
  const stores = { database: database.kysely, clock };
  const { link, token } = await createRecoveryLink(stores, { email, actor: null });
  const language = chooseLanguage(person.language, request);
  const words = textsIn(language).recovery(formatTime(link.expiresAt, language));
  const address = dashboardLink(ownAddress(config, request), { kind: 'recovery', token });
  const fault = await mailer.send(renderMail(words, { to: email, language, address }));
  if (fault !== null) log.error({ fault: fault.words }, 'link for a new password not mailed');
}

async function limitRecovery({ database, clock }: Runtime, who: string, most: number): Promise<void> {
  const { rows } = await sql<{ wait: number }>`
    select take_token(${`recovery ${who}`}, ${most}::int, ${HOUR_SECONDS}::float8, ${clock.now()}::timestamptz) as wait
  `.execute(database.kysely);
  const wait = rows[0]?.wait ?? 0;
  if (wait === 0) return;
  throw new AppError('rate_limit_minute', {
    detail: 'Too many links were asked for. Wait, then try again.',
    retryAfterSeconds: Math.ceil(wait),
  });
}

interface Addressed {
  readonly to: string;
  readonly language: Language;
  /** Where the button leads. Null: there is none. */
  readonly address: string | null;
}

/** Mail programs drop style sheets and keep style attributes. */
const bodyStyle =
  'font-family: sans-serif; font-size: 15px; line-height: 1.5; color: #1a2328; padding: 16px;';
const buttonStyle =
  'display: inline-block; padding: 10px 20px; border-radius: 8px; background-color: #0e6872; color: #ffffff; text-decoration: none; font-weight: bold;';
const quietStyle = 'font-size: 13px; color: #5b666d; margin: 12px 0 0;';

export function renderMail(
  { title, paragraphs, action, ending }: Words,
  { to, language, address }: Addressed,
): Mail {
  const { html } = renderDocument({
    title,
    language,
    direction: 'ltr',
    style: '',
    head: [],
    body: [
      element('div', { style: bodyStyle }, [
        element('h1', { style: 'font-size: 20px; margin: 0 0 12px;' }, [title]),
        ...paragraphs.map((text) => element('p', { style: 'margin: 0 0 20px;' }, [text])),
        ...(address === null
          ? []
          : [
              element('p', { style: 'margin: 0 0 20px;' }, [
                element('a', { href: address, style: buttonStyle }, [action]),
              ]),
              element('p', { style: quietStyle }, [
                element('a', { href: address, style: 'color: #0e6872; word-break: break-all;' }, [address]),
              ]),
            ]),
        ...ending.map((text) => element('p', { style: quietStyle }, [text])),
      ]),
    ],
  });
  const button = address === null ? [] : [`${action}:\n${address}`];
  const text = [title, ...paragraphs, ...button, ...ending].join('\n\n');
  // Names that were stored before names had rules may hold line ends.
  return { to, subject: title.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), text, html };
}

function textsIn(language: Language): Texts {
  return language === 'de' ? german : english;
}

/** The language of the person, else the first that their browser asks for. */
export function chooseLanguage(known: string | null, { headers }: FastifyRequest): Language {
  return (known ?? headers['accept-language'] ?? '').trim().toLowerCase().startsWith('de') ? 'de' : 'en';
}

export function formatTime(time: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  return `${format.format(time)} UTC`;
}
