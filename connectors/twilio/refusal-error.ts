import { z } from 'zod';
import { ConnectorError } from '../../core/contract/connector-error.ts';
import { lenient } from '../shared/lenient.ts';
import { platformError } from '../shared/platform-error.ts';
import { retryAdvice } from '../shared/retry-advice.ts';
import { errorText } from './error-texts.ts';

const schema = z.object({ code: z.int(), message: lenient(z.string()) });

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
