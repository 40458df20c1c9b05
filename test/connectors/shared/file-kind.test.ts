import { expect, test } from 'vitest';
import { fileKind } from '../../../connectors/shared/files.ts';

test.each([
  ['image/png', 'image'],
  ['audio/ogg; codecs=opus', 'audio'],
  ['Video/MP4', 'video'],
  ['application/pdf', 'file'],
  ['imagery/png', 'file'],
  [null, 'file'],
])('%s is of kind %s', (contentType, kind) => {
  expect(fileKind(contentType)).toBe(kind);
});
