import { ActionIcon } from '@mantine/core';
import { FileText, Minus, Plus, Quote, Settings2, TriangleAlert, Wrench, X } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import type { ChangeItem } from './change-queries.ts';
import { type ChangeWords, useChangeWords } from './change-words.ts';

interface ItemCardProps {
  readonly item: ChangeItem;
  /** Absent: nothing can be taken out. */
  readonly onTakeOut?: () => void;
}

/** One change, as a difference. */
export function ItemCard({ item, onTakeOut }: ItemCardProps) {
  const words = useChangeWords();
  const { kind } = item.change;
  const name = kind === 'settings' ? words.nameOfSettings : item.name;
  return (
    <article className="p-card p-change-item" aria-label={name}>
      <header>
        <Icon of={iconOf(kind)} color="var(--p-dim)" />
        <h3>{name}</h3>
        <span className="p-change-kind">{words.kinds[kind]}</span>
        {onTakeOut !== undefined && (
          <ActionIcon size="xs" variant="subtle" aria-label={words.takeOut(name)} onClick={onTakeOut}>
            <Icon of={X} size={14} />
          </ActionIcon>
        )}
      </header>
      <State item={item} />
      {kind === 'skill_new' && <p className="p-change-note">{words.newSecret}</p>}
      {kind.startsWith('skill_') && <p className="p-change-note">{words.untried}</p>}
      {item.settings.length > 0 && (
        <dl>
          {item.settings.map(({ name: setting, before, after }) => (
            <div key={setting}>
              <dt>{nameSetting(setting, words)}</dt>
              <dd>
                <del>{show(before, words)}</del> <span aria-hidden="true">→</span>{' '}
                <ins>{show(after, words)}</ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {item.lines.length > 0 && <Lines lines={item.lines} />}
    </article>
  );
}

function iconOf(kind: ChangeItem['change']['kind']) {
  if (kind === 'settings') return Settings2;
  if (kind.startsWith('skill_')) return Wrench;
  return kind.startsWith('curated_') ? Quote : FileText;
}

function State({ item }: { readonly item: ChangeItem }) {
  const words = useChangeWords();
  const { status, failure } = item;
  const warning = item.is_gone
    ? words.gone
    : item.is_changed
      ? words.changed
      : status === 'failed'
        ? words.failed(failure ?? '')
        : null;
  if (warning !== null) {
    return (
      <p className="p-change-warning" role="alert">
        <Icon of={TriangleAlert} size={14} /> {warning}
      </p>
    );
  }
  const isPending = status === 'queued' || status === 'indexing';
  return <div role="status">{isPending && <p className="p-change-note">{words.indexing}</p>}</div>;
}

type Line = ChangeItem['lines'][number];

const signs = { added: Plus, removed: Minus } as const;

/** The lines that differ, each with its neighbours; longer parts that stay are a count. */
function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const words = useChangeWords();
  return (
    <ol className="p-diff">
      {group(lines).map(({ key, line, hidden }) =>
        line === null ? (
          <li key={key} data-kind="hidden">
            {words.unchanged(hidden)}
          </li>
        ) : (
          <li key={key} data-kind={line.kind}>
            {line.kind !== 'same' && (
              <>
                <Icon of={signs[line.kind]} size={12} />
                <span className="p-visually-hidden">{words[line.kind]}: </span>
              </>
            )}
            {line.text}
          </li>
        ),
      )}
    </ol>
  );
}

interface Shown {
  readonly key: number;
  /** Null: lines that stay and are not shown. */
  readonly line: Line | null;
  readonly hidden: number;
}

function group(lines: readonly Line[]): readonly Shown[] {
  const isNear = (at: number) =>
    [lines[at - 1], lines[at], lines[at + 1]].some((line) => line !== undefined && line.kind !== 'same');
  const shown: Shown[] = [];
  for (const [key, line] of lines.entries()) {
    if (isNear(key)) {
      shown.push({ key, line, hidden: 0 });
      continue;
    }
    const last = shown.at(-1);
    if (last?.line === null) shown[shown.length - 1] = { ...last, hidden: last.hidden + 1 };
    else shown.push({ key, line: null, hidden: 1 });
  }
  return shown;
}

function nameSetting(name: string, { settings }: ChangeWords): string {
  return Object.entries(settings).find(([each]) => each === name)?.[1] ?? name;
}

function show(value: unknown, words: ChangeWords): string {
  if (value === null || value === undefined) return words.unset;
  const named = Object.entries(words.values).find(([each]) => each === String(value))?.[1];
  if (named !== undefined) return named;
  if (Array.isArray(value)) return value.length === 0 ? words.all : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
