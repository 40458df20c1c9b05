import { z } from 'zod';
import { createRelaySocket } from '../../../../connectors/twilio/voice/relay/relay-session.ts';
import type { Delivery } from '../../../../core/contract/inbound.ts';
import type { LiveAnswer, PlatformSocket, SocketTools } from '../../../../core/contract/listener.ts';
import { connectorTools } from '../connector-tools.ts';
import { voiceAccount } from './voice-account.ts';
import { voiceFixture } from './voice-fixture.ts';

const sent = z.object({
  type: z.string(),
  token: z.string().optional(),
  last: z.boolean().optional(),
  preemptible: z.boolean().optional(),
  handoffData: z.string().optional(),
});

type Ask = SocketTools['ask'];

/** Twilio's side of a call with ConversationRelay, without a socket: the test provides `ask`. */
export function relayCaller(ask: Ask, settings: Readonly<Record<string, unknown>> = {}) {
  const messages: z.infer<typeof sent>[] = [];
  const cuts: string[] = [];
  const deliveries: Delivery[] = [];
  let hear = (_text: string): void => {};
  let leave = (): void => {};
  const closed = Promise.withResolvers<number>();
  const socket: PlatformSocket = {
    send: (text) => void messages.push(sent.parse(JSON.parse(text))),
    close: (code) => closed.resolve(code),
    onMessage: (listener) => {
      hear = listener;
    },
    onClose: (listener) => {
      leave = listener;
    },
  };
  const tools: SocketTools = {
    ...connectorTools(),
    ask: (delivery, hearing) => {
      deliveries.push(delivery);
      return ask(delivery, hearing);
    },
    truncateAnswer: async (messageId, heard) => void cuts.push(`${messageId}: ${heard}`),
  };
  const served = createRelaySocket(voiceAccount(settings)).serve(socket, tools);
  const tell = (message: object) => hear(JSON.stringify(message));
  return {
    messages,
    cuts,
    deliveries,
    closed: closed.promise,
    served,
    tell,
    leave: () => leave(),
    begin: () => tell(voiceFixture('relay-setup')),
    says: (words: string) => tell({ ...voiceFixture('relay-prompt'), voicePrompt: words }),
    presses: (digit: string) => tell({ type: 'dtmf', digit }),
    /** Returns the texts that were read aloud since the beginning. */
    heard: () =>
      messages
        .map(({ token }) => token ?? '')
        .join('')
        .trim(),
  };
}

export function liveAnswer(text: string, changes: Partial<LiveAnswer> = {}): LiveAnswer {
  return { messageId: 'msg_1', text, handover: false, parts: [], ...changes };
}
