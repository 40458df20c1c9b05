import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';

/** Reads the mails in a mailbox of Dovecot, in the order of their arrival. */
export async function mailsIn(mailFolder: string, address: string) {
  const folder = join(mailFolder, address);
  const files = ['new', 'cur'].flatMap((name) => {
    try {
      return readdirSync(join(folder, name)).map((file) => join(folder, name, file));
    } catch {
      return [];
    }
  });
  const orderOf = (file: string) => {
    const [, seconds = '', micro = ''] = /(\d+)\.M(\d+)P/.exec(file) ?? [];
    return Number(seconds) * 1e6 + Number(micro);
  };
  const sorted = files.toSorted((one, other) => orderOf(one) - orderOf(other));
  return Promise.all(
    sorted.map(async (file) => {
      const mail = await PostalMime.parse(readFileSync(file));
      const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? null;
      return { ...mail, header };
    }),
  );
}
