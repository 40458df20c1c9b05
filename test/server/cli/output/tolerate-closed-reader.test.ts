import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { ignoreClosedPipe } from '../../../../server/cli/output.ts';

test('a reader that stops listening is no error, and anything else still is', () => {
  const stream = new EventEmitter();
  ignoreClosedPipe(stream);
  const failure = (code: string) => Object.assign(new RangeError(code), { code });
  expect(() => stream.emit('error', failure('EPIPE'))).not.toThrow();
  expect(() => stream.emit('error', failure('ENOSPC'))).toThrow('ENOSPC');
});
