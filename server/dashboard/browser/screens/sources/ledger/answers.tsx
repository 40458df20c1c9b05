import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { MessageCircle, ThumbsDown } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import type { Ledger, LedgerAnswer } from './ledger-queries.ts';
import { useLedgerWords } from './ledger-words.ts';

interface AnswersProps {
  readonly workspace: string;
  readonly answers: Ledger['answers'];
  readonly hasDocument: boolean;
  readonly selected: string | null;
  readonly onSelect: (message: string | null) => void;
}

/** The latest answers that rest on the page. One that is chosen marks what it used. */
export function Answers({ workspace, answers, hasDocument, selected, onSelect }: AnswersProps) {
  const words = useLedgerWords();
  if (answers === null)
    return <Text className="p-ledger-note">{hasDocument ? words.answersNotYours : words.noDocument}</Text>;
  if (answers.latest.length === 0)
    return <EmptyState icon={MessageCircle} title={words.noAnswers} text={words.noAnswersText} />;
  return (
    <ul className="p-ledger-answers">
      {answers.latest.map((answer) => (
        <li key={answer.message_id} {...(selected === answer.message_id && { 'data-selected': true })}>
          <button
            type="button"
            aria-pressed={selected === answer.message_id}
            onClick={() => onSelect(selected === answer.message_id ? null : answer.message_id)}
          >
            {answer.question === '' ? words.noQuestion : answer.question}
          </button>
          <Facts workspace={workspace} answer={answer} />
        </li>
      ))}
    </ul>
  );
}

function Facts({ workspace, answer }: { readonly workspace: string; readonly answer: LedgerAnswer }) {
  const words = useLedgerWords();
  return (
    <div className="p-ledger-answer-facts">
      <span>{answer.confidence === 'high' ? words.confidence.high : words.confidence.medium}</span>
      {answer.feedback === 'down' && (
        <span className="p-disliked">
          <Icon of={ThumbsDown} size={12} /> {words.disliked}
        </span>
      )}
      <TimeAgo at={answer.at} />
      <Link
        to="/w/$workspace/inbox/$conversation"
        params={{ workspace, conversation: answer.conversation_id }}
        aria-label={words.openConversation(answer.question)}
      >
        {words.conversation}
      </Link>
    </div>
  );
}
