import { describe, expect, test } from 'vitest';
import { remedyFor, sourceState } from '../../../core/sources/source-state.ts';

const calm = { isHeld: false, isPaused: false, run: 'over', left: 0, troubled: 0 } as const;

describe('the state of a source', () => {
  test.each([
    ['is in step if every listed item is answered from its newest reading', {}, 'in_step'],
    ['is catching up while documents wait for the index', { left: 12 }, 'catching_up'],
    ['is catching up during a run, whatever failed before', { run: 'going', troubled: 3 }, 'catching_up'],
    ['needs somebody if an item failed', { troubled: 1 }, 'needs_you'],
    ['needs somebody for a failed item before it catches up', { troubled: 1, left: 12 }, 'needs_you'],
    ['needs somebody if the whole run failed', { run: 'failed' }, 'needs_you'],
    ['is held above all', { isHeld: true, isPaused: true, run: 'failed', troubled: 9 }, 'held'],
    ['is held also while the next run is going', { isHeld: true, run: 'going' }, 'held'],
    ['is paused', { isPaused: true, troubled: 9 }, 'paused'],
    ['is not paused before its run has ended', { isPaused: true, run: 'going' }, 'catching_up'],
    ['is not read before the first run', { run: null }, 'not_read'],
  ] as const)('%s', (_, standing, state) => {
    expect(sourceState({ ...calm, ...standing })).toBe(state);
  });
});

test.each([
  ['http_500', 'wait'],
  ['http_403', 'allow_access'],
  ['empty_page', 'render'],
  ['gone', 'correct_link'],
  ['too_much_text', 'shorten'],
  ['encrypted_file', 'replace_file'],
  ['something_new', 'read_reason'],
])('what can be done about %s: %s', (code, remedy) => {
  expect(remedyFor(code)).toBe(remedy);
});
