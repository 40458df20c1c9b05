import { describe, expect, test } from 'vitest';
import { loadAs } from '../../../../helpers/documents/load-as.ts';
import { processorMs } from '../../../../helpers/processor-ms.ts';

const API = {
  openapi: '3.1.0',
  info: { title: 'Parcels', description: 'Sends <b>parcels</b>.' },
  paths: {
    '/parcels/{id}': {
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: { summary: 'Find a parcel', responses: { 200: { description: 'The parcel.' } } },
      put: {
        summary: 'Change a parcel',
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Parcel' } } } },
        responses: { 404: { description: 'No parcel | none.' } },
      },
    },
  },
  components: {
    parameters: {
      id: { name: 'id', in: 'path', required: true, schema: { type: 'string' }, description: 'Its number.' },
    },
    schemas: {
      Parcel: {
        required: ['weight'],
        properties: {
          weight: { type: 'number', description: 'In kilograms.' },
          inner: { $ref: '#/components/schemas/Parcel' },
          loop: { $ref: '#/components/schemas/Loop' },
        },
      },
      Loop: { $ref: '#/components/schemas/Loop' },
    },
  },
};

describe('an OpenAPI description', () => {
  test('has a section for each operation, named by method and path', async () => {
    const { title, blocks } = await loadAs({ fileName: 'openapi.json' }, JSON.stringify(API));
    expect(title).toBe('Parcels');
    const ofPut = blocks
      .filter(({ headings }) => headings[0] === 'PUT /parcels/{id}')
      .map(({ text }) => text);
    expect(blocks.some(({ headings }) => headings[0] === 'GET /parcels/{id}')).toBe(true);
    expect(ofPut.join('\n')).toContain('Change a parcel');
    expect(ofPut.join('\n')).toContain(
      'Parameter: id; In: path; Type: string; Required: yes; Description: Its number.',
    );
    expect(ofPut.join('\n')).toContain(
      'Field: weight; Type: number; Required: yes; Description: In kilograms.',
    );
    expect(ofPut.join('\n')).toContain('Status: 404; Description: No parcel | none.');
  });

  test('may be YAML', async () => {
    const yaml =
      'openapi: 3.0.0\ninfo: {title: Shops}\npaths:\n  /shops:\n    get:\n      summary: List shops\n      responses: {}\n';
    const { title, blocks } = await loadAs({ fileName: 'openapi.yaml' }, yaml);
    expect({ title, headings: blocks[0]?.headings }).toEqual({ title: 'Shops', headings: ['GET /shops'] });
  });
});

test('other JSON is read by its keys: lists of objects as tables', async () => {
  const data = {
    title: 'Fees',
    currency: 'EUR',
    countries: [
      { name: 'Norway', fee: 9 },
      { name: 'Japan', days: 4 },
    ],
  };
  const { title, blocks } = await loadAs({ fileName: 'fees.json' }, JSON.stringify(data));
  expect(title).toBe('Fees');
  expect(blocks.map(({ headings, text }) => [...headings, text])).toEqual([
    ['title: Fees\ncurrency: EUR'],
    ['countries', 'name: Norway; fee: 9\nname: Japan; days: 4'],
  ]);
});

test('a notebook is read as its text and code, without results', async () => {
  const notebook = {
    metadata: { kernelspec: { language: 'python' } },
    cells: [
      { cell_type: 'markdown', source: ['# Fees\n', 'Nine **euros**.'] },
      { cell_type: 'code', source: 'fee = 9', outputs: [{ text: 'printed' }] },
    ],
  };
  expect(await loadAs({ fileName: 'a.ipynb' }, JSON.stringify(notebook))).toMatchObject({
    title: 'Fees',
    blocks: [{ text: 'Nine euros.' }, { kind: 'code', text: 'fee = 9', code: { language: 'python' } }],
  });
});

test.each([
  ['a.json', '{"a": '],
  ['a.yaml', 'a: [1'],
  ['a.ipynb', '{"cells": 1}'],
])('a damaged %s is refused', async (fileName, text) => {
  await expect(loadAs({ fileName }, text)).rejects.toMatchObject({ code: 'corrupt_file' });
});

test('aliases that multiply are refused', async () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let at = 1; at < 12; at += 1)
    lines.push(`a${at}: &a${at} [${Array.from({ length: 10 }, () => `*a${at - 1}`).join(', ')}]`);
  expect(
    await processorMs(() =>
      expect(loadAs({ fileName: 'a.yaml' }, lines.join('\n'))).rejects.toMatchObject({
        code: 'corrupt_file',
      }),
    ),
  ).toBeLessThan(3000);
});

test('objects nested deeper than the stack are refused', async () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  await expect(loadAs({ fileName: 'a.json' }, deep)).rejects.toMatchObject({ code: 'nested_too_deeply' });
});
