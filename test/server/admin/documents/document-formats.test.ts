import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { runIngestWorker } from '../../../../workers/ingest/worker.ts';
import { hasTesseract, makeScan, pictureOf } from '../../../helpers/documents/make-picture.ts';
import { makePptx, shape, slideTable } from '../../../helpers/documents/make-slides.ts';
import { makeEpub, makeOdt } from '../../../helpers/documents/make-texts.ts';
import { makeXlsx } from '../../../helpers/documents/make-workbook.ts';
import { openTestServer } from '../../../helpers/servers/open-test-server.ts';

const { app, runtime, query, makeWorkspace } = await openTestServer({
  runtime: { environment: hasTesseract ? { OCR: 'tesseract' } : {} },
});
const address = await app.listen({ port: 0 });

let stop = async () => {};
beforeAll(async () => {
  stop = await runIngestWorker(runtime);
});
afterAll(() => stop());

const answered = z.looseObject({ status: z.string(), failure: z.unknown() });

const ROWS = [
  ['Country', 'Collection', 'Fee'],
  ['Norway', '3 days', '£9'],
  ['Portugal', '5 days', '£14'],
  ['Japan', '9 days', '£41'],
] as const;
const rowsAs = (cell: (text: string) => string, row: (cells: string) => string): string =>
  ROWS.map((cells) => row(cells.map(cell).join(''))).join('');
const htmlTable = `<table>${rowsAs(
  (text) => `<td>${text}</td>`,
  (cells) => `<tr>${cells}</tr>`,
)}</table>`;
const rtf = `{\\rtf1\\ansi\\ansicpg1252 Collection from abroad\\par ${rowsAs(
  (text) => `\\intbl ${text.replace('£', "\\'a3")}\\cell `,
  (cells) => `\\trowd ${cells}\\row `,
)}}`;
const mail = `From: shop@acme.example\r\nMessage-ID: <1@acme.example>\r\nMIME-Version: 1.0\r\nSubject: Collection from abroad\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${htmlTable}`;

const files: readonly (readonly [name: string, make: () => Promise<Uint8Array> | Uint8Array])[] = [
  ['fees.xlsx', () => makeXlsx([{ name: 'Collection from abroad', rows: ROWS }])],
  ['fees.pptx', () => makePptx([{ shapes: shape('title', ['Collection from abroad']) + slideTable(ROWS) }])],
  [
    'fees.odt',
    () =>
      makeOdt(
        `<text:h text:outline-level="1">Collection from abroad</text:h><table:table>${rowsAs(
          (text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`,
          (cells) => `<table:table-row>${cells}</table:table-row>`,
        )}</table:table>`,
      ),
  ],
  [
    'fees.epub',
    () =>
      makeEpub(
        { 'a.xhtml': { xhtml: `<html><body><h1>Collection from abroad</h1>${htmlTable}</body></html>` } },
        'Handbook',
      ),
  ],
  ['fees.rtf', () => Buffer.from(rtf, 'latin1')],
  ['fees.eml', () => Buffer.from(mail)],
  ...(hasTesseract
    ? ([
        ['fees.png', () => pictureOf('handbook.pdf', 'png')],
        ['fees.pdf', () => makeScan([pictureOf('handbook.pdf', 'jpeg')])],
      ] as const)
    : []),
];

test.each(files)('%s is uploaded, indexed, and a row of its table answers a question', async (name, make) => {
  const { id, key } = await makeWorkspace();
  const form = new FormData();
  form.append('file', new File([Uint8Array.from(await make())], name));
  const response = await fetch(`${address}/admin/v1/workspaces/${id}/documents/upload?wait=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runtime.installation.adminToken}` },
    body: form,
  });
  expect(answered.parse(await response.json())).toMatchObject({ status: 'indexed', failure: null });
  const { lead } = (await query(key, { query: 'What is the fee for a collection in Japan?' })).json();
  expect(lead).toContain('£41');
  expect(lead).not.toContain('£14');
});
