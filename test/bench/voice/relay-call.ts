import { once } from 'node:events';
import twilio from 'twilio';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { BenchError } from '../bench-error.ts';
import type { Telephone } from './open-telephone.ts';

const heard = z.object({
  type: z.string(),
  token: z.string().optional(),
  preemptible: z.boolean().optional(),
});
const patienceMs = 60_000;

export interface RelayTimes {
  /** The time from the caller's words to the first ones that they hear, of any kind. */
  readonly firstMs: number;
  /** The time to the first words of the answer. */
  readonly answerMs: number;
}

/** Asks one question over a socket as ConversationRelay opens it. */
export async function relayCall(
  address: string,
  { webhookUrl, authToken }: Telephone,
  question: { readonly caller: number; readonly text: string },
): Promise<RelayTimes> {
  const signed = twilio.getExpectedTwilioSignature(authToken, webhookUrl.replace(/^http/, 'ws'), {});
  const path = new URL(webhookUrl).pathname;
  const socket = new WebSocket(`${address.replace(/^http/, 'ws')}${path}`, {
    headers: { 'x-twilio-signature': signed },
  });
  await once(socket, 'open');
  const id = String(question.caller).padStart(7, '0');
  const said = Promise.withResolvers<RelayTimes>();
  const timer = setTimeout(() => said.reject(new BenchError('a relayed call was not answered')), patienceMs);
  let begun = 0;
  let firstMs: number | undefined;
  socket.on('message', (data) => {
    const { token, preemptible = false } = heard.parse(JSON.parse(data.toString()));
    if (token === undefined || token === '') return;
    const nowMs = performance.now() - begun;
    firstMs ??= nowMs;
    if (!preemptible) said.resolve({ firstMs, answerMs: nowMs });
  });
  const setup = {
    type: 'setup',
    sessionId: `VX${id}`,
    callSid: `CA9${id}`,
    from: `+1555${id}`,
    to: '+15551234567',
  };
  socket.send(JSON.stringify(setup));
  begun = performance.now();
  socket.send(JSON.stringify({ type: 'prompt', voicePrompt: question.text, lang: 'en-US', last: true }));
  try {
    return await said.promise;
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}
