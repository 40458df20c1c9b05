import type { EmailAccount } from '../../../../connectors/email/manifest.ts';
import { type Mail, mailSchema } from '../../../../connectors/email/parsing/mail.ts';
import { parseMail } from '../../../../connectors/email/parsing/parse-mail.ts';
import { storeMail } from '../../../../connectors/email/threads.ts';
import type { Json } from '../../../../core/contract/account.ts';
import type { Delivery } from '../../../../core/contract/inbound.ts';

/** A mailbox with a map as its memory: returns what its mails become, in the order of their arrival. */
export function mailReader(account: EmailAccount) {
  const memory = new Map<string, Json>();
  let uid = 0;
  let last: readonly Delivery[] = [];
  return {
    memory,
    /** The delivery that the last mail became. */
    get last() {
      return last;
    },
    /** Reads a mail; null if it was read before. */
    async read(source: string | Uint8Array): Promise<Delivery | null> {
      uid += 1;
      const bytes = typeof source === 'string' ? Buffer.from(source.replaceAll(/\r?\n/g, '\r\n')) : source;
      const place = { uid, uidValidity: '1', receivedAt: '2026-09-21T12:00:00.000Z', isCut: false };
      const mail = await parseMail({ ...place, bytes: bytes.length, source: bytes });
      const accepted: Delivery[] = [];
      await storeMail(mail, account, {
        recall: async (keys) => new Map([...memory].filter(([key]) => keys.includes(key))),
        accept: async (deliveries) => {
          accepted.push(...deliveries);
          for (const { key, value } of deliveries.flatMap(({ remember = [] }) => remember))
            memory.set(key, value);
        },
      });
      last = accepted;
      return accepted[0] ?? null;
    },
  };
}

export function mailOf(delivery: Delivery | null): Mail {
  return mailSchema.parse(delivery?.native);
}
