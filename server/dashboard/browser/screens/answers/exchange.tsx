import { Link } from '@tanstack/react-router';
import { FileText, ThumbsDown, ThumbsUp } from '../../icons.ts';
import { CopyButton } from '../../parts/copy-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MarkdownText } from '../../parts/markdown/markdown-text.tsx';
import { ConfidencePill } from '../../parts/pills.tsx';
import { TimeAgo } from '../../parts/time-ago.tsx';
import { kindName, useTexts } from '../../texts/texts.tsx';
import { KindIcon } from '../channels/cards/kind-icon.tsx';
import type { ExplainedAnswer } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';

interface ExchangeProps {
  readonly workspace: string;
  readonly answer: ExplainedAnswer;
}

/** The messages around an answer as the visitor saw them, with what they thought of it. */
export function Exchange({ workspace, answer: explained }: ExchangeProps) {
  const { texts } = useTexts();
  const words = useAnswerWords();
  const { answer, conversation, exchange } = explained;
  const asked = exchange[exchange.findIndex(({ id }) => id === answer.id) - 1]?.id;
  const { channel } = conversation;
  return (
    <section
      className="p-exchange"
      aria-label={words.page.exchange(conversation.customer ?? words.page.visitor)}
    >
      <header>
        <span>{words.page.exchange(conversation.customer ?? words.page.visitor)}</span>
        <span>
          <KindIcon kind={channel} size={14} /> {kindName(channel, texts)}, <TimeAgo at={answer.created_at} />
        </span>
      </header>
      <ol>
        {exchange.map(({ id, role, content }) => (
          <li key={id} data-role={role} data-on={id === answer.id || id === asked || undefined}>
            <span className="p-visually-hidden">{words.page.roles[role]}</span>
            <MarkdownText text={content} />
          </li>
        ))}
      </ol>
      <Facts answer={answer} />
      <dl>
        <dt>{words.page.conversation}</dt>
        <dd>
          <Link
            to="/w/$workspace/inbox/$conversation"
            params={{ workspace, conversation: conversation.id }}
            search={{ view: 'all' }}
          >
            {words.page.openConversation}
          </Link>
        </dd>
        {answer.delivery != null && (
          <>
            <dt>{words.page.delivery}</dt>
            <dd>
              {words.page.deliveries[answer.delivery.status]} <TimeAgo at={answer.delivery.at} />
              {answer.delivery.reason !== null && `, ${answer.delivery.reason}`}
            </dd>
          </>
        )}
        <dt>{words.page.id}</dt>
        <dd>
          <span className="p-mono">{answer.id}</span> <CopyButton value={answer.id} label={words.page.id} />
        </dd>
      </dl>
    </section>
  );
}

function Facts({ answer }: Pick<ExplainedAnswer, 'answer'>) {
  const words = useAnswerWords();
  const { confidence, score, sources = [], feedback } = answer;
  const [source] = sources;
  return (
    <>
      <p className="p-exchange-facts">
        {confidence != null && <ConfidencePill level={confidence} {...(score != null && { score })} />}
        {score != null && <span className="p-numbers">{words.score(score)}</span>}
        {source !== undefined && (
          <span>
            <Icon of={FileText} size={14} /> {source.title}
          </span>
        )}
      </p>
      {feedback != null && (
        <p className="p-exchange-opinion" data-opinion={feedback.value}>
          <Icon of={feedback.value === 'up' ? ThumbsUp : ThumbsDown} size={16} />
          <span>
            {feedback.comment ?? words.feedback[feedback.value]}, <TimeAgo at={feedback.at} />
          </span>
        </p>
      )}
    </>
  );
}
