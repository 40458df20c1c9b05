import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { ignoreClosedPipe } from '../../../../server/cli/output.ts';

test('ignores a closed pipe and throws other stream errors', () => {
  const stream = new EventEmitter();
  ignoreClosedPipe(stream);
  const failure = (code: string) => Object.assign(new RangeError(code), { code });
  expect(() => stream.emit('error', failure('EPIPE'))).not.toThrow();
  expect(() => stream.emit('error', failure('ENOSPC'))).toThrow('ENOSPC');
});
