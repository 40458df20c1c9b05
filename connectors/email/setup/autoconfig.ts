import { SaxesParser } from 'saxes';
import { withDeadline } from '../../../core/contract/abort-signal.ts';
import type { Tools } from '../../../core/contract/account.ts';
import type { FoundServer } from '../../../core/contract/mail/mailbox-setup.ts';

type FetchTools = Pick<Tools, 'fetch' | 'signal'>;

/** The servers that a configuration names, in their order. */
interface Autoconfig {
  readonly incoming: readonly Candidate[];
  readonly outgoing: readonly Candidate[];
}

export type Candidate = Omit<FoundServer, 'foundBy'>;

const MAX_BYTES = 64_000;
const MAX_ELEMENTS = 1_000;
const MAX_DEPTH = 20;
const MAX_TEXT = 300;
const MAX_REDIRECTS = 2;

/**
 * Reads the configuration that a domain publishes for mail programs (Mozilla's config-v1.1), from the first of its two
 * addresses that has one. Null if there is none, or if it is not read within `timeoutMs` milliseconds.
 */
export async function fetchAutoconfig(
  address: string,
  tools: FetchTools,
  timeoutMs: number,
): Promise<Autoconfig | null> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const query = `?emailaddress=${encodeURIComponent(address)}`;
  const found = await Promise.all(
    [
      `https://autoconfig.${domain}/mail/config-v1.1.xml${query}`,
      `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`,
    ].map((url) => fetchConfig(url, address, { ...tools, timeoutMs })),
  );
  return found.find((config) => config !== null) ?? null;
}

async function fetchConfig(
  url: string,
  address: string,
  { fetch, signal, timeoutMs }: FetchTools & { readonly timeoutMs: number },
): Promise<Autoconfig | null> {
  try {
    const text = await withDeadline({ timeoutMs, signal }, (ends) => fetchText(url, { fetch, signal: ends }));
    return text === null ? null : parseAutoconfig(text, address);
  } catch {
    // Most domains have no such address. The guard's refusal of a private host is the same to this search.
    return null;
  }
}

/** Follows redirects itself, because each address must pass the guard: over https, and not in a private network. */
async function fetchText(first: string, tools: FetchTools): Promise<string | null> {
  let url = first;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    const response = await tools.fetch(url, { redirect: 'manual', signal: tools.signal });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await response.body?.cancel();
      const next = URL.parse(location, url);
      if (next === null || next.protocol !== 'https:') return null;
      url = next.href;
      continue;
    }
    if (response.ok) return readText(response);
    await response.body?.cancel();
    return null;
  }
  return null;
}

/** Returns null for a body that is larger than a configuration can be; the rest of it is not received. */
async function readText({ body }: Response): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > MAX_BYTES) return null;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

interface OpenServer {
  readonly kind: 'incoming' | 'outgoing' | null;
  readonly fields: Map<string, string>;
}

/**
 * Parses a configuration. Null if it is no such file, names no server that can be used, or exceeds the limits. A file with a
 * document type is refused, so that no entity is expanded. Pure.
 */
function parseAutoconfig(text: string, address: string): Autoconfig | null {
  const found: { readonly incoming: Candidate[]; readonly outgoing: Candidate[] } = {
    incoming: [],
    outgoing: [],
  };
  const parser = new SaxesParser();
  const path: string[] = [];
  let elements = 0;
  let server: OpenServer | null = null;
  let words = '';
  let isRefused = false;
  const refuse = () => {
    isRefused = true;
  };
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1;
    path.push(name);
    words = '';
    if (elements > MAX_ELEMENTS || path.length > MAX_DEPTH) refuse();
    if (name === 'incomingServer' || name === 'outgoingServer') {
      server = { kind: serverKind(name, attributes.type), fields: new Map() };
    }
  });
  parser.on('text', (piece) => {
    if (words.length < MAX_TEXT) words += piece.slice(0, MAX_TEXT);
  });
  parser.on('closetag', ({ name }) => {
    path.pop();
    const parent = path.at(-1);
    if (server === null) return;
    if (name === 'incomingServer' || name === 'outgoingServer') {
      const candidate = toCandidate(server.fields, address);
      if (server.kind !== null && candidate !== null) found[server.kind].push(candidate);
      server = null;
    } else if ((parent === 'incomingServer' || parent === 'outgoingServer') && !server.fields.has(name)) {
      server.fields.set(name, words.trim());
    }
  });
  parser.write(text).close();
  if (isRefused || found.incoming.length + found.outgoing.length === 0) return null;
  return found;
}

function serverKind(name: string, type: string | undefined): OpenServer['kind'] {
  if (name === 'incomingServer') return type === 'imap' ? 'incoming' : null;
  return type === 'smtp' ? 'outgoing' : null;
}

/** Returns null for a server without encryption, and for one whose fields are not usable. */
function toCandidate(fields: ReadonlyMap<string, string>, address: string): Candidate | null {
  const at = address.lastIndexOf('@');
  const fill = (text: string) =>
    text
      .replaceAll('%EMAILADDRESS%', address)
      .replaceAll('%EMAILLOCALPART%', address.slice(0, at))
      .replaceAll('%EMAILDOMAIN%', address.slice(at + 1));
  const encryption = { SSL: 'tls', STARTTLS: 'starttls' } as const;
  const socket = fields.get('socketType');
  const port = Number(fields.get('port'));
  if (socket !== 'SSL' && socket !== 'STARTTLS') return null;
  if (!Number.isInteger(port)) return null;
  return {
    host: fill(fields.get('hostname') ?? '').toLowerCase(),
    port,
    encryption: encryption[socket],
    user: fill(fields.get('username') ?? '') || address,
  };
}
