import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { Output } from '../../../../server/cli/output.ts';

function open(json: boolean) {
  const stdout = new PassThrough().setEncoding('utf8');
  const stderr = new PassThrough().setEncoding('utf8');
  return { stdout, stderr, output: new Output({ stdout, stderr }, { json }) };
}

describe('Output', () => {
  test('prints only the document on standard output with --json', () => {
    const { stdout, stderr, output } = open(true);
    const show = vi.fn();
    output.note('a note');
    output.result({ id: 'ws_1' }, show);
    expect(JSON.parse(stdout.read())).toEqual({ id: 'ws_1' });
    expect(stderr.read()).toBe('a note\n');
    expect(show).not.toHaveBeenCalled();
  });

  test('uses no colours without a terminal', () => {
    const { stdout, output } = open(false);
    output.record({ id: 'ws_1', plan: 'starter', left: null, settings: { skills: ['a'] } });
    expect(stdout.read()).toBe('id        ws_1\nplan      starter\nsettings  {"skills":["a"]}\n');
  });
});
