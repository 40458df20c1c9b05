import { describe, expect, test } from 'vitest';
import { findServers } from '../../../../connectors/email/setup/find-servers.ts';
import { proveServer } from '../../../../connectors/email/setup/prove-server.ts';
import { openChannelFetch } from '../../../../core/channels/connector-calls.ts';
import type { SetupTools } from '../../../../core/contract/connector.ts';
import type { DnsRecords } from '../../../../core/contract/mail/mailbox-setup.ts';
import { connectorTools } from '../../../helpers/platforms/connector-tools.ts';
import { startSmtp } from '../../../helpers/platforms/email/start-smtp.ts';

type Srv = Awaited<ReturnType<DnsRecords['srv']>>[number];

interface World {
  readonly srv?: Readonly<Record<string, readonly Partial<Srv>[]>>;
  readonly mx?: readonly string[];
  /** The configuration at an address; a function answers by itself. */
  readonly pages?: Readonly<Record<string, string | ((signal: AbortSignal | null) => Promise<Response>)>>;
  /** The hosts that greet, as `host:port`. */
  readonly greeting?: readonly string[];
  readonly tools?: Partial<SetupTools>;
}

const address = 'help@shop.example';
const wellKnown = 'https://shop.example/.well-known/autoconfig/mail/config-v1.1.xml';
const autoconfig = 'https://autoconfig.shop.example/mail/config-v1.1.xml?emailaddress=help%40shop.example';

/** Finds the servers of an address among recorded answers; also returns what was connected to. */
async function find(world: World, { wanted = address, provider = null as 'google' | null } = {}) {
  const knocked: string[] = [];
  const tools: SetupTools = {
    ...connectorTools(),
    fetch: async (input, init) => {
      const page = world.pages?.[String(input)];
      if (page === undefined) return new Response('', { status: 404 });
      return typeof page === 'string' ? new Response(page) : page(init?.signal ?? null);
    },
    dns: {
      srv: async (name) =>
        (world.srv?.[name] ?? []).map((record) => ({ name: '', port: 0, priority: 0, weight: 0, ...record })),
      mx: async () => (world.mx ?? []).map((exchange, priority) => ({ exchange, priority })),
    },
    ...world.tools,
  };
  const found = await findServers({ address: wanted, provider }, tools, {
    dnsMs: 50,
    fetchMs: 50,
    proveMs: 50,
    prove: async (_kind, { host, port }) => {
      knocked.push(`${host}:${port}`);
      return world.greeting?.includes(`${host}:${port}`) === true;
    },
  });
  const line = (server: (typeof found)['incoming']) =>
    server && `${server.host}:${server.port} ${server.encryption} by ${server.foundBy} as ${server.user}`;
  return { provider: found.provider, in: line(found.incoming), out: line(found.outgoing), knocked };
}

function config(fields: { readonly host?: string; readonly user?: string; readonly socket?: string } = {}) {
  const { host = 'imap.%EMAILDOMAIN%', user = '%EMAILLOCALPART%', socket = 'SSL' } = fields;
  return `<?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="shop.example">
    <incomingServer type="pop3"><hostname>pop.shop.example</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
    <incomingServer type="imap"><hostname>${host}</hostname><port>993</port><socketType>${socket}</socketType><username>${user}</username></incomingServer>
    <outgoingServer type="smtp"><hostname>smtp.shop.example</hostname><port>587</port><socketType>STARTTLS</socketType><username>%EMAILADDRESS%</username></outgoingServer>
  </emailProvider></clientConfig>`;
}

describe('the servers of an address', () => {
  test.each([
    ['maya@gmail.com', 'google', 'imap.gmail.com:993', 'smtp.gmail.com:465 tls'],
    ['maya@outlook.com', 'microsoft', 'outlook.office365.com:993', 'smtp.office365.com:587 starttls'],
  ])('of %s are known without a question', async (wanted, provider, incoming, outgoing) => {
    const found = await find({}, { wanted });
    expect(found.provider).toBe(provider);
    expect(found.in).toContain(`${incoming} tls by provider as ${wanted}`);
    expect(found.out).toContain(outgoing);
    expect(found.knocked).toEqual([]);
  });

  test.each([
    ['aspmx.l.google.com', 'google'],
    ['shop-example.mail.protection.outlook.com.', 'microsoft'],
    ['google.com.evil.example', null],
    ['notgoogle.com', null],
  ])('of an own domain with the MX %s belong to %s', async (exchange, provider) => {
    expect((await find({ mx: [exchange] })).provider).toBe(provider);
  });

  test('are those of the chosen provider, whatever filter the MX points to', async () => {
    const found = await find({ mx: ['filter.example'] }, { provider: 'google' });
    expect(found.in).toBe(`imap.gmail.com:993 tls by choice as ${address}`);
  });

  test('come from DNS by priority and weight, and TLS from the first byte is preferred', async () => {
    const found = await find({
      srv: {
        '_imaps._tcp.shop.example': [
          { name: 'third.shop.example', port: 993, priority: 20, weight: 9 },
          { name: 'second.shop.example', port: 993, priority: 10, weight: 1 },
          { name: 'First.shop.example.', port: 993, priority: 10, weight: 5 },
        ],
        '_imap._tcp.shop.example': [{ name: 'plain.shop.example', port: 143, priority: 0 }],
        '_submission._tcp.shop.example': [{ name: 'out.shop.example', port: 587 }],
      },
      greeting: [
        'first.shop.example:993',
        'second.shop.example:993',
        'plain.shop.example:143',
        'out.shop.example:587',
      ],
    });
    expect(found.in).toBe(`first.shop.example:993 tls by srv as ${address}`);
    expect(found.out).toBe(`out.shop.example:587 starttls by srv as ${address}`);
  });

  test('come from the configuration of the domain, with its user names', async () => {
    const greeting = ['imap.shop.example:993', 'smtp.shop.example:587'];
    const found = await find({ pages: { [autoconfig]: config() }, greeting });
    expect(found.in).toBe('imap.shop.example:993 tls by autoconfig as help');
    expect(found.out).toBe(`smtp.shop.example:587 starttls by autoconfig as ${address}`);
  });

  test('of another known host are found by its MX, before anything is guessed', async () => {
    const found = await find({ mx: ['mx00.kundenserver.de'], greeting: ['imap.shop.example:993'] });
    expect([found.provider, found.in]).toEqual([null, `imap.ionos.de:993 tls by mx as ${address}`]);
  });

  test('are guessed only where a connection proves the guess', async () => {
    const found = await find({ greeting: ['mail.shop.example:993', 'smtp.shop.example:587'] });
    expect(found.in).toBe(`mail.shop.example:993 tls by guess as ${address}`);
    expect(found.out).toBe(`smtp.shop.example:587 starttls by guess as ${address}`);
    expect(await find({})).toMatchObject({ in: null, out: null });
  });

  test('of different sources are put together', async () => {
    const found = await find({
      srv: { '_imaps._tcp.shop.example': [{ name: 'in.shop.example', port: 993 }] },
      pages: { [wellKnown]: config() },
      greeting: ['in.shop.example:993', 'smtp.shop.example:587'],
    });
    expect([found.in, found.out].map((line) => line?.split(' ')[3])).toEqual(['srv', 'autoconfig']);
  });

  test.each(['help@', 'help@shop', 'help@10.0.0.1', 'help@-a.example', `help@${'a'.repeat(250)}.example`])(
    'of the odd address %s are not looked for',
    async (wanted) => {
      expect(await find({}, { wanted })).toEqual({ provider: null, in: null, out: null, knocked: [] });
    },
  );
});

describe('a trap', () => {
  test('in SRV records is passed over: no service, an IP address, a wrong port, a dead host', async () => {
    const found = await find({
      srv: {
        '_imaps._tcp.shop.example': [
          { name: '.', port: 0 },
          { name: '169.254.169.254', port: 993 },
          { name: 'mail.shop.example', port: 25 },
          { name: 'a b.shop.example', port: 993 },
          { name: 'dead.shop.example', port: 993 },
        ],
      },
      pages: { [wellKnown]: config() },
      greeting: ['imap.shop.example:993'],
    });
    expect(found.in).toContain('imap.shop.example:993 tls by autoconfig');
    expect(found.knocked.filter((place) => place.includes('169.254') || place.includes(':25'))).toEqual([]);
  });

  test('of a thousand records costs a few connections', async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => ({ name: `m${index}.shop.example`, port: 993 }));
    const { knocked } = await find({ srv: { '_imaps._tcp.shop.example': many } });
    expect(knocked.filter((place) => place.startsWith('m'))).toHaveLength(5 + 3);
  });

  test('of a host in a private network is refused by the guard, for connections and for the configuration', async () => {
    const smtp = await startSmtp();
    const inside = openChannelFetch({
      allowPrivate: false,
      resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const outside = openChannelFetch({
      allowPrivate: true,
      resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
    });
    const { signal } = new AbortController();
    const server = { host: 'mail.shop.example', port: smtp.port, encryption: 'starttls' } as const;
    const prove = (resolve: SetupTools['resolve']) => proveServer('outgoing', server, { resolve, signal });
    expect([await prove(inside.resolve), await prove(outside.resolve)]).toEqual([false, true]);
    const found = await find({ tools: { fetch: inside.fetch }, greeting: ['imap.shop.example:993'] });
    expect(found.in).toContain('by guess');
    await Promise.all([inside.close(), outside.close(), smtp.close()]);
  });

  test.each([
    ['to plain HTTP', 'http://shop.example/config.xml'],
    ['in a circle', autoconfig],
  ])('of a configuration that redirects %s is not followed', async (_kind, location) => {
    let calls = 0;
    const moved = async () => {
      calls += 1;
      return new Response(null, { status: 302, headers: { location } });
    };
    const pages = { [autoconfig]: moved, 'http://shop.example/config.xml': config() };
    expect((await find({ pages, greeting: ['imap.shop.example:993'] })).in).toContain('by guess');
    expect(calls).toBeLessThanOrEqual(3);
  });

  test('of a huge configuration is dropped while it is received', async () => {
    let sent = 0;
    const endless = async () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1;
            controller.enqueue(Buffer.alloc(16_000, 'a'));
          },
        }),
      );
    const found = await find({ pages: { [wellKnown]: endless }, greeting: ['imap.shop.example:993'] });
    expect(found.in).toContain('by guess');
    expect(sent).toBeLessThan(10);
  });

  test.each([
    ['entities', config().replace('?>', '?><!DOCTYPE a [<!ENTITY b "imap.shop.example">]>')],
    ['no encryption', config({ socket: 'plain' })],
    ['a thousand elements', config().replace('</emailProvider>', `${'<a/>'.repeat(1_001)}</emailProvider>`)],
    ['a broken end', config().replace('</clientConfig>', '<incomingServer')],
    ['an IP address', config({ host: '10.0.0.1' })],
  ])('of a configuration with %s names no server', async (_kind, page) => {
    const greeting = ['imap.shop.example:993', '10.0.0.1:993', 'mail.shop.example:993'];
    expect((await find({ pages: { [wellKnown]: page }, greeting })).in).toContain('by guess');
  });

  test('of slow DNS and a slow host ends at its limit', async () => {
    const never = (signal: AbortSignal | null) =>
      new Promise<Response>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    const dns = { srv: () => new Promise<never>(() => {}), mx: () => new Promise<never>(() => {}) };
    const pages = { [autoconfig]: never, [wellKnown]: never };
    const found = await find({ pages, tools: { dns }, greeting: ['imap.shop.example:993'] });
    expect(found.in).toContain('by guess');
  });
});
