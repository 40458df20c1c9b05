import { BenchError } from '../bench-error.ts';

/** The packages to compare with. They are no dependency of the project: install them for the comparison. */
export const peerInstallation = 'npm install --no-save @lancedb/lancedb @orama/orama apache-arrow@18.1.0';

export function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** It is imported without types, because they are usually not installed; `isUsable` checks the used parts. */
export async function importPeer<Peer>(
  name: string,
  isUsable: (module: unknown) => module is Peer,
): Promise<Peer> {
  const module: unknown = await import(name);
  if (isUsable(module)) return module;
  throw new BenchError(`${name} has changed: the benchmark does not know this version`);
}
