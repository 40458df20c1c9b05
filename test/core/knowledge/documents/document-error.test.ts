import { expect, test } from 'vitest';
import { DocumentError } from '../../../../core/knowledge/documents/document-error.ts';

test('the reason is a sentence about the faulty part', () => {
  const error = new DocumentError('encrypted_file', 'This PDF');
  expect(error).toMatchObject({
    code: 'encrypted_file',
    what: 'This PDF',
    reason: 'This PDF is protected by a password. Remove the password and add it again.',
  });
  expect(error.message).toBe(error.reason);
});
