import type { Catalogue } from '../../texts/english.ts';

/** The first that fits counts: Edge also calls itself Chrome, and Chrome calls itself Safari. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Names the browser and the system of a `User-Agent`, or null if it is an unknown one. */
export function describeAgent(agent: string | null | undefined, { me }: Catalogue): string | null {
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([sign]) => agent?.includes(sign))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined || system === undefined) return browser ?? system ?? null;
  return me.sessions.browserOn(browser, system);
}
