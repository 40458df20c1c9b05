import { once } from 'node:events';
import { createServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
}

/** Starts a server on a free port that accepts every mail, unless a test changes it; it keeps no process alive. */
export async function startSmtp(options: SMTPServerOptions = {}) {
  const taken: TakenMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'somebody' }),
    onData: (stream, { envelope: { mailFrom, rcptTo } }, done) => {
      buffer(stream).then((raw) => {
        const from = mailFrom === false ? '' : mailFrom.address;
        taken.push({ from, to: rcptTo.map(({ address }) => address), raw: raw.toString('utf8') });
        done();
      }, done);
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.server.unref();
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    port: address.port,
    taken,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Starts a server on a free port that hangs up instead of replying to the end of a mail. */
export async function startCuttingSmtp() {
  let received = '';
  const server = createServer((socket) => {
    socket.write('220 mail.acme.example\r\n');
    socket.on('data', (data) => {
      const words = data.toString('latin1');
      received += words;
      if (received.endsWith('\r\n.\r\n')) socket.destroy();
      else if (/^DATA/i.test(words)) socket.write('354 Go on\r\n');
      else if (/^(EHLO|AUTH|MAIL|RCPT)/i.test(words)) {
        socket.write(words.startsWith('AUTH') ? '235 Yes\r\n' : '250 AUTH PLAIN\r\n');
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return {
    port: address.port,
    received: () => received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Returns the refusal of a server. */
export function smtpRefusal(code: number, words: string): Error {
  return Object.assign(new TypeError(words), { responseCode: code });
}
