import { linkSignal, withDeadline } from '../../../core/contract/abort-signal.ts';
import type { SetupTools } from '../../../core/contract/connector.ts';
import type { FoundServer, FoundServers, WantedMailbox } from '../../../core/contract/mail/mailbox-setup.ts';
import { PORTS_OF_STARTTLS } from '../mail-server.ts';
import { type Candidate, fetchAutoconfig } from './autoconfig.ts';
import { findOtherHost, findProvider, type Known, providers } from './known-hosts.ts';
import { type ProveServer, proveServer } from './prove-server.ts';

interface Search {
  readonly prove: ProveServer;
  /** Limit in milliseconds of the questions to DNS, which are asked at once. */
  readonly dnsMs: number;
  readonly fetchMs: number;
  /** Limit of the connections to all candidates of one source, which are opened at once. */
  readonly proveMs: number;
}

/** All limits together are below the deadline of a call. */
const realSearch: Search = { prove: proveServer, dnsMs: 3_000, fetchMs: 3_000, proveMs: 2_500 };

type Kind = 'incoming' | 'outgoing';

/** How many servers of one source are tried. */
const MAX_CANDIDATES = 5;

/**
 * Finds the servers of an address. In this order: the provider's own (Google, Microsoft; also for domains whose MX points to
 * them), SRV records (RFC 6186), the configuration file of the domain, other known hosts by MX, and guesses. Only servers that
 * greet are returned, except those of known hosts. Servers without encryption are not considered.
 */
export async function findServers(
  { address, provider: wanted }: WantedMailbox,
  tools: SetupTools,
  search: Search = realSearch,
): Promise<FoundServers> {
  const domain = domainOf(address);
  const nothing = { incoming: null, outgoing: null };
  if (!isHostName(domain)) return { provider: null, ...nothing };
  if (wanted !== null) return toFound({ host: providers[wanted], foundBy: 'choice' }, address);
  const direct = findProvider(domain, []);
  if (direct !== null) return toFound(direct, address);
  const asked = await askDns(domain, tools, search.dnsMs);
  const exchanges = asked.mx
    .toSorted((one, other) => one.priority - other.priority)
    .map(({ exchange }) => normaliseHost(exchange));
  const provider = findProvider(domain, exchanges);
  if (provider !== null) return toFound(provider, address);

  const found: { incoming: FoundServer | null; outgoing: FoundServer | null } = { ...nothing };
  for (const source of listSources(address, { asked, exchanges, tools, search })) {
    if (found.incoming !== null && found.outgoing !== null) break;
    const { foundBy, known, incoming, outgoing } = await source();
    const proof = { foundBy, tools, search };
    [found.incoming, found.outgoing] = await Promise.all([
      found.incoming ?? known?.incoming ?? firstProven('incoming', incoming, proof),
      found.outgoing ?? known?.outgoing ?? firstProven('outgoing', outgoing, proof),
    ]);
  }
  return { provider: null, ...found };
}

/** The servers that a source names. */
interface Named extends Readonly<Record<Kind, readonly Candidate[]>> {
  readonly foundBy: FoundServer['foundBy'];
  /** Servers that need no proof. */
  readonly known?: Pick<FoundServers, Kind>;
}

interface Sources {
  readonly asked: Awaited<ReturnType<typeof askDns>>;
  /** The hosts that take the domain's mail, the preferred one first. */
  readonly exchanges: readonly string[];
  readonly tools: SetupTools;
  readonly search: Search;
}

/** The sources after the provider's own, in their order. Each is asked only if a server is still missing. */
function listSources(
  address: string,
  { asked, exchanges, tools, search }: Sources,
): readonly (() => Promise<Named>)[] {
  const domain = domainOf(address);
  return [
    async () => ({
      foundBy: 'srv',
      incoming: readSrv(asked.incoming, address),
      outgoing: readSrv(asked.outgoing, address),
    }),
    async () => {
      const config = await fetchAutoconfig(address, tools, search.fetchMs);
      return { foundBy: 'autoconfig', incoming: config?.incoming ?? [], outgoing: config?.outgoing ?? [] };
    },
    async () => {
      const host = findOtherHost(domain, exchanges);
      const known = host === null ? {} : { known: toFound(host, address) };
      return { foundBy: 'guess', ...guessServers(domain, address), ...known };
    },
  ];
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function toFound({ host, foundBy }: Known, user: string): FoundServers {
  return {
    provider: host.provider,
    incoming: { ...host.incoming, user, foundBy },
    outgoing: { ...host.outgoing, user, foundBy },
  };
}

type Srv = Awaited<ReturnType<SetupTools['dns']['srv']>>[number];

/** A record with the encryption that its service has. */
interface Offered {
  readonly encryption: FoundServer['encryption'];
  readonly records: readonly Srv[];
}

/** Asks for all records at once. Records that do not come within `timeoutMs` count as absent. */
async function askDns(domain: string, { dns, signal }: SetupTools, timeoutMs: number) {
  return withDeadline({ timeoutMs, signal }, async (ends) => {
    const ask = <Item>(question: Promise<readonly Item[]>) => beforeAbort(question, [], ends);
    const [mx, imaps, imap, submissions, submission] = await Promise.all([
      ask(dns.mx(domain)),
      ask(dns.srv(`_imaps._tcp.${domain}`)),
      ask(dns.srv(`_imap._tcp.${domain}`)),
      ask(dns.srv(`_submissions._tcp.${domain}`)),
      ask(dns.srv(`_submission._tcp.${domain}`)),
    ]);
    const offers = (atOnce: readonly Srv[], later: readonly Srv[]): readonly Offered[] => [
      { encryption: 'tls', records: atOnce },
      { encryption: 'starttls', records: later },
    ];
    return { mx, incoming: offers(imaps, imap), outgoing: offers(submissions, submission) };
  });
}

/** Resolves to `fallback` if the work fails or `signal` aborts first: a question to DNS cannot be taken back. */
function beforeAbort<Result>(work: Promise<Result>, fallback: Result, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(fallback);
    signal.addEventListener('abort', () => resolve(fallback), { once: true });
    work.then(resolve, () => resolve(fallback));
  });
}

/**
 * Returns the candidates of SRV records: those with TLS from the first byte before those with STARTTLS, then by priority and
 * weight. The heavier record is always first, so that two searches find the same.
 */
function readSrv(offers: readonly Offered[], user: string): readonly Candidate[] {
  return offers.flatMap(({ encryption, records }) =>
    records
      .toSorted((one, other) => one.priority - other.priority || other.weight - one.weight)
      .map(({ name, port }) => ({ host: normaliseHost(name), port, encryption, user })),
  );
}

function guessServers(domain: string, user: string): Readonly<Record<Kind, readonly Candidate[]>> {
  const at = (names: readonly string[], port: number, encryption: FoundServer['encryption']) =>
    names.map((name) => ({ host: `${name}.${domain}`, port, encryption, user }));
  return {
    incoming: at(['imap', 'mail'], 993, 'tls'),
    outgoing: [...at(['smtp', 'mail'], 465, 'tls'), ...at(['smtp', 'mail'], 587, 'starttls')],
  };
}

interface Proof {
  readonly foundBy: FoundServer['foundBy'];
  readonly tools: SetupTools;
  readonly search: Search;
}

/** Connects to all candidates at once and returns the first in their order that greets; null if none does in time. */
async function firstProven(
  kind: Kind,
  candidates: readonly Candidate[],
  { foundBy, tools, search }: Proof,
): Promise<FoundServer | null> {
  const usable = candidates.filter(isUsable).slice(0, MAX_CANDIDATES);
  if (usable.length === 0) return null;
  return withDeadline({ timeoutMs: search.proveMs, signal: tools.signal }, async (ends) => {
    const { controller, leave } = linkSignal(ends);
    const { signal } = controller;
    try {
      const proofs = usable.map((server) =>
        beforeAbort(search.prove(kind, server, { resolve: tools.resolve, signal }), false, signal),
      );
      for (const [position, server] of usable.entries()) {
        if (await proofs[position]) return { ...server, foundBy };
      }
      return null;
    } finally {
      // The connections to the others are closed.
      controller.abort();
      leave();
    }
  });
}

/** Whether a server may be offered: a name and not an address, with encryption that belongs to its port. */
function isUsable({ host, port, encryption }: Candidate): boolean {
  const isStartTls = PORTS_OF_STARTTLS.has(port);
  return isHostName(host) && port > 0 && port < 65_536 && isStartTls === (encryption === 'starttls');
}

function normaliseHost(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** A name of DNS with at least two parts, of which the last is no number: an IP address is none. */
function isHostName(name: string): boolean {
  const labels = name.split('.');
  return (
    name.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label)) &&
    !/^\d{1,63}$/.test(labels.at(-1) ?? '')
  );
}
