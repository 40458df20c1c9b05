import { describe, expect, test } from 'vitest';
import { googleDriveKind } from '../../../../../core/sources/tools/drives/google-drive.ts';
import {
  GoogleDriveStandIn,
  GoogleTokenStandIn,
  serviceAccount,
} from '../../../../helpers/sources/tools/google-drive.ts';
import { ToolBench } from '../../../../helpers/sources/tools/tool-bench.ts';

const google = 'application/vnd.google-apps.';

function open(account: Readonly<Record<string, string>> = serviceAccount, folder = 'root-folder') {
  const drive = new GoogleDriveStandIn();
  const tokens = new GoogleTokenStandIn(() => bench.now);
  const values = {
    settings: { folder_id: folder },
    credentials: { service_account: JSON.stringify(account) },
  };
  const bench: ToolBench<unknown, unknown> = new ToolBench(googleDriveKind, values, drive, tokens);
  drive.set('root-folder', { mimeType: `${google}folder`, parent: 'drive-1' });
  drive.set('doc-1', {});
  drive.set('sheet-1', { mimeType: `${google}spreadsheet` });
  drive.set('slides-1', { mimeType: `${google}presentation` });
  drive.set('inner-1', { mimeType: `${google}folder` });
  drive.set('manual-1', {
    name: 'Manual.v2.md',
    mimeType: 'text/markdown',
    text: '# Manual',
    parent: 'inner-1',
  });
  return { drive, bench };
}

const keys = ['doc-1', 'manual-1', 'sheet-1', 'slides-1'];

describe('a folder of Google Drive', () => {
  test('is listed with the folders inside, page by page, and read by type', async () => {
    const { bench } = open();
    expect(await bench.list()).toMatchObject({ keys, pages: 3 });
    const url = 'https://docs.google.com/document/d/doc-1/edit';
    expect(await bench.content('doc-1')).toMatchObject({
      ...{ text: 'text/markdown of doc-1', title: 'doc-1', contentType: 'text/markdown; charset=utf-8', url },
    });
    const office = 'application/vnd.openxmlformats-officedocument';
    expect((await bench.content('sheet-1')).text).toBe(`${office}.spreadsheetml.sheet of sheet-1`);
    expect((await bench.content('slides-1')).text).toBe(`${office}.presentationml.presentation of slides-1`);
    expect(await bench.content('manual-1')).toMatchObject({
      ...{ text: '# Manual', contentType: 'text/markdown', fileName: 'Manual.v2.md', title: 'Manual.v2' },
    });
  });

  test('asks for one token in an hour', async () => {
    const { bench } = open();
    const reader = bench.open();
    const tokens = () => bench.calls.filter(({ path }) => path[0] === 'token').length;
    await reader.read({ key: 'doc-1', validators: null });
    await reader.read({ key: 'sheet-1', validators: null });
    expect(tokens()).toBe(1);
    bench.now = new Date(bench.now.getTime() + 3_600_000);
    await reader.read({ key: 'doc-1', validators: null });
    expect(tokens()).toBe(2);
  });

  test('is read again only where a file has changed', async () => {
    const { bench, drive } = open();
    await bench.run();
    drive.set('doc-1', { modifiedTime: '2026-02-01T00:00:00.000Z' });
    drive.set('manual-1', { name: 'Handbook.md' });
    drive.set('sheet-1', { trashed: true });
    drive.files.delete('slides-1');
    const left = { 'doc-1': 'content', 'manual-1': 'content', 'sheet-1': 'missing', 'slides-1': 'missing' };
    expect(await bench.run()).toEqual(left);
    expect(await bench.read('sheet-1')).toEqual({ kind: 'gone' });
  });

  test('leaves out what cannot be read, with a reason', async () => {
    const { bench, drive } = open();
    drive.set('image-1', { name: 'a.png', mimeType: 'image/png' });
    drive.set('form-1', { mimeType: `${google}form` });
    drive.set('short-1', { mimeType: `${google}shortcut` });
    drive.set('large-1', { name: 'a.pdf', mimeType: 'application/pdf', size: '99000000' });
    drive.set("x' or '1", {});
    expect(await bench.run()).toMatchObject({
      ...{
        'image-1': 'unknown_format',
        'form-1': 'unknown_format',
        'short-1': 'shortcut',
        'large-1': 'too_large',
      },
      ...{ "x' or '1": 'unusable_key', 'doc-1': 'content' },
    });
  });

  test('follows shortcuts to files and folders once, and never in a circle', async () => {
    const { bench, drive } = open();
    drive.set('far-1', { parent: 'elsewhere' });
    drive.set('far-2', { mimeType: `${google}folder`, parent: 'elsewhere' });
    drive.set('deep-1', { parent: 'far-2' });
    const shortcut = `${google}shortcut`;
    drive.set('to-file', { mimeType: shortcut, target: 'far-1' });
    drive.set('to-folder', { mimeType: shortcut, target: 'far-2' });
    drive.set('back', { mimeType: shortcut, target: 'root-folder', parent: 'far-2' });
    drive.set('again', { mimeType: shortcut, target: 'far-2', parent: 'inner-1' });
    drive.set('lost-1', { mimeType: shortcut, target: 'not-shared' });
    const { keys: found, leftOut } = await bench.list();
    expect(found).toEqual([...keys, 'deep-1', 'far-1'].sort());
    expect(leftOut.map(({ key, code }) => [key, code])).toEqual([['lost-1', 'shortcut']]);
    expect(await bench.content('far-1')).toMatchObject({ title: 'far-1' });
  });

  test('takes the text of a file that Google does not export with its pictures', async () => {
    const { bench, drive } = open();
    const office = 'application/vnd.openxmlformats-officedocument';
    drive.set('slides-1', { largeAs: [`${office}.presentationml.presentation`] });
    expect((await bench.content('slides-1')).text).toBe('text/plain of slides-1');
  });

  test('that contains itself ends', async () => {
    const { bench, drive } = open();
    drive.set('loop-1', { mimeType: `${google}folder`, parent: 'loop-1' });
    drive.set('inner-1', { parent: 'loop-1' });
    drive.set('loop-1', { parent: 'root-folder' });
    drive.set('root-folder', { parent: 'loop-1' });
    expect((await bench.list()).leftOut).toContainEqual(expect.objectContaining({ code: 'too_deep' }));
  });

  test('that does not exist or is not shared fails the run and says what to do', async () => {
    await expect(open(serviceAccount, 'other-folder').bench.list()).rejects.toMatchObject({
      ...{ name: 'SourceError', code: 'source_missing' },
      message: `Google Drive answers with status 404: File not found: other-folder. Share the folder with ${serviceAccount.client_email}, or correct its id.`,
    });
    await expect(open(serviceAccount, 'doc-1').bench.list()).rejects.toMatchObject({
      code: 'source_missing',
    });
  });

  test('that cannot be listed as a whole is listed later', async () => {
    const { bench, drive } = open();
    drive.isIncomplete = true;
    await expect(bench.list()).rejects.toMatchObject({ code: 'incomplete_list', retryAfterMs: 300_000 });
  });

  test('without the right to a file, or beyond its own limits, fails there alone', async () => {
    const { bench, drive } = open();
    drive.forbidden.add('doc-1');
    expect(await bench.run()).toMatchObject({ 'doc-1': 'no_permission', 'sheet-1': 'content' });
    const reader = bench.open();
    await reader.read({ key: 'sheet-1', validators: null });
    const message = 'The download quota for this file has been exceeded.';
    bench.next.push({ status: 403, json: { error: { code: 403, message } } });
    await expect(reader.read({ key: 'sheet-1', validators: null })).rejects.toMatchObject({
      name: 'ItemError',
    });
  });

  test('waits for the limits of Google', async () => {
    const { bench } = open();
    await bench.open().read({ key: 'doc-1', validators: null });
    const reader = bench.open();
    await reader.read({ key: 'doc-1', validators: null });
    const json = { error: { code: 403, message: 'User Rate Limit Exceeded' } };
    bench.next.push({ status: 403, json }, { status: 429, json });
    await reader.read({ key: 'doc-1', validators: null });
    expect(bench.waits).toEqual([1_000, 2_000]);
    bench.next.push({ status: 429, json, headers: { 'retry-after': '60' } });
    await expect(reader.list(null)).rejects.toMatchObject({ code: 'rate_limited', retryAfterMs: 60_000 });
  });

  test('is refused with the words of Google if the key is wrong', async () => {
    const other = { ...serviceAccount, client_email: 'eve@acme.example' };
    await expect(open(other).bench.list()).rejects.toMatchObject({
      ...{
        name: 'SourceError',
        code: 'source_refused',
        message: 'Google answers with status 400: Invalid JWT Signature.',
      },
    });
    const broken = { ...serviceAccount, private_key: 'x' };
    await expect(open(broken).bench.list()).rejects.toMatchObject({ code: 'source_refused' });
    expect(googleDriveKind.credentials.safeParse({ service_account: '{}' }).success).toBe(false);
  });

  test('never leads a token to another host or resource', async () => {
    const { bench } = open();
    await bench.run();
    await bench.read('../about');
    await expect(bench.open().read({ key: '..', validators: null })).rejects.toMatchObject({
      code: 'unusable_key',
    });
    const hosts = new Set(bench.calls.map(({ url }) => url.host));
    expect([...hosts].sort()).toEqual(['oauth2.googleapis.com', 'www.googleapis.com']);
    expect(bench.calls.at(-1)?.url.pathname).toBe('/drive/v3/files/..%2Fabout');
    expect(googleDriveKind.settings.safeParse({ folder_id: "a' or name contains 'b" }).success).toBe(false);
  });
});
