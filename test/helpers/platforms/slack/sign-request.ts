import { createHmac } from 'node:crypto';

/** The headers of a request as Slack signs it. */
export function signSlack(body: string, secret: string, at: Date): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const hash = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${hash}` };
}
