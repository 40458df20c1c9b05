import type { Attachment } from '../../core/contract/inbound-event.ts';
import { fileKind } from '../shared/file-kind.ts';
import { writeFileReference } from './file-reference.ts';
import type { Mail } from './mail.ts';

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
      };
    });
  if (!mail.isCut) return files;
  // Whoever reads the conversation sees that there is more of it.
  const whole = writeFileReference({ ...mail, part: '' });
  const name = 'the whole mail, which was too large to be read';
  return [
    ...files,
    { kind: 'other', name, contentType: 'message/rfc822', bytes: mail.bytes, reference: whole },
  ];
}

function isProof(type: string | null): boolean {
  return /^application\/(x-)?(pgp-signature|pkcs7-signature)$/.test(type ?? '');
}
