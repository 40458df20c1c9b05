import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { hashText } from '../storage/migrating/schema-files.ts';
import { type FileFacts, hashFile, listTree } from './file-tree.ts';

export const MANIFEST_NAME = 'manifest.json';
const FORMAT = 1;
const ALTERED = `${MANIFEST_NAME} was cut off or altered. Use another backup.`;
/** A damaged disk changes many files. */
const MAX_FAULTS = 20;

/** A path inside the backup: no absolute one, and none that leads out of it. */
const innerPath = z
  .string()
  .max(500)
  .refine((path) => path.split('/').every((name) => /^[\w.+-]{1,200}$/.test(name) && !/^\.\.?$/.test(name)));

const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  /** The version of Parley that took the backup. */
  version: z.string(),
  engine: z.enum(['embedded', 'postgres']),
  /** The version of PostgreSQL, also of the one that is embedded. */
  engine_version: z.string(),
  taken_at: z.iso.datetime(),
  /** The id of the encryption key of the secrets in the backup. The key itself is not in it. */
  key_id: z.string().nullable(),
  /** The names in the table `migration`. */
  migrations: z.array(z.string()),
  /** The number of rows by table. */
  tables: z.record(z.string(), z.int().min(0)),
  folders: z.array(innerPath),
  files: z.array(z.strictObject({ path: innerPath, bytes: z.int().min(0), sha256: z.string() })),
});
export type Manifest = z.output<typeof manifestSchema>;

const signedSchema = z.object({ format: z.number(), version: z.string(), checksum: z.string() });

/** Writes the manifest of a complete backup, with a checksum of its own. */
export function writeManifest(folder: string, manifest: Omit<Manifest, 'format'>): void {
  const whole = { format: FORMAT, ...manifest };
  const signed = { ...whole, checksum: hashText(JSON.stringify(whole)) };
  writeFileSync(join(folder, MANIFEST_NAME), `${JSON.stringify(signed, null, 1)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  });
}

/** The manifest, or the reason why it cannot be used. */
type ReadManifest = { readonly manifest: Manifest } | { readonly manifest: null; readonly fault: string };

export function readManifest(folder: string): ReadManifest {
  const refuse = (fault: string): ReadManifest => ({ manifest: null, fault });
  let text: string;
  try {
    text = readFileSync(join(folder, MANIFEST_NAME), 'utf8');
  } catch {
    return refuse(
      `${MANIFEST_NAME} cannot be read: this is no backup, or not a whole one. Use another backup.`,
    );
  }
  const written = z.record(z.string(), z.unknown()).safeParse(parseJson(text)).data ?? {};
  const signed = signedSchema.safeParse(written).data;
  if (signed === undefined) return refuse(ALTERED);
  if (signed.format > FORMAT) {
    return refuse(
      `Parley ${signed.version} wrote the backup in a newer format. Use that version, or a newer one.`,
    );
  }
  // The checksum is that of the text without it, so the order of the fields counts.
  const rest = Object.fromEntries(Object.entries(written).filter(([name]) => name !== 'checksum'));
  const { data } = manifestSchema.safeParse(rest);
  if (data === undefined || hashText(JSON.stringify(rest)) !== signed.checksum) return refuse(ALTERED);
  return { manifest: data };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Compares every file with the manifest. Returns one line for each that differs; of many, the first ones. */
export async function findFaults(folder: string, manifest: Manifest): Promise<readonly string[]> {
  const { files, others, folders } = listTree(folder);
  const listed = new Map(manifest.files.map(({ path, ...facts }) => [path, facts]));
  const known = new Set([...listed.keys(), MANIFEST_NAME]);
  const knownFolders = new Set(manifest.folders);
  const faults = [
    ...files.filter((path) => !known.has(path)),
    ...others,
    ...folders.filter((path) => !knownFolders.has(path)),
  ].map((path) => `${path} is not part of the backup.`);
  const present = new Set(files);
  for (const [path, facts] of listed) {
    const fault = present.has(path)
      ? describeChange(await hashFile(join(folder, path)), facts)
      : 'is missing';
    if (fault !== null) faults.push(`${path} ${fault}.`);
  }
  const rest = faults.length - MAX_FAULTS;
  return rest > 0 ? [...faults.slice(0, MAX_FAULTS), `${rest} more files differ.`] : faults;
}

function describeChange(found: FileFacts, listed: FileFacts): string | null {
  if (found.bytes !== listed.bytes) return `has ${found.bytes} bytes instead of ${listed.bytes}`;
  return found.sha256 === listed.sha256 ? null : 'was altered: its SHA-256 differs';
}
