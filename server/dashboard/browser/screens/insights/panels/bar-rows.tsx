import { Box, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useInsightWords } from '../insight-words.ts';

export interface BarRow {
  readonly key: string;
  readonly name: string;
  /** How long its bar is, as a share of the longest. */
  readonly size: number;
  readonly isOn: boolean;
  /** Filters the page by it. */
  readonly onPick: () => void;
  readonly cells: readonly ReactNode[];
}

interface BarRowsProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly BarRow[];
}

/** A table whose rows have a bar behind them. Pressing a row filters the page. */
export function BarRows({ label, head, rows }: BarRowsProps) {
  const words = useInsightWords();
  return (
    <div className="p-bar-scroll">
      <table className="p-bar-rows" aria-label={label}>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, size, isOn, onPick, cells }) => (
            <Box component="tr" key={key} data-on={isOn} style={{ '--p-size': `${Math.round(size * 100)}%` }}>
              <th scope="row">
                <UnstyledButton
                  className="p-insight-key"
                  title={words.filterBy(name)}
                  aria-pressed={isOn}
                  onClick={onPick}
                >
                  {name}
                </UnstyledButton>
              </th>
              {cells.map((cell, index) => (
                <td key={head[index + 1]}>{cell}</td>
              ))}
            </Box>
          ))}
        </tbody>
      </table>
    </div>
  );
}
