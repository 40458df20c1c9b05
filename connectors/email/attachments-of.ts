import type { Attachment } from '../../core/contract/inbound.ts';
import { fileKind } from '../shared/file-kind.ts';
import { writeFileReference } from './file-reference.ts';
import type { Mail } from './mail.ts';

const LARGEST_LOGO = 50_000;

/** Pictures within the text as well; what only proves who wrote the mail is none. */
export function attachmentsOf(mail: Mail): readonly Attachment[] {
  const files = mail.files
    .filter(({ type }) => !isProof(type))
    .map((file): Attachment => {
      const { name, type, bytes, part } = file;
      return {
        kind: fileKind(type),
        name,
        contentType: type,
        bytes,
        reference: writeFileReference({ ...mail, part }),
        ...(isIncidental(file) && { incidental: true }),
      };
    });
  if (!mail.isCut && !mail.isUnread) return files;
  // Whoever reads the conversation sees that there is more of it.
  const whole = writeFileReference({ ...mail, part: '' });
  const name = `the whole mail, which ${mail.isUnread ? 'could not' : 'was too large to'} be read`;
  return [
    ...files,
    {
      kind: 'other',
      name,
      contentType: 'message/rfc822',
      bytes: mail.bytes,
      reference: whole,
      incidental: true,
    },
  ];
}

/** A logo, a card of who writes, or an invitation, which is read. What is pasted into a text to be looked at is larger. */
function isIncidental({ type, bytes, embedded }: Mail['files'][number]): boolean {
  if (/^text\/(x-)?(vcard|calendar)$/.test(type ?? '') || type === 'application/ics') return true;
  return embedded && fileKind(type) === 'image' && bytes !== null && bytes < LARGEST_LOGO;
}

function isProof(type: string | null): boolean {
  return /^application\/(x-)?(pgp-signature|pkcs7-signature)$/.test(type ?? '');
}
