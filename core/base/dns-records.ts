import { Resolver } from 'node:dns/promises';
import type { DnsRecords } from '../contract/mail/mailbox-setup.ts';

/** The limit of a question to one server, in milliseconds. */
const TIMEOUT_MS = 2_000;
const TRIES = 2;

/** Reads records from the DNS servers of this machine. A domain without records, and one that no server knows, has none. */
export const dnsRecords: DnsRecords = {
  srv: (name) => orNone((resolver) => resolver.resolveSrv(name)),
  mx: (domain) => orNone((resolver) => resolver.resolveMx(domain)),
};

async function orNone<Item>(ask: (resolver: Resolver) => Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await ask(new Resolver({ timeout: TIMEOUT_MS, tries: TRIES }));
  } catch (error) {
    // ENOTFOUND, ENODATA, ESERVFAIL, ETIMEOUT and the like; anything else is a defect.
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
