import { Option } from '@commander-js/extra-typings';
import { documentStatuses } from '../../../core/knowledge/document.ts';
import { type AddedDocument, addDocuments, documentResponse } from '../add-documents.ts';
import { type CommandLine, createCommand, parseTags } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { type Column, formatTime, type Output } from '../output.ts';
import { describeSkipped, type Skipped } from '../sources/file-source.ts';
import { findSources } from '../sources/find-sources.ts';
import { listAll } from '../transports/operator-api.ts';

const addDescription = {
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
  return createCommand('add', addDescription)
    .argument('<source...>', 'files, folders and http(s) addresses')
    .option(...workspaceOption)
    .option('--title <title>', 'instead of its own, for a single document')
    .option('--url <address>', 'where readers find it, for a single document')
    .option('--audience <tags>', 'only readers with one of these tags see it; may be repeated', parseTags)
    .option('--allow-private', 'also fetch from private networks and this machine')
    .option('--no-wait', 'do not wait until they are indexed')
    .action(async (given, { workspace, title, url, audience = [], allowPrivate, wait, ...options }) => {
      const { sources, skipped } = await findSources(given, { allowPrivate: allowPrivate === true });
      if (sources.length > 1 && (title ?? url) !== undefined) throw singleDocumentError(sources.length);
      await commandLine.execute(options, {
        indexing: wait,
        async run({ api, output, signal }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          for (const line of describeSkipped(skipped)) output.note(line);
          const target = { api, path, labels: { title, url, audience }, signal };
          const onStandstill = () =>
            output.note('Nothing was indexed for a minute: do workers run? (npm run workers)');
          const added = await addDocuments(sources, target, { wait, onStandstill });
          if (!wait && !api.outlivesCommand) output.note('They are indexed when Parley runs: npm start');
          printAdded(added, skipped, output);
        },
      });
    });
}

function singleDocumentError(count: number): CommandError {
  return new CommandError(`--title and --url are for a single document, and these are ${count}.`, {
    code: 'wrong_usage',
    exitCode: 2,
  });
}

const reasonColumn: Column<AddedDocument> = {
  heading: 'REASON',
  cell: ({ failure }) => failure?.reason ?? '',
};

/** Shows what became of each source. Throws a CommandError when one of them failed. */
function printAdded(added: readonly AddedDocument[], skipped: readonly Skipped[], output: Output): void {
  const failed = added.filter(({ failure }) => failure !== null).length;
  output.result({ documents: added, skipped }, () => {
    if (added.length === 0) {
      output.line('There is nothing to add: no document was found.');
      return;
    }
    output.table(
      [
        { heading: 'TITLE', cell: ({ document, source }) => document?.title ?? source, flexible: true },
        { heading: 'STATUS', cell: ({ document }) => document?.status ?? 'failed' },
        { heading: 'CHUNKS', cell: ({ document }) => document?.chunks ?? 0 },
        { heading: 'ID', cell: ({ document }) => document?.id ?? '' },
        ...(failed === 0 ? [] : [reasonColumn]),
      ],
      added,
    );
  });
  if (failed === 0) return;
  throw new CommandError(
    added.length === 1 ? 'The document failed.' : `${failed} of ${added.length} documents failed.`,
    {
      code: 'documents_failed',
      hint: 'Mend what the reason says and add it again; what was added stays.',
    },
  );
}

export function documentList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the documents of a workspace',
    about:
      'Lists the documents of a workspace, the last changed first, with the reason of those that failed.',
    examples: [
      ['document list', 'of the only workspace'],
      ['document list --status failed', 'only what could not be indexed, and why'],
    ],
    failure: 'refused or failed',
  })
    .option(...workspaceOption)
    .addOption(new Option('--status <status>', 'only those with this status').choices(documentStatuses))
    .action(({ workspace, status, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          const all = await listAll(api, path, { name: 'documents', item: documentResponse });
          const documents = all.filter((document) => status === undefined || document.status === status);
          output.result({ documents }, () => {
            if (documents.length === 0) {
              output.line(status === undefined ? 'There is no document yet.' : `No document is ${status}.`);
              return;
            }
            output.table(
              [
                { heading: 'ID', cell: ({ id }) => id },
                { heading: 'STATUS', cell: (document) => document.status },
                { heading: 'CHUNKS', cell: (document) => document.chunks },
                { heading: 'UPDATED', cell: (document) => formatTime(document.updated_at) },
                { heading: 'TITLE', cell: ({ title }) => title, flexible: true },
                { heading: 'REASON', cell: ({ failure }) => failure?.reason ?? '', flexible: true },
              ],
              documents,
            );
          });
        },
      }),
    );
}

export function documentShow(commandLine: CommandLine) {
  return createCommand('show', {
    summary: 'show a document',
    about:
      'Shows all that is known of a document: status, title, address, chunks, and why it failed if it did.',
    examples: [
      ['document show doc_01k9', 'in the only workspace'],
      ['document show doc_01k9 --workspace Shop --json', 'in one of several, for programs'],
    ],
    failure: 'refused or failed, for instance because there is no such document',
  })
    .argument('<id>', 'its id, from document list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          const document = documentResponse.parse(await api.call('GET', `${path}/${encodeURIComponent(id)}`));
          output.result(document, () =>
            output.record({ ...document, failure: document.failure?.reason ?? null }),
          );
        },
      }),
    );
}

export function documentRemove(commandLine: CommandLine) {
  return createCommand('remove', {
    summary: 'remove a document',
    about:
      'Removes a document: no answer draws on it from now on. To replace one, add it again under the same name.',
    examples: [
      ['document remove doc_01k9', 'in the only workspace'],
      ['document remove doc_01k9 --workspace Shop', 'in one of several'],
    ],
    failure: 'refused or failed, for instance because there is no such document',
  })
    .argument('<id>', 'its id, from document list')
    .option(...workspaceOption)
    .action((id, { workspace, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          await api.call('DELETE', `${path}/${encodeURIComponent(id)}`);
          output.result({ id, removed: true }, () => output.line(`Removed ${id}.`));
        },
      }),
    );
}
