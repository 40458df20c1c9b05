import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { optionalField, platformError, retryAdvice } from '../shared/http.ts';

const schema = z.object({ code: z.int(), message: optionalField(z.string()) });

/** Codes for an account that is refused, inactive or suspended. */
const ACCOUNT_CODES = [20003, 20005, 30002, 63051];
const OPTED_OUT_CODE = 21610;
/** Codes for transient limits, although the HTTP status says otherwise. */
const BUSY_CODES = [20429, 21611, 63018];

/** Converts a refused response of Twilio to a ConnectorError. */
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
        status: BUSY_CODES.includes(code) ? 429 : status,
        retryAfter: headers.get('retry-after'),
        limited: 'account',
      },
      now,
    ),
    account: status === 401 || ACCOUNT_CODES.includes(code),
    unreachable: code === OPTED_OUT_CODE,
  });
}

/** Explanations for operators, by code: https://www.twilio.com/docs/api/errors */
const errorTexts: Readonly<Record<number, string>> = {
  20003: 'Twilio refused the account SID or auth token.',
  20005: 'The Twilio account is not active.',
  20429: 'The account has reached its rate limit at Twilio.',
  21211: 'The number of the recipient is not valid.',
  21408: 'The account cannot send to that country. Enable it under Messaging, Settings, Geo permissions.',
  21606: 'The number in `from` cannot send messages, or does not belong to this account.',
  21610: 'The recipient opted out with STOP. Messages are blocked until they send START.',
  21611: "Twilio's queue for this number is full.",
  21612: 'The number in `from` cannot reach that number.',
  21614: 'The number of the recipient is not a mobile number and cannot receive messages.',
  21617: 'The message is longer than 1,600 characters.',
  21655: 'The template in `templates.reply.content_sid` does not belong to this account, or was deleted.',
  21656: 'The variables of the template are not valid for WhatsApp. No variable may be empty.',
  21703: 'The messaging service has no number to send from.',
  30001: 'The message expired in the queue at Twilio.',
  30002: 'The Twilio account is suspended.',
  30003: 'The phone is off, out of reach, or cannot receive messages.',
  30004: 'The recipient or the carrier blocks messages from this number.',
  30005: 'The number of the recipient no longer exists.',
  30006: 'The number of the recipient is a landline, or its carrier cannot be reached.',
  30007:
    'The carrier filtered the message as spam. In the United States, check that the number is registered for 10DLC.',
  30008: 'The carrier did not deliver the message and gave no reason.',
  30032: 'The toll-free number is not verified. Verify it in the Twilio Console.',
  30034: 'The number is not registered for 10DLC. Carriers in the United States block its messages.',
  30893:
    'The 10DLC campaign was rejected: its sample messages do not match its use case. Use real messages, one of them with your name and how to opt out.',
  30909:
    'The 10DLC campaign was rejected: its message flow does not show how visitors consent to messages. Describe each way, with public links or screenshots.',
  30923: 'The 10DLC campaign was rejected: consent to messages must be optional. Make it a separate choice.',
  63003: 'The recipient is not on WhatsApp.',
  63007: 'The number in `from` is not a WhatsApp sender of this account.',
  63013: 'WhatsApp refused the message because it violates its policy.',
  63015:
    'The recipient has not joined the WhatsApp sandbox. The sandbox sends only to numbers that joined it.',
  63016: 'The visitor last wrote more than 24 hours ago. WhatsApp delivers only an approved template.',
  63018: 'The number has reached its rate limit at WhatsApp.',
  63021:
    'WhatsApp refused the content of the message. A template with its variables has at most 1,024 characters.',
  63024: 'The recipient cannot be reached on WhatsApp.',
  63027: 'The template does not exist in that language. Check that WhatsApp has approved it.',
  63028: 'The variables of the template do not match `templates.reply.variables`.',
  63030: 'A variable of the template has an invalid value.',
  63032: 'WhatsApp did not deliver the message to this recipient, to limit messages from businesses.',
  63038: 'The account has reached its limit of messages in 24 hours.',
  63049: 'WhatsApp did not deliver the message to this recipient, to limit messages from businesses.',
  63051: 'The WhatsApp Business account is locked.',
};

/** Returns the explanation of a code, or Twilio's own message, followed by the code for look-up. */
export function errorText(code: number, message: string | null): string {
  return `${errorTexts[code] ?? message ?? 'Twilio gave no reason.'} (Twilio error ${code})`;
}
