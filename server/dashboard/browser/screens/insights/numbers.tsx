import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay, useWorkspaceId } from '../../api/queries/workspace.ts';
import { useTexts } from '../../texts/texts.tsx';
import { type CountedKind, type Scope, toSearch } from './insight-queries.ts';
import { useInsightWords } from './insight-words.ts';
import { useScope } from './use-scope.ts';

/** Below it a share says little. */
const SHARE_FROM = 30;

/** Numbers as this screen writes them. */
export function useNumbers() {
  const { language } = useTexts();
  const words = useInsightWords();
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent' });
  return {
    number: (value: number) => number.format(value),
    percent: (value: number) => percent.format(value),
    /** A share, or “9 of 14” below 30. */
    share: (count: number, total: number) =>
      total < SHARE_FROM ? words.of(count, total) : percent.format(count / total),
    isFew: (total: number) => total < SHARE_FROM,
  };
}

interface CountedProps {
  readonly counts: CountedKind;
  /** Narrows the filters of the page. */
  readonly narrow?: Partial<Scope>;
  /** The name of the number, for people who do not see where the number stands. */
  readonly what: string;
  readonly children: ReactNode;
}

/** A number that opens the conversations that it counts, for people who may see them. */
export function Counted({ counts, narrow = {}, what, children }: CountedProps) {
  const words = useInsightWords();
  const workspace = useWorkspaceId();
  const { scope } = useScope();
  const may = useMay('inbox:read');
  if (!may) return <span className="p-numbers">{children}</span>;
  return (
    <Link
      className="p-counted p-numbers"
      to={`/w/${workspace}/insights/conversations`}
      search={{ ...toSearch({ ...scope, ...narrow }), counts }}
      title={words.show(what)}
    >
      {children}
    </Link>
  );
}
