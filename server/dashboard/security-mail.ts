import type { FastifyRequest } from 'fastify';
import { runInBackground } from '../../core/base/async.ts';
import type { Person } from '../../core/members/members.ts';
import type { Runtime } from '../../core/runtime/runtime.ts';
import { chooseLanguage, formatTime, type Language, renderMail, type Words } from './member-mail.ts';

/** News about the sign-in to an account, of which its person is told. */
export type SecurityNews =
  | 'new_browser'
  | 'password_changed'
  | 'password_recovered'
  | 'second_factor_removed'
  | 'second_factor_lost'
  | 'passkey_added'
  | 'passkey_removed';

interface Told {
  readonly person: Pick<Person, 'email' | 'language'>;
  readonly news: SecurityNews;
}

/** Mails the news in the background, if the installation can send mails. Call it once the change is stored. */
export function mailSecurityNews(
  { mailer, config, clock, log }: Pick<Runtime, 'mailer' | 'config' | 'clock' | 'log'>,
  request: FastifyRequest,
  { person, news }: Told,
): void {
  if (mailer === null) return;
  const language = chooseLanguage(person.language, request);
  const where = { at: formatTime(clock.now(), language), browser: describeBrowser(request), ip: request.ip };
  // Only the configured address: the one that a request names may be anybody's.
  const address = config.PUBLIC_URL === undefined ? null : `${config.PUBLIC_URL}/dashboard/me`;
  const mail = renderMail(wordsOf(language, news, where), { to: person.email, language, address });
  const send = mailer.send(mail).then((fault) => {
    if (fault !== null) log.error({ fault: fault.words, news }, 'mail about a sign-in not sent');
  });
  runInBackground(send, (err) => log.error({ err, news }, 'mail about a sign-in not sent'));
}

interface Place {
  readonly at: string;
  /** Null: an unknown one. */
  readonly browser: string | null;
  readonly ip: string;
}

interface Texts {
  readonly news: Readonly<Record<SecurityNews, { readonly title: string; readonly text: string }>>;
  readonly place: (place: Place) => string;
  readonly action: string;
  readonly ending: string;
}

const english: Texts = {
  news: {
    new_browser: {
      title: 'Sign-in from a new browser',
      text: 'Somebody signed in to your Parley account in a browser that was not used for it before.',
    },
    password_changed: {
      title: 'Your password was changed',
      text: 'The password of your Parley account was changed. All other sessions have ended.',
    },
    password_recovered: {
      title: 'Your password was replaced',
      text: 'A new password of your Parley account was set by a link. All other sessions have ended.',
    },
    second_factor_removed: {
      title: 'Your second factor was switched off',
      text: 'Two-factor sign-in of your Parley account was switched off. The password alone is enough now.',
    },
    second_factor_lost: {
      title: 'Your password was replaced and your second factor removed',
      text: 'A new password of your Parley account was set by a link that an owner or operator made. It also removed your second factor: set it up again.',
    },
    passkey_added: {
      title: 'A passkey was added',
      text: 'A passkey was added to your Parley account. It signs in without the password.',
    },
    passkey_removed: {
      title: 'A passkey was removed',
      text: 'A passkey of your Parley account was removed. It does not sign in any more.',
    },
  },
  place: ({ at, browser, ip }) => `${at}, ${browser ?? 'unknown browser'}, from the address ${ip}.`,
  action: 'Look at your sign-in',
  ending:
    'It was not you? Change your password, look at your sessions, and tell the owner of your workspace. It was you? Then nothing is to be done.',
};

const german: Texts = {
  news: {
    new_browser: {
      title: 'Anmeldung in einem neuen Browser',
      text: 'Jemand hat sich in einem Browser bei Ihrem Parley-Konto angemeldet, der dafür bisher nicht benutzt wurde.',
    },
    password_changed: {
      title: 'Ihr Passwort wurde geändert',
      text: 'Das Passwort Ihres Parley-Kontos wurde geändert. Alle anderen Sitzungen sind beendet.',
    },
    password_recovered: {
      title: 'Ihr Passwort wurde ersetzt',
      text: 'Über einen Link wurde ein neues Passwort für Ihr Parley-Konto gesetzt. Alle anderen Sitzungen sind beendet.',
    },
    second_factor_removed: {
      title: 'Ihr zweiter Faktor wurde ausgeschaltet',
      text: 'Die Anmeldung mit zweitem Faktor wurde für Ihr Parley-Konto ausgeschaltet. Das Passwort allein genügt jetzt.',
    },
    second_factor_lost: {
      title: 'Ihr Passwort wurde ersetzt und Ihr zweiter Faktor entfernt',
      text: 'Über einen Link aus der Inhaberschaft oder dem Betrieb wurde ein neues Passwort für Ihr Parley-Konto gesetzt. Dabei wurde Ihr zweiter Faktor entfernt: Richten Sie ihn neu ein.',
    },
    passkey_added: {
      title: 'Ein Passkey wurde hinzugefügt',
      text: 'Ihrem Parley-Konto wurde ein Passkey hinzugefügt. Er meldet ohne Passwort an.',
    },
    passkey_removed: {
      title: 'Ein Passkey wurde entfernt',
      text: 'Ein Passkey Ihres Parley-Kontos wurde entfernt. Er meldet nicht mehr an.',
    },
  },
  place: ({ at, browser, ip }) => `${at}, ${browser ?? 'unbekannter Browser'}, von der Adresse ${ip}.`,
  action: 'Anmeldung ansehen',
  ending:
    'Sie waren das nicht? Ändern Sie Ihr Passwort, sehen Sie Ihre Sitzungen an und sagen Sie in Ihrem Arbeitsbereich Bescheid. Sie waren es? Dann ist nichts zu tun.',
};

function wordsOf(language: Language, news: SecurityNews, place: Place): Words {
  const texts = language === 'de' ? german : english;
  const { title, text } = texts.news[news];
  return { title, paragraphs: [text, texts.place(place)], action: texts.action, ending: [texts.ending] };
}

/** The first that fits counts: Edge also calls itself Chrome, and Chrome calls itself Safari. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

/** Names the browser of a request. Its own words do not stand in a mail: a stranger can choose them. */
function describeBrowser({ headers }: FastifyRequest): string | null {
  const agent = headers['user-agent'] ?? '';
  return browsers.find(([sign]) => agent.includes(sign))?.[1] ?? null;
}
