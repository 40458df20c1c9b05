import type { ReactNode } from 'react';
import type { LedgerBlock } from '../../../api/queries/ledger.ts';

/** A block as plain text in its form: nothing of the page's own code is drawn. */
export function Block({ block }: { readonly block: LedgerBlock }): ReactNode {
  const { kind, level, text, rows } = block;
  if (kind === 'heading')
    return (
      <p className="p-block-heading" data-level={Math.max(1, level)}>
        {text}
      </p>
    );
  if (kind === 'table' && rows.length > 0) return <Table rows={rows} />;
  if (kind === 'code') return <pre className="p-block-code">{text}</pre>;
  if (kind === 'links') return <p className="p-block-links">{text}</p>;
  if (kind === 'item')
    return (
      <ul className="p-block-item">
        <li>{text}</li>
      </ul>
    );
  return <p>{text}</p>;
}

function Table({ rows: [head = [], ...rows] }: { readonly rows: readonly (readonly string[])[] }) {
  return (
    <table className="p-block-table">
      <thead>
        <tr>
          {head.map((cell, at) => (
            <th key={keyAt(at)} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, line) => (
          <tr key={keyAt(line)}>
            {row.map((cell, at) => (
              <td key={keyAt(at)}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Rows and cells have no other name than their place. */
const keyAt = (place: number) => `at ${place}`;

export interface KeyedBlock {
  readonly id: string;
  readonly block: LedgerBlock;
}

/** Joins neighbours that belong together. */
export function groupBlocks(
  blocks: readonly KeyedBlock[],
  belong: (one: LedgerBlock, other: LedgerBlock) => boolean,
): readonly (readonly [KeyedBlock, ...KeyedBlock[]])[] {
  const groups: [KeyedBlock, ...KeyedBlock[]][] = [];
  for (const keyed of blocks) {
    const group = groups.at(-1);
    if (group !== undefined && belong(group[0].block, keyed.block)) group.push(keyed);
    else groups.push([keyed]);
  }
  return groups;
}

/** Blocks with a key of their own: the same block can stand on a page twice. */
export function keyedBlocks(blocks: readonly LedgerBlock[]): readonly KeyedBlock[] {
  const seen = new Map<string, number>();
  return blocks.map((block) => {
    const times = seen.get(block.hash) ?? 0;
    seen.set(block.hash, times + 1);
    return { id: `${block.hash} ${times}`, block };
  });
}
