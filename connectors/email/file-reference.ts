import { ConnectorError } from '../../core/contract/connector-error.ts';
import type { Mail } from './mail.ts';

/** A file in the mailbox: its mail, and how it is found in that. */
export interface FileReference extends Pick<Mail, 'uid' | 'uidValidity'> {
  /** `nINDEX` of the files of a mail that was read whole, `pPART` of one that was not; the whole mail where it is empty. */
  readonly part: string;
}

const form = /^(\d+)\/(\d+)\/(n\d+|p[\d.]+|)$/;

export function writeFileReference({ uidValidity, uid, part }: FileReference): string {
  return `${uidValidity}/${uid}/${part}`;
}

export function readFileReference(reference: string): FileReference {
  const [, uidValidity, uid, part] = form.exec(reference) ?? [];
  if (uidValidity !== undefined && part !== undefined) return { uidValidity, uid: Number(uid), part };
  throw new ConnectorError('This is no file of a mailbox.', { advice: { retry: 'never' } });
}
