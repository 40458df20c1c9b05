import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { lockDataFolder } from '../../../core/storage/embedded/data-folder-lock.ts';
import { runParley } from '../../helpers/servers/processes/run-parley.ts';
import { emptyTestFolder, testDataFolder } from '../../helpers/stores/databases/test-data-folder.ts';

const work = mkdtempSync(join(tmpdir(), 'parley-cli-'));
afterAll(() => rmSync(work, { recursive: true }));

function write(path: string, content: string): void {
  mkdirSync(join(work, path, '..'), { recursive: true });
  writeFileSync(join(work, path), content);
}

describe('the command line without a running server', () => {
  test('indexes documents in its own process and prints the reason of failures', async () => {
    const HOME = emptyTestFolder();
    const environment = { DATA_DIR: testDataFolder(), HOME };
    const gone = { pid: 4242, address: 'http://127.0.0.1:1' };
    writeFileSync(join(environment.DATA_DIR, 'holder.json'), JSON.stringify(gone));
    const made = await runParley(['workspace', 'create', 'Help', '--json'], { environment });
    expect(made.code, made.stderr).toBe(0);
    const workspace = JSON.parse(made.stdout);
    expect(workspace).toMatchObject({
      id: expect.stringMatching(/^ws_/),
      identity_secret: expect.any(String),
    });
    expect(made.stderr).toMatch(/The operator's token was created: adm_\S+/);
    expect(made.stderr).toContain(`document add ./docs --workspace ${workspace.id}`);

    write('docs/delivery.md', '# Delivery\n\nParcels to Norway take six working days and cost 14 euros.\n');
    write('docs/brøken.pdf', '%PDF-1.7\nthis is no PDF at all');
    write('docs/logo.png', 'no document');
    const added = await runParley(['document', 'add', 'docs'], { environment, cwd: work });
    expect(added.code, added.stderr).toBe(1);
    expect(added.stdout).toMatch(/^TITLE +STATUS +CHUNKS +ID +REASON$/m);
    expect(added.stdout).toMatch(/^Delivery +indexed +1 +doc_\w+$/m);
    expect(added.stdout).toMatch(/^docs › brøken\.pdf +failed +0 +doc_\w+ +\S.*[.]$/m);
    expect(added.stderr).toContain('Skipped docs/logo.png: a picture.');
    expect(added.stderr).toContain('parley: 1 of 2 documents failed. (documents_failed)');

    const question = 'How long does a parcel to Norway take?';
    const asked = await runParley(['ask', question, '--explain'], { environment });
    expect(asked.code, asked.stderr).toBe(0);
    expect(asked.stdout).toMatch(
      /six working days[\s\S]*Sources\n {2}[01]\.\d\d {2}Delivery\nconfidence +(high|medium)\n/,
    );
    expect(asked.stdout).toMatch(/conversation +conv_\w+\n\nWhy\n/);
    expect(asked.stdout).toMatch(/decided +quote\. The best passage scores [01]\.\d\d of at least 0\.4\.\n/);
    expect(asked.stdout).not.toContain('\u001b');
    // ONNX Runtime would have created a telemetry identity there.
    expect(readdirSync(HOME, { recursive: true })).toEqual([]);
  }, 120_000);

  test('reports start errors on one line and leaves standard output empty', async () => {
    const DATA_DIR = testDataFolder();
    const lock = lockDataFolder(DATA_DIR, 4242);
    const runs = await Promise.all([
      runParley(['workspace', 'list', '--json'], { environment: { DATA_DIR } }),
      runParley(['workspace', 'list', '--json'], { environment: { DATA_DIR, PORT: 'x' } }),
      runParley(['workspace', 'lst', '--json'], { environment: { DATA_DIR } }),
    ]);
    lock.release();
    expect(runs.map(({ code, stdout }) => ({ code, stdout }))).toEqual([
      { code: 1, stdout: '' },
      { code: 1, stdout: '' },
      { code: 2, stdout: '' },
    ]);
    expect(runs[0]?.stderr).toMatch(/^parley: Process 4242 is using DATA_DIR .+ \(cannot_start\)\n$/);
    expect(runs[1]?.stderr).toMatch(
      /^parley: PORT has the invalid value "x"\. Set it to .+ \(cannot_start\)\n$/,
    );
    expect(runs[2]?.stderr).toMatch(/^parley: unknown command 'lst' .+ \(wrong_usage\)\n/);
  });
});
