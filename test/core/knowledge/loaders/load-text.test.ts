import { expect, test } from 'vitest';
import type { Block } from '../../../../core/knowledge/loaders/loader.ts';
import { loadAs } from '../../../helpers/documents/load-as.ts';

const load = async (text: string): Promise<readonly Block[]> =>
  (await loadAs({ fileName: 'a.txt' }, text)).blocks;

test('blank lines separate paragraphs', async () => {
  expect((await load('One.\n\n \nTwo.\r\n\r\nThree.')).map(({ text }) => text)).toEqual([
    'One.',
    'Two.',
    'Three.',
  ]);
});

test('hard-wrapped lines are joined, lines of a postal address are not', async () => {
  const wrapped = 'The workshop in Harbour Street opens at eight in the morning from\nMonday to Friday.';
  const address = 'Juniper Cycles\nHarbour Street 4\nBergen';
  expect((await load(`${wrapped}\n\n${address}`)).map(({ text }) => text)).toEqual([
    wrapped.replace('\n', ' '),
    address,
  ]);
});

test('marked lines become a list after their introduction', async () => {
  expect(await load('Bring:\n- a helmet\n- a lock')).toMatchObject([
    { kind: 'paragraph', text: 'Bring:' },
    { kind: 'list', text: '- a helmet\n- a lock' },
  ]);
});
