import { startDovecot } from '../../../helpers/platforms/email/start-dovecot.ts';
import { startSmtp } from '../../../helpers/platforms/email/start-smtp.ts';
import type { ChatMessage, ChatPlatform } from './chat-platform.ts';

const mailbox = 'help@shop.example';
const pauseMs = 100;
let started = 0;

/**
 * A mailbox in Dovecot, and a server that takes what is sent: each chat is one thread of one visitor. Null if Dovecot
 * is not installed.
 */
export async function startEmailPlatform(folder: string): Promise<ChatPlatform | null> {
  started += 1;
  const dovecot = await startDovecot(`${folder}/dovecot-${started}`, [mailbox]);
  if (dovecot === null) return null;
  const smtp = await startSmtp({ disabledCommands: ['STARTTLS'] });
  const login = { host: '127.0.0.1', secure: false, user: mailbox, pass: dovecot.password };
  const subjects = new Map<number, string>();
  return {
    channel: {
      channel: 'email',
      credentials: { imap: { ...login, port: dovecot.imapPort }, smtp: { ...login, port: smtp.port } },
      // This server has no limit.
      settings: { from: mailbox, sends_per_minute: 6_000 },
    },
    // Nothing is posted, because the installation reads the mailbox.
    postTo: () => {},
    get sent() {
      const byChat = Map.groupBy(smtp.taken, ({ to: [visitor = ''] }) =>
        Number.parseInt(visitor.slice(1), 10),
      );
      return new Map([...byChat].map(([chat, mails]) => [chat, mails.map(({ raw }) => raw)]));
    },
    /**
     * The number of mails sent twice with the same Message-ID, because the sender did not learn that the first was
     * accepted.
     */
    lostAnswers: () => smtp.taken.length - new Set(smtp.taken.map(({ raw }) => messageIdOf(raw))).size,
    async tell(message) {
      const subject = subjects.get(message.chat) ?? message.text;
      subjects.set(message.chat, subject);
      const mail = mailOf(message, subject);
      for (let tries = 1; ; tries += 1) {
        const isTaken = await dovecot.deliver(mail, mailbox).then(
          () => true,
          () => false,
        );
        if (isTaken) return tries;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    async close() {
      await dovecot.stop();
      await smtp.close();
    },
  };
}

/** In a thread under one subject, each mail answers the visitor's last. */
function mailOf({ chat, index, text }: ChatMessage, subject: string): string {
  const idOf = (number: number) => `<${chat}.${number}@lind.example>`;
  const before = Array.from({ length: index - 1 }, (_, number) => idOf(number + 1));
  return [
    `From: Visitor ${chat} <v${chat}@lind.example>`,
    `To: ${mailbox}`,
    `Subject: ${index === 1 ? '' : 'Re: '}${subject}`,
    `Message-ID: ${idOf(index)}`,
    ...(index === 1 ? [] : [`In-Reply-To: ${idOf(index - 1)}`, `References: ${before.join(' ')}`]),
    'Date: Mon, 21 Sep 2026 12:00:00 +0000',
    '',
    text,
  ].join('\r\n');
}

function messageIdOf(raw: string): string {
  return /^Message-ID:\s*(\S+)/im.exec(raw)?.[1] ?? raw;
}
