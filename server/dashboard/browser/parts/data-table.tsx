import { Table, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { ArrowDown, ChevronsUpDown } from '../icons.ts';
import { Icon } from './icon.tsx';
import { toLink } from './to-link.ts';

export interface Column<Row> {
  readonly key: string;
  /** Empty for a column of buttons, which `hint` then names for people who do not see it. */
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** `end` for figures. */
  readonly align?: 'start' | 'end';
  readonly width?: number | string;
  /** Its definition, on hover and for screen readers. */
  readonly hint?: string;
  /** Sorts by it, highest first. */
  readonly sort?: { readonly isOn: boolean; readonly onToggle: () => void };
}

interface DataTableProps<Row> {
  /** The name of the rows, for people who do not see the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  /** The address that a row opens, below `/dashboard`. The first cell is the link. */
  readonly rowLink?: (row: Row) => string;
  readonly selected?: string | null;
  /** 44 pixels, or 52 for two lines. */
  readonly rowHeight?: number;
  readonly minWidth?: number;
  /** Checkboxes before the first column. */
  readonly picks?: { readonly all: ReactNode; readonly cell: (row: Row) => ReactNode };
}

/**
 * A table with rows of one height. A row with an address is a link: it is pressed anywhere, opened in a new tab with the
 * middle button, and reached with the arrow keys or J and K. On a phone a row is a block of lines: the first column is its
 * title, and the others follow with their names.
 */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  rowLink,
  selected = null,
  rowHeight = 44,
  minWidth = 560,
  picks,
}: DataTableProps<Row>) {
  // Without links to focus, the keyboard scrolls the table itself.
  const scrolled = rowLink === undefined ? { tabIndex: 0, role: 'group', 'aria-label': label } : {};
  return (
    <div className="p-table-scroll" {...scrolled}>
      <Table
        className="p-table"
        aria-label={label}
        verticalSpacing={0}
        style={{ '--p-row': `${rowHeight}px`, minWidth }}
        onKeyDown={moveByKey}
      >
        <Table.Thead>
          <Table.Tr>
            {picks !== undefined && (
              <Table.Th w={40} data-pick>
                {picks.all}
              </Table.Th>
            )}
            {columns.map(({ key, title, align, width, hint, sort }) => (
              <Table.Th
                key={key}
                data-column={key}
                data-align={align}
                title={hint}
                {...(width !== undefined && { w: width })}
                {...(sort !== undefined && { 'aria-sort': sort.isOn ? 'descending' : 'none' })}
              >
                {sort === undefined ? (
                  title || <VisuallyHidden>{hint}</VisuallyHidden>
                ) : (
                  <UnstyledButton className="p-sort" data-on={sort.isOn} onClick={sort.onToggle}>
                    {title}
                    <Icon of={sort.isOn ? ArrowDown : ChevronsUpDown} size={12} />
                  </UnstyledButton>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => {
            const address = rowLink?.(row);
            const key = rowKey(row);
            return (
              <Table.Tr
                key={key}
                data-key={key}
                data-link={address}
                {...(selected === key && { 'data-selected': true })}
                onClick={address === undefined ? undefined : openFirstLink}
              >
                {picks !== undefined && <Table.Td data-pick>{picks.cell(row)}</Table.Td>}
                {columns.map(({ key: column, title, cell, align }, position) => (
                  <Table.Td
                    key={column}
                    data-column={column}
                    data-align={align}
                    data-title={title}
                    {...(position === 0 && { 'data-first': true })}
                  >
                    {position === 0 && address !== undefined ? (
                      <Link {...toLink(address)} className="p-row-link">
                        {cell(row)}
                      </Link>
                    ) : (
                      cell(row)
                    )}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** A click anywhere in the row opens its link, unless it met a control of its own or selected text. */
function openFirstLink({ currentTarget, target, ctrlKey, metaKey }: MouseEvent<HTMLElement>): void {
  if (target instanceof Element && target.closest('a, button, input, label, [role="menu"]')) return;
  if (getSelection()?.isCollapsed === false) return;
  const link = currentTarget.querySelector<HTMLAnchorElement>('a.p-row-link');
  if (ctrlKey || metaKey) window.open(link?.href, '_blank');
  else link?.click();
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

function moveByKey(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key];
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches('input, textarea, select')) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>('a.p-row-link')];
  const at = links.findIndex((link) => link.contains(document.activeElement));
  const next = links[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
