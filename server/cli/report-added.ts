import type { AddedDocument } from './add-document.ts';
import { CommandError } from './command-error.ts';
import type { Output } from './output/output.ts';
import type { Column } from './output/table.ts';
import type { Skipped } from './sources/walk-folder.ts';

const reason: Column<AddedDocument> = { heading: 'REASON', cell: ({ failure }) => failure?.reason ?? '' };

/** Shows what became of each source. Throws a CommandError when one of them failed. */
export function reportAdded(
  added: readonly AddedDocument[],
  skipped: readonly Skipped[],
  output: Output,
): void {
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
        ...(failed === 0 ? [] : [reason]),
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
