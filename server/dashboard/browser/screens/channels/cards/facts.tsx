import type { ReactNode } from 'react';
import { useTexts } from '../../../texts/texts.tsx';

/** Counts of questions and of answers. */
export interface Talk {
  readonly questions: number;
  readonly replies: number;
  readonly answered: number;
}

interface FactsProps {
  readonly talk: Talk;
  readonly last: ReactNode;
  readonly lastLabel: string;
}

/** Three facts of a channel that is well. */
export function Facts({ talk: { questions, replies, answered }, last, lastLabel }: FactsProps) {
  const { texts, language } = useTexts();
  const { facts, share } = texts.channels;
  return (
    <dl className="p-facts">
      <div>
        <dt>{facts.questions}</dt>
        <dd>{new Intl.NumberFormat(language).format(questions)}</dd>
      </div>
      <div>
        <dt>{facts.answered}</dt>
        <dd>{replies === 0 ? facts.noReply : share(answered / replies)}</dd>
      </div>
      <div>
        <dt>{lastLabel}</dt>
        <dd>{last}</dd>
      </div>
    </dl>
  );
}
