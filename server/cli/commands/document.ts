import { Option } from '@commander-js/extra-typings';
import { documentStatuses } from '../../../core/knowledge/documents/document.ts';
import { type AddedDocument, addDocuments, documentResponse } from '../add-documents.ts';
import { type CommandLine, createCommand, parseTags } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { findWorkspace, workspaceOption } from '../find-workspace.ts';
import { type Column, formatTime, type Output } from '../output.ts';
import { describeSkipped, type Skipped } from '../sources/file-source.ts';
import { findSources } from '../sources/find-sources.ts';
import { listAll } from '../transports/operator-api.ts';

const addDescription = {
  summary: 'add files, folders or web pages',
  about: [
    'Adds documents and waits until they are indexed. From a folder, all PDF, Word, Excel, PowerPoint,',
    'OpenDocument, EPUB, RTF, mail, Markdown, HTML, CSV and text files are added; hidden files, pictures and node_modules',
    'are skipped. A page is fetched once. A document that was added before from',
    'the same path or URL is replaced, including its audience. A file is identified by its path relative to the current',
    'folder, so run the command from the same folder each time.',
  ].join(' '),
  examples: [
    ['document add ./docs', 'add all documents in a folder'],
    [
      'document add https://example.com/faq --title "Questions" --audience staff',
      'add a page for some readers only',
    ],
  ],
  failure: 'at least one document could not be added or indexed; the others were added',
} as const;

export function documentAdd(commandLine: CommandLine) {
  return createCommand('add', addDescription)
    .argument('<source...>', 'files, folders and http(s) URLs')
    .option(...workspaceOption)
    .option('--title <title>', "replaces the document's own title; for a single document")
    .option('--url <address>', 'the URL of the document for readers; for a single document')
    .option('--audience <tags>', 'limit it to readers with one of these tags; repeatable', parseTags)
    .option('--allow-private', 'also fetch from private networks and this computer')
    .option('--no-wait', 'do not wait for indexing')
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
            output.note(
              'Nothing was indexed for a minute. Check that workers are running (npm run workers).',
            );
          const added = await addDocuments(sources, target, { wait, onStandstill });
          if (!wait && !api.outlivesCommand)
            output.note('The documents will be indexed when Parley runs. Start it with: npm start');
          printAdded(added, skipped, output);
        },
      });
    });
}

function singleDocumentError(count: number): CommandError {
  return new CommandError(
    `--title and --url can only be used with a single document, but there are ${count}.`,
    {
      code: 'wrong_usage',
      exitCode: 2,
    },
  );
}

const reasonColumn: Column<AddedDocument> = {
  heading: 'REASON',
  cell: ({ failure }) => failure?.reason ?? '',
};

/** Prints the outcome of each source. Throws a CommandError if one of them failed. */
function printAdded(added: readonly AddedDocument[], skipped: readonly Skipped[], output: Output): void {
  const failed = added.filter(({ failure }) => failure !== null).length;
  output.result({ documents: added, skipped }, () => {
    if (added.length === 0) {
      output.line('No document was found to add.');
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
      hint: 'Fix the cause and add the document again. The other documents were added.',
    },
  );
}

export function documentList(commandLine: CommandLine) {
  return createCommand('list', {
    summary: 'list the documents of a workspace',
    about: 'Lists the documents of a workspace, last changed first, with the reason of each failure.',
    examples: [
      ['document list', 'in the only workspace'],
      ['document list --status failed', 'only documents that could not be indexed, with the reason'],
    ],
    failure: 'the command failed',
  })
    .option(...workspaceOption)
    .addOption(new Option('--status <status>', 'only documents with this status').choices(documentStatuses))
    .action(({ workspace, status, ...options }) =>
      commandLine.execute(options, {
        async run({ api, output }) {
          const path = `/admin/v1/workspaces/${await findWorkspace(api, workspace)}/documents`;
          const all = await listAll(api, path, { name: 'documents', item: documentResponse });
          const documents = all.filter((document) => status === undefined || document.status === status);
          output.result({ documents }, () => {
            if (documents.length === 0) {
              output.line(
                status === undefined
                  ? 'This workspace has no documents yet.'
                  : `No document has the status ${status}.`,
              );
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
    about: 'Shows a document with its status, title, URL and chunks, and the reason of a failure.',
    examples: [
      ['document show doc_01k9', 'in the only workspace'],
      ['document show doc_01k9 --workspace Shop --json', 'in one of several workspaces, as JSON'],
    ],
    failure: 'the command failed, for example because the document does not exist',
  })
    .argument('<id>', 'id of the document, from document list')
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
      'Removes a document. New answers no longer use it. To replace a document, add it again under the same name.',
    examples: [
      ['document remove doc_01k9', 'in the only workspace'],
      ['document remove doc_01k9 --workspace Shop', 'in one of several workspaces'],
    ],
    failure: 'the command failed, for example because the document does not exist',
  })
    .argument('<id>', 'id of the document, from document list')
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
