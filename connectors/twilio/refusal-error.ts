import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { platformError, retryAdvice } from '../shared/http.ts';
import { optionalField } from '../shared/payload.ts';

const schema = z.object({ code: z.int(), message: optionalField(z.string()) });

/** The account is not accepted, not active, or suspended. */
const ACCOUNT = [20003, 20005, 30002, 63051];
const OPTED_OUT = 21610;
/** Refused for a moment only, though the status says otherwise. */
const BUSY = [20429, 21611, 63018];

/** What Twilio's answer says where it does not do what it was asked. */
export function refusalError(
  { status, headers, body }: { status: number; headers: Pick<Headers, 'get'>; body: unknown },
  now: Date,
): ConnectorError {
  const { data } = schema.safeParse(body);
  if (data === undefined)
    return platformError(`Twilio answered with status ${status}.`, { status, headers, foreign: true }, now);
  const { code, message } = data;
  return new ConnectorError(errorText(code, message), {
    advice: retryAdvice(
      {
        status: BUSY.includes(code) ? 429 : status,
        retryAfter: headers.get('retry-after'),
        limited: 'account',
      },
      now,
    ),
    account: status === 401 || ACCOUNT.includes(code),
    unreachable: code === OPTED_OUT,
  });
}

/** What Twilio's codes mean to an operator: https://www.twilio.com/docs/api/errors */
const errorTexts: Readonly<Record<number, string>> = {
  20003: 'Twilio does not accept the account sid and auth token.',
  20005: 'The Twilio account is not active.',
  20429: 'Twilio takes no more calls of this account for a moment.',
  21211: 'The number is not one that can be written to.',
  21408: 'The account may not send to that country: allow it under Messaging, Settings, Geo permissions.',
  21606: 'The number in `from` cannot send messages, or is not one of this account.',
  21610: 'Its owner wrote STOP: nothing is sent until START is written.',
  21611: 'Too much waits at Twilio to be sent from this number.',
  21612: 'The number in `from` cannot reach that number.',
  21614: 'That number takes no messages: it is not a mobile number.',
  21617: 'The message is longer than 1,600 characters.',
  21655: 'The template in `templates.reply.content_sid` is none of this account, or was deleted.',
  21656: 'What fills the gaps of the template is not as WhatsApp wants it: no gap may be empty.',
  21703: 'The messaging service has no number to send from.',
  30001: 'The message waited too long at Twilio.',
  30002: 'The Twilio account is suspended.',
  30003: 'The telephone is off, out of reach, or takes no messages.',
  30004: 'The recipient or the carrier blocks messages of this number.',
  30005: 'That number does not exist any more.',
  30006: 'That number is a landline, or its carrier cannot be reached.',
  30007: 'The carrier took the message for spam: in the United States, is the number registered for 10DLC?',
  30008: 'The carrier does not say why the message did not arrive.',
  30032: 'The toll-free number is not verified.',
  30034: 'The number is not registered for 10DLC: carriers of the United States take nothing from it.',
  30893:
    'The 10DLC campaign was rejected: its sample messages are not what it says that it is for. Write them as they are really sent, one with your name and how to stop.',
  30909:
    'The 10DLC campaign was rejected: its message flow does not show how visitors agree to messages. Describe each way, with addresses or pictures that anybody can open.',
  30923:
    'The 10DLC campaign was rejected: nobody may have to agree to messages to be served. Make the agreement a choice of its own.',
  63003: 'WhatsApp does not know that recipient.',
  63007: 'The number in `from` is not a WhatsApp sender of this account.',
  63013: 'WhatsApp refused the message: its policy was not kept to.',
  63015: 'In the sandbox of WhatsApp only who has joined it can be written to.',
  63016: 'The visitor last wrote more than 24 hours ago: WhatsApp lets only an approved template through.',
  63018: 'WhatsApp takes no more messages of this number for a moment.',
  63021:
    'WhatsApp does not take what is in the message: with what fills its gaps a template has at most 1,024 characters.',
  63024: 'That recipient cannot be reached on WhatsApp.',
  63027: 'WhatsApp has no such template in that language: has it approved the template?',
  63028: 'The template has more or fewer gaps than `templates.reply.variables` fills.',
  63030: 'The template has a gap that cannot be filled so.',
  63032: 'WhatsApp holds this message back from that recipient.',
  63038: 'The account has sent as many messages as it may in 24 hours.',
  63049: 'WhatsApp holds this message back from that recipient.',
  63051: 'The WhatsApp Business account is locked.',
};

/** In plain words, with the code, so that it can be looked up; in Twilio's own words where it is another one. */
export function errorText(code: number, words: string | null): string {
  return `${errorTexts[code] ?? words ?? 'Twilio does not say why.'} (Twilio error ${code})`;
}
