import { Button, Kbd, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Check, CircleAlert, FileText, Minus, ThumbsDown, ThumbsUp } from '../../../../icons.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { StatusPill } from '../../../../parts/pills.tsx';
import { FaultLine } from '../../../../parts/states/fault-line.tsx';
import { TimeAgo } from '../../../../parts/time-ago.tsx';
import { kindName, useTexts } from '../../../../texts/texts.tsx';
import type { Decision, Proposal } from './proposal-queries.ts';
import { useProposalWords } from './proposal-words.ts';

interface ProposalCardProps {
  readonly workspace: string;
  readonly proposal: Proposal;
  /** Whether the keys decide about it. */
  readonly isCurrent: boolean;
  /** Absent: nobody has decided. */
  readonly decided: Decision | undefined;
  /** The decision that is being stored. */
  readonly pending: Decision | undefined;
  readonly fault: string | undefined;
  readonly onDecide: (decision: Decision) => void;
}

const looks = {
  answered: { tone: 'green', icon: Check },
  unsure: { tone: 'amber', icon: CircleAlert },
  unanswered: { tone: 'grey', icon: Minus },
  disliked: { tone: 'red', icon: ThumbsDown },
} as const;

/** A visitor's question with its answer, and the three ways to decide about it. */
export function ProposalCard(props: ProposalCardProps) {
  const { workspace, proposal, isCurrent, decided, pending, fault, onDecide } = props;
  const { texts } = useTexts();
  const words = useProposalWords();
  const card = useRef<HTMLLIElement>(null);
  const { question, outcome, audience, answer, rating, document_id: documentId } = proposal;
  useEffect(() => {
    if (isCurrent) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <li
      ref={card}
      className="p-card p-proposal"
      aria-label={question}
      data-decided={decided !== undefined || undefined}
      {...(isCurrent && { 'aria-current': 'true' as const })}
    >
      <div className="p-proposal-head">
        <h3>{question}</h3>
        <StatusPill tone={looks[outcome].tone} icon={looks[outcome].icon}>
          {words.outcomes[outcome]}
        </StatusPill>
      </div>
      <p className="p-proposal-facts">
        <span>{kindName(proposal.channel, texts)}</span>
        <TimeAgo at={proposal.asked_at} />
        {audience.length > 0 && <span>{words.audience(audience.join(', '))}</span>}
        <Link
          to="/w/$workspace/inbox/$conversation"
          params={{ workspace, conversation: proposal.conversation_id }}
          search={{}}
        >
          {words.openConversation}
        </Link>
      </p>
      <p>
        <b>{words.was}</b> {answer}
      </p>
      <p className="p-proposal-facts">
        <Icon of={FileText} size={14} color="var(--p-dim)" />
        <span>
          {proposal.sources.length === 0
            ? words.noSource
            : `${words.from} ${proposal.sources.map(({ title }) => title).join(', ')}`}
        </span>
        {rating !== null && (
          <span>
            <Icon of={rating === 'up' ? ThumbsUp : ThumbsDown} size={14} /> {words.ratings[rating]}
          </span>
        )}
      </p>
      {decided === undefined ? (
        <div className="p-proposal-actions">
          {(['right', 'nothing', 'skip'] as const).map((decision, index) => (
            <Button
              key={decision}
              size="xs"
              variant={decision === 'skip' ? 'subtle' : 'default'}
              loading={pending === decision}
              disabled={(pending ?? decision) !== decision || (decision === 'right' && documentId === null)}
              onClick={() => onDecide(decision)}
              {...(isCurrent && { rightSection: <Kbd size="xs">{index + 1}</Kbd> })}
            >
              {words.decisions[decision]}
            </Button>
          ))}
          {documentId === null && (
            <Text size="xs" c="var(--p-text-2)">
              {words.noDocument}
            </Text>
          )}
        </div>
      ) : (
        <Text size="sm" c="var(--p-text-2)" role="status">
          <Icon of={decided === 'skip' ? Minus : Check} size={14} /> {words.decided[decided]}
        </Text>
      )}
      {fault !== undefined && <FaultLine>{fault}</FaultLine>}
    </li>
  );
}
