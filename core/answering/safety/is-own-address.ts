import { hostOf } from './host-of.ts';

/** Whether an address is on one of the hosts, below one, or right above one (`acme.example` of `help.acme.example`). */
export function isOwnAddress(address: string, hosts: ReadonlySet<string>): boolean {
  const host = hostOf(address);
  if (host === null || host === '') return false;
  return [...hosts].some((own) => host === own || host.endsWith(`.${own}`) || own.endsWith(`.${host}`));
}
