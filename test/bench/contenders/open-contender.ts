import type { Contender } from './contender.ts';

const contenders = {
  Parley: async () => (await import('./parley.ts')).parley,
  'Parley, small workspace': async () => (await import('./parley.ts')).parleySmallWorkspace,
  'exact scan': async () => (await import('./exact-scan.ts')).exactScan,
  LanceDB: async () => (await import('./lance-db.ts')).lanceDb,
  Orama: async () => (await import('./orama.ts')).orama,
} as const satisfies Record<string, () => Promise<Contender>>;

export const contenderNames = [
  'Parley',
  'Parley, small workspace',
  'exact scan',
  'LanceDB',
  'Orama',
] as const;

export type ContenderName = (typeof contenderNames)[number];

/** Loads the code of a contender on demand, because each has a process to itself and its memory is measured. */
export function openContender(name: ContenderName): Promise<Contender> {
  return contenders[name]();
}
