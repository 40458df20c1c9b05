import { Button, Checkbox, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { toProblem } from '../../../api/problem.ts';
import { Check, CircleAlert, FileText, Hand, Minus, Pencil, Search, ThumbsDown } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { type Gap, gapQuery, useChangeGap, useCheckGap } from './gap-queries.ts';
import { useGapWords } from './gap-words.ts';

interface GapCardProps {
  readonly workspace: string;
  readonly gap: Gap;
  readonly may: boolean;
  readonly isPicked?: boolean;
  /** Absent: it cannot be selected. */
  readonly onPick?: () => void;
  /** Whether its questions are shown at first. */
  readonly isOpen?: boolean;
}

const kindIcons = { nothing: Search, refused: ThumbsDown, person: Hand } as const;

/** One topic: how often it is asked, what was near, and what to do about it. */
export function GapCard({ workspace, gap, may, isPicked = false, onPick, isOpen = false }: GapCardProps) {
  const { texts } = useTexts();
  const words = useGapWords();
  const { kind, question, nearest, check } = gap;
  const [shown, setShown] = useState(isOpen);
  return (
    <li className="p-card p-gap" aria-label={question} data-picked={isPicked || undefined}>
      <div className="p-gap-head">
        {may && onPick !== undefined && (
          <Checkbox size="xs" aria-label={words.pick(question)} checked={isPicked} onChange={onPick} />
        )}
        <StatusPill tone="grey" icon={kindIcons[kind]}>
          {words.kinds[kind]}
        </StatusPill>
        <Trend weeks={gap.weeks} />
      </div>
      <h2>{question}</h2>
      <p className="p-gap-facts">
        <span className="p-numbers">{words.questions(gap.questions)}</span>
        <span className="p-numbers">{words.people(gap.people)}</span>
        {gap.channels.map((channel) => (
          <span key={channel} className="p-tag">
            {kindName(channel, texts)}
          </span>
        ))}
      </p>
      <p className="p-gap-nearest">
        <Icon of={FileText} size={14} color="var(--p-dim)" />
        {nearest === null ? (
          words.noDocument
        ) : (
          <>
            <span>{words.nearest}</span>
            <Link
              to="/w/$workspace/knowledge/documents/$document"
              params={{ workspace, document: nearest.document_id }}
            >
              {nearest.title}
            </Link>
            <span className="p-numbers">{words.score(nearest.score)}</span>
          </>
        )}
      </p>
      {check !== null && <CheckLine gap={gap} check={check} />}
      <Actions {...{ workspace, gap, may, shown }} onShow={() => setShown(!shown)} />
      {shown && <Questions workspace={workspace} gap={gap.id} />}
    </li>
  );
}

/** Questions by week as bars. */
function Trend({ weeks }: { readonly weeks: readonly number[] }) {
  const words = useGapWords();
  const most = Math.max(1, ...weeks);
  return (
    <svg className="p-gap-trend" viewBox="0 0 78 18" role="img" aria-label={words.trend(weeks)}>
      {weeks.map((count, week) => {
        const height = count === 0 ? 1 : 3 + (14 * count) / most;
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a week has its place
            key={week}
            x={week * 6}
            y={18 - height}
            width={4}
            height={height}
            rx={1}
            data-empty={count === 0}
          />
        );
      })}
    </svg>
  );
}

function CheckLine({ gap, check }: { readonly gap: Gap; readonly check: NonNullable<Gap['check']> }) {
  const words = useGapWords();
  if (check.running) {
    return (
      <Text size="sm" c="var(--p-text-2)" role="status" className="p-numbers">
        {words.asking(check.asked, gap.questions)}
      </Text>
    );
  }
  return (
    <Text
      size="sm"
      role="status"
      className="p-numbers"
      c={check.answered > 0 ? 'var(--p-green)' : 'var(--p-text-2)'}
    >
      {words.answered(check.answered, gap.questions)}
      {check.unsure > 0 && `, ${words.unsure(check.unsure)}`}
    </Text>
  );
}

interface ActionsProps {
  readonly workspace: string;
  readonly gap: Gap;
  readonly may: boolean;
  readonly shown: boolean;
  readonly onShow: () => void;
}

function Actions({ workspace, gap, may, shown, onShow }: ActionsProps) {
  const words = useGapWords();
  const change = useChangeGap(workspace);
  const check = useCheckGap(workspace);
  const { id, state, answer_id: answer } = gap;
  const to = (next: Gap['state'], label: string) => (
    <Button
      key={next}
      size="xs"
      variant="subtle"
      loading={change.isPending && change.variables.state === next}
      onClick={() => change.mutate({ gap: id, state: next })}
    >
      {label}
    </Button>
  );
  const fault = change.error ?? check.error;
  const isClosed = state === 'done' || state === 'dismissed';
  return (
    <div className="p-gap-actions">
      <Text span size="xs" c="var(--p-text-2)">
        {words.replies(gap.replies)}
      </Text>
      <span className="p-gap-buttons">
        <Button size="xs" variant="subtle" aria-expanded={shown} onClick={onShow}>
          {words.more}
        </Button>
        {may && isClosed && to('open', words.reopen)}
        {may && !isClosed && to('dismissed', words.dismiss)}
        {may && state === 'open' && answer === null && to('planned', words.plan)}
        {may && !isClosed && answer !== null && to('done', words.markDone)}
        {may && (answer !== null || state === 'planned') && (
          <Button
            size="xs"
            variant="default"
            loading={check.isPending || gap.check?.running === true}
            onClick={() => check.mutate({ gap: id, answer: null })}
          >
            {words.askAgain}
          </Button>
        )}
        {may && <WriteLink workspace={workspace} gap={gap} />}
      </span>
      {fault !== null && <FaultLine>{toProblem(fault).message}</FaultLine>}
    </div>
  );
}

/** Opens the editor with a draft, or with the answer that was written. */
function WriteLink({ workspace, gap }: { readonly workspace: string; readonly gap: Gap }) {
  const words = useGapWords();
  const { id, answer_id: answer, question } = gap;
  const search = answer === null ? { edit: 'new', gap: id } : { edit: answer };
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon of={Pencil} size={14} />}
      {...(answer === null && { 'aria-label': words.writeFor(question) })}
      renderRoot={(props) => (
        <Link to="/w/$workspace/knowledge/curated" params={{ workspace }} search={search} {...props} />
      )}
    >
      {answer === null ? words.write : words.editAnswer}
    </Button>
  );
}

const tones = { answer: 'green', maybe: 'amber', none: 'red' } as const;
const signs = { answer: Check, maybe: CircleAlert, none: Minus } as const;

function Questions({ workspace, gap }: { readonly workspace: string; readonly gap: string }) {
  const words = useGapWords();
  const { data, error } = useQuery(gapQuery(workspace, gap));
  if (error !== null) return <FaultLine>{toProblem(error).message}</FaultLine>;
  return (
    <ul className="p-gap-questions">
      {data?.latest.map(({ message_id: id, conversation_id: conversation, text, tier }) => (
        <li key={id}>
          <Link
            to="/w/$workspace/inbox/$conversation"
            params={{ workspace, conversation }}
            search={{}}
            title={words.openConversation}
          >
            {text}
          </Link>
          {tier !== null && (
            <StatusPill tone={tones[tier]} icon={signs[tier]}>
              {words.tiers[tier]}
            </StatusPill>
          )}
        </li>
      ))}
    </ul>
  );
}
