import { z } from 'zod';
import type { Account } from '../../../../core/contract/account.ts';
import type { AnyConnector, Channel } from '../../../../core/contract/connector.ts';
import type { PulledParts } from '../../../../core/contract/webhook.ts';
import { deliveryOf, fakeChannel } from './channel.ts';

const requestSchema = z.object({
  chat: z.string(),
  call: z.string(),
  /** The words of the request; absent if it only collects replies. */
  says: z.object({ id: z.string(), text: z.string() }).optional(),
  over: z.boolean().default(false),
  waitMs: z.number().default(0),
});
export type CallRequest = z.input<typeof requestSchema>;

const nativeSchema = z.object({ id: z.string(), chat: z.string(), call: z.string(), over: z.boolean() });

/** A channel whose platform collects its messages, as a telephone call does. Its webhook accepts everything. */
export function fakeCallChannel(): AnyConnector {
  const { connector } = fakeChannel('fake');
  const fake = (account: Account) => connector.open(account);
  const open = (account: Account): Channel => ({
    ...fake(account),
    webhook: {
      verify: () => true,
      read({ body }) {
        const { chat, call, says, over, waitMs } = requestSchema.parse(
          JSON.parse(Buffer.from(body).toString()),
        );
        const delivery = deliveryOf({ id: says?.id ?? `${call}-over`, chat, text: says?.text ?? '' });
        const native = { ...z.record(z.string(), z.json()).parse(delivery.native), call, over };
        const deliveries = says === undefined && !over ? [] : [{ ...delivery, native }];
        if (over) return { kind: 'deliveries', deliveries, respond: { status: 204 } };
        return { kind: 'collection', deliveries, collect: { lane: chat, key: call, waitMs, respond } };
      },
    },
    normalise(native) {
      const { data } = nativeSchema.safeParse(native);
      const events = fake(account).normalise(native, new Date(0));
      if (data === undefined) return events;
      const conversation = { lane: data.chat, address: { call: data.call } };
      if (data.over) {
        return [{ type: 'collection-over', conversation, key: data.call, because: 'The call has ended.' }];
      }
      return events.map((event) => (event.type === 'message' ? { ...event, conversation } : event));
    },
    render(reply, to) {
      const { call } = z.object({ call: z.string() }).parse(to.address);
      return fake(account)
        .render(reply, to)
        .map((part) => ({ ...part, collectedBy: call }));
    },
  });
  return { ...connector, open };
}

function respond({ parts, isAnswering, withPerson }: PulledParts) {
  const texts = parts.map(({ content }) => z.object({ text: z.string() }).parse(content).text);
  const body = JSON.stringify({ texts, isAnswering, withPerson });
  return { status: 200, contentType: 'application/json', body };
}
