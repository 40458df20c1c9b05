import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { isPublicAddress } from '../base/http-client.ts';
import type { Config } from '../config/config.ts';
import { modelName } from '../config/model-choice.ts';
import { type Installation, isWeakToken } from '../secrets/installation.ts';
import type { PartReport } from './part.ts';

export const needKinds = ['address', 'https', 'mail', 'model', 'token', 'backup'] as const;
export const needStates = ['there', 'weak', 'lacking'] as const;

/** Something that an installation should have, and how it has it. */
interface Need {
  readonly need: (typeof needKinds)[number];
  readonly state: (typeof needStates)[number];
  /** The value that it has, such as an address; null for none. */
  readonly value: string | null;
}

type NeedConfig = Pick<Config, 'PUBLIC_URL' | 'SMTP_URL' | 'MAIL_FROM' | 'LLM_MODELS'>;

/** Lists the needs of an installation, from its configuration and what was seen of its last backup. */
export function listNeeds(
  config: NeedConfig,
  { adminToken }: Pick<Installation, 'adminToken'>,
  parts: readonly Pick<PartReport, 'part' | 'state'>[],
): readonly Need[] {
  const { PUBLIC_URL: address = null, MAIL_FROM: from = null, LLM_MODELS: models } = config;
  const mail = config.SMTP_URL === undefined ? null : from;
  const model = models[0] === undefined ? null : modelName(models[0]);
  const isEncrypted = address === null || address.startsWith('https:');
  return [
    {
      need: 'address',
      state: address === null ? 'lacking' : isPrivateUrl(address) ? 'weak' : 'there',
      value: address,
    },
    { need: 'https', state: isEncrypted ? (address === null ? 'lacking' : 'there') : 'weak', value: address },
    { need: 'mail', state: mail === null ? 'lacking' : 'there', value: mail },
    { need: 'model', state: model === null ? 'lacking' : 'there', value: model },
    { need: 'token', state: isWeakToken(adminToken) ? 'weak' : 'there', value: null },
    { need: 'backup', state: judgeBackup(parts), value: null },
  ];
}

/** The part is unknown before the first backup: somebody may make them with other tools. */
function judgeBackup(parts: readonly Pick<PartReport, 'part' | 'state'>[]): Need['state'] {
  const state = parts.find(({ part }) => part === 'backup')?.state;
  if (state === 'ok') return 'there';
  return state === 'degraded' ? 'weak' : 'lacking';
}

/** Whether the address can be reached from this network only. */
export function isPrivateUrl(address: string): boolean {
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? host === 'localhost' || !host.includes('.') : !isPublicAddress(host);
}

/** A secret of the installation, and since when it is in use. */
interface SecretAge {
  readonly secret: 'admin_token' | 'encryption_key';
  readonly id: string | null;
  /** Null if it is set by a variable: its age is not known. */
  readonly since: Date | null;
}

type SecretConfig = Pick<Config, 'ADMIN_TOKEN' | 'ENCRYPTION_KEY' | 'DATA_DIR'>;

/** The age of a secret in the data folder is that of its file. */
export function listSecretAges(
  config: SecretConfig,
  { secretBox }: Pick<Installation, 'secretBox'>,
): readonly SecretAge[] {
  const age = (variable: string | Buffer | undefined, name: string) =>
    variable === undefined ? fileAge(join(config.DATA_DIR, name)) : null;
  return [
    { secret: 'admin_token', id: null, since: age(config.ADMIN_TOKEN, 'admin-token') },
    { secret: 'encryption_key', id: secretBox.keyId, since: age(config.ENCRYPTION_KEY, 'encryption-key') },
  ];
}

function fileAge(path: string): Date | null {
  return statSync(path, { throwIfNoEntry: false })?.mtime ?? null;
}
