import { addDocuments } from '../add-documents.ts';
import { CommandError } from '../command-error.ts';
import type { CommandLine } from '../command-line.ts';
import { describeCommand } from '../describe-command.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { reportAdded } from '../report-added.ts';
import { describeSkipped } from '../sources/describe-skipped.ts';
import { findSources } from '../sources/find-sources.ts';
import { tagList } from '../tag-list.ts';

const description = {
  summary: 'add files, folders or pages of the web',
  about: [
    'Adds documents and waits until they are indexed. A folder is walked: PDF, Word, Markdown, HTML, CSV and text',
    'files are taken, hidden files and node_modules are not. A page is fetched once. What was added before under',
    'the same path or address is replaced, its audience included; a file is known by its path from the current',
    'folder, so run this from the same folder each time.',
  ].join(' '),
  examples: [
    ['document add ./docs', 'all documents below a folder'],
    [
      'document add https://example.com/faq --title "Questions" --audience staff',
      'a page, for some readers only',
    ],
  ],
  failure: 'at least one document could not be added or indexed; the others are there',
} as const;

export function documentAdd(commandLine: CommandLine) {
  return describeCommand('add', description)
    .argument('<source...>', 'files, folders and http(s) addresses')
    .option(...workspaceOption)
    .option('--title <title>', 'instead of its own, for a single document')
    .option('--url <address>', 'where readers find it, for a single document')
    .option('--audience <tags>', 'only readers with one of these tags see it; may be repeated', tagList)
    .option('--allow-private', 'also fetch from private networks and this machine')
    .option('--no-wait', 'do not wait until they are indexed')
    .action(async (given, { workspace, title, url, audience = [], allowPrivate, wait, ...options }) => {
      const { sources, skipped } = await findSources(given, { allowPrivate: allowPrivate === true });
      if (sources.length > 1 && (title ?? url) !== undefined) throw oneOnly(sources.length);
      await commandLine.carryOut(options, {
        indexing: wait,
        async run({ api, output, signal }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          for (const line of describeSkipped(skipped)) output.note(line);
          const target = { api, path, labels: { title, url, audience }, signal };
          const onStandstill = () =>
            output.note('Nothing was indexed for a minute: do workers run? (npm run workers)');
          const added = await addDocuments(sources, target, { wait, onStandstill });
          if (!wait && !api.outlivesCommand) output.note('They are indexed when Parley runs: npm start');
          reportAdded(added, skipped, output);
        },
      });
    });
}

function oneOnly(count: number): CommandError {
  return new CommandError(`--title and --url are for a single document, and these are ${count}.`, {
    code: 'wrong_usage',
    exitCode: 2,
  });
}
