import { lookup } from 'node:dns/promises';
import type { ResolveHost } from './guarded-connector.ts';

/** As every other program on this machine does it. */
export const resolveBySystem: ResolveHost = (hostname) => lookup(hostname, { all: true });
