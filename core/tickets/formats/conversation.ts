import { findSmallTalk } from '../../answering/small-talk/small-talk.ts';
import { toStorableText, truncateText } from '../../base/text.ts';
import { maskTicket } from '../mask-ticket.ts';
import type { Omission, Ticket } from './ticket.ts';

/** A message of an exported conversation, without quotations and signature. */
export interface ExportedMessage {
  /** `system`: a machine, or a person who left a note for colleagues. */
  readonly by: 'customer' | 'agent' | 'system';
  readonly at: Date | null;
  readonly text: string;
}

/** A conversation of an export, whatever its format. */
export interface ExportedConversation {
  readonly id: string;
  readonly subject: string;
  /** Oldest first. */
  readonly messages: readonly ExportedMessage[];
  readonly language: string | null;
  readonly tags: readonly string[];
  /** From 1 to 5. */
  readonly rating: number | null;
  /** Names of the people in it, which are masked. */
  readonly names: readonly string[];
}

const MAX_QUESTION = 2_000;
const MAX_REPLY = 4_000;
const MAX_ID = 200;
const MAX_TAGS = 20;
const MAX_TAG = 100;

/** Returns the ticket of a conversation with its contents masked, or why it is none. Pure. */
export function toTicket(conversation: ExportedConversation): Ticket | Omission {
  const messages = conversation.messages.filter(({ by, text }) => by !== 'system' && text !== '');
  const [first] = messages;
  const begun = messages.findIndex(({ by }) => by === 'customer');
  if (first === undefined || begun < 0) return first?.by === 'agent' ? 'outbound' : 'no_question';
  if (first.by === 'agent' && isSubstantive(first.text)) return 'outbound';
  const after = messages.slice(begun);
  const answered = after.findIndex(({ by, text }) => by === 'agent' && isSubstantive(text));
  if (answered < 0) return 'no_reply';
  const asked = after.slice(0, answered).filter(({ by }) => by === 'customer');
  // In a chat, the question comes after a greeting.
  const question = asked.find(({ text }) => findSmallTalk(text, 'en') === null) ?? asked[0];
  const reply = after[answered];
  if (question === undefined || reply === undefined) return 'no_question';
  const mask = (text: string) => toStorableText(maskTicket(text, conversation.names));
  const isFirst = question === asked[0];
  const worded = isFirst ? withSubject(question.text, conversation.subject) : question.text;
  return {
    externalId: toStorableText(conversation.id.slice(0, MAX_ID)),
    askedAt: question.at,
    language: conversation.language,
    question: truncateText(mask(worded), MAX_QUESTION),
    reply: truncateText(mask(reply.text), MAX_REPLY),
    tags: conversation.tags.slice(0, MAX_TAGS).map((tag) => toStorableText(tag.slice(0, MAX_TAG))),
    rating: conversation.rating,
  };
}

/** Many put the question into the subject and only thanks into the text. */
function withSubject(text: string, subject: string): string {
  const plain = (one: string) =>
    one
      .toLowerCase()
      .replaceAll(/[\s\p{P}]+/gu, ' ')
      .trim();
  const named = subject.replaceAll(/\s+/gu, ' ').trim();
  return named === '' || plain(text).startsWith(plain(named)) ? text : `${named}\n\n${text}`;
}

const MIN_REPLY = 20;
const MAX_RECEIPT = 500;
/** A confirmation of receipt, by language: it answers nothing. */
const RECEIPT = new RegExp(
  [
    "(?:we|i)(?:’ve|'ve| have)? (?:just )?(?:received|got) your (?:request|message|e-?mail|ticket|inquiry|enquiry)|(?:your )?(?:request|ticket) (?:\\([^)]{1,20}\\) |#?\\d{1,12} )?(?:has been|was) (?:received|created|updated)", // en
    'wir haben ihre (?:anfrage|nachricht|e-?mail) erhalten|ihre (?:anfrage|nachricht) (?:ist (?:bei uns )?eingegangen|wurde (?:empfangen|erstellt))', // de
    'nous avons bien reçu votre (?:demande|message|courriel)|hemos recibido (?:su|tu) (?:solicitud|mensaje|consulta)', // fr, es
    'abbiamo ricevuto la (?:sua|tua) (?:richiesta|e-?mail)|we hebben (?:uw|je) (?:bericht|aanvraag|vraag) ontvangen', // it, nl
  ].join('|'),
  'iu',
);

/** Whether a reply states something: it is no greeting, no thanks and no confirmation of receipt. */
export function isSubstantive(text: string): boolean {
  if (text.trim().length < MIN_REPLY || findSmallTalk(text, 'en') !== null) return false;
  return text.length > MAX_RECEIPT || !RECEIPT.test(text);
}
