import { UnstyledButton } from '@mantine/core';
import { type Dispatch, type SetStateAction, useMemo, useState } from 'react';
import type { MessageEntry, Source } from '../../../../api/queries/conversation.ts';
import { Bot, CircleDashed, ThumbsDown, ThumbsUp } from '../../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../../keys/registry.ts';
import { Icon } from '../../../../parts/icon.tsx';
import { MarkdownText } from '../../../../parts/markdown/markdown-text.tsx';
import { ConfidencePill, StatusPill } from '../../../../parts/pills.tsx';
import { useTexts } from '../../../../texts/texts.tsx';
import { SourceTitle } from '../../source-title.tsx';
import { nameOf, useDesk } from '../use-desk.ts';
import { useTimes } from '../use-times.ts';
import { Attachments, withoutTranscripts } from './attachments.tsx';
import { PartStates } from './part-states.tsx';
import { Why } from './why.tsx';

interface MessageProps {
  readonly entry: MessageEntry;
  /** Whether nothing came after it. */
  readonly isLastOfAll: boolean;
}

/** One message: the visitor's at the start, answers and replies at the end, each with its label below. */
export function Message({ entry, isLastOfAll }: MessageProps) {
  const { message } = entry;
  const isDeleted = message.deleted_at !== undefined;
  const written = withoutTranscripts(message);
  const { texts } = useTexts();
  return (
    <article className="p-message" data-role={message.role} aria-label={useSpeaker(entry)}>
      {message.disclosure != null && (
        <p className="p-disclosure" dir="auto">
          {message.disclosure}
        </p>
      )}
      {isDeleted ? (
        <p className="p-bubble" data-deleted>
          {texts.conversation.message.deleted}
        </p>
      ) : (
        written.trim() !== '' && (
          <div className="p-bubble" dir="auto">
            <MarkdownText text={written} spoken />
          </div>
        )
      )}
      <Attachments message={message} />
      {message.role === 'user' ? (
        <VisitorMeta entry={entry} />
      ) : message.role === 'assistant' ? (
        <AssistantMeta entry={entry} isLastOfAll={isLastOfAll} />
      ) : (
        <AgentMeta entry={entry} />
      )}
    </article>
  );
}

function useSpeaker({ author_name, message }: MessageEntry): string {
  const { texts } = useTexts();
  const { name, agents } = useDesk();
  if (message.role === 'user') return name;
  if (message.role === 'assistant') return texts.conversation.assistant;
  if (author_name !== null) return author_name;
  return message.author == null ? texts.conversation.somebody : nameOf(agents, message.author);
}

function At({ at }: { readonly at: string }) {
  const times = useTimes();
  return (
    <time dateTime={at} title={times.exact(at)}>
      {times.clock(at)}
    </time>
  );
}

function VisitorMeta({ entry }: { readonly entry: MessageEntry }) {
  const { texts } = useTexts();
  const { message } = entry;
  const times = useTimes();
  return (
    <div className="p-message-meta">
      <span>{useSpeaker(entry)}</span>
      {message.edited_at !== undefined && message.deleted_at === undefined && (
        <span title={times.exact(message.edited_at)}>{texts.conversation.message.edited}</span>
      )}
      <At at={message.created_at} />
    </div>
  );
}

function AgentMeta({ entry }: { readonly entry: MessageEntry }) {
  const { message } = entry;
  return (
    <div className="p-message-meta">
      <span>{useSpeaker(entry)}</span>
      <PartStates entry={entry} />
      <At at={message.created_at} />
    </div>
  );
}

function AssistantMeta({ entry, isLastOfAll }: MessageProps) {
  const { texts } = useTexts();
  const words = texts.conversation.message;
  const { message } = entry;
  const [isOpen, setOpen] = useState(false);
  const { confidence = null, tier = null, score = null, sources = [], ended = null, feedback } = message;
  return (
    <>
      <div className="p-message-meta">
        {feedback != null && <Feedback {...feedback} />}
        <span className="p-message-label">
          <Icon of={Bot} size={14} />
          {texts.conversation.assistant}
        </span>
        {tier === 'maybe' ? (
          <StatusPill tone="amber" icon={CircleDashed}>
            {texts.parts.unsure}
          </StatusPill>
        ) : (
          confidence !== null && <ConfidencePill level={confidence} {...(score !== null && { score })} />
        )}
        <Sources sources={sources} />
        {ended !== null && <span className="p-message-ended">{words.ended[ended]}</span>}
        <UnstyledButton className="p-message-why" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? words.hideWhy : words.why}
        </UnstyledButton>
        <PartStates entry={entry} />
        <At at={message.created_at} />
      </div>
      {isOpen && <Why message={message} />}
      {isLastOfAll && <WhyKey setOpen={setOpen} />}
    </>
  );
}

/** The key O opens the explanation of the last answer. */
function WhyKey({ setOpen }: { readonly setOpen: Dispatch<SetStateAction<boolean>> }) {
  const { texts } = useTexts();
  const name = texts.conversation.keys.why;
  const actions = useMemo<readonly KeyAction[]>(
    () => [
      { id: 'conversation-why', name, keys: 'o', scope: 'here', run: () => setOpen((before) => !before) },
    ],
    [name, setOpen],
  );
  useKeyActions(actions);
  return null;
}

interface FeedbackProps {
  readonly value: 'up' | 'down';
  readonly comment: string | null;
}

function Feedback({ value, comment }: FeedbackProps) {
  const { texts } = useTexts();
  const { thumbUp, thumbDown } = texts.conversation.message;
  return (
    <span className="p-message-feedback" data-value={value}>
      <Icon
        of={value === 'up' ? ThumbsUp : ThumbsDown}
        size={14}
        label={value === 'up' ? thumbUp : thumbDown}
      />
      {comment !== null && comment !== '' && <q>{comment}</q>}
    </span>
  );
}

/** The titles of the passages that an answer rests on; a click shows the passage. */
function Sources({ sources }: { readonly sources: readonly Source[] }) {
  const byTitle = [...new Map(sources.map((source) => [source.title, source] as const)).values()];
  return byTitle.slice(0, 3).map((source) => <AnswerSource key={source.title} source={source} />);
}

function AnswerSource({ source }: { readonly source: Source }) {
  const link = source.url !== null && (
    <a href={source.url} target="_blank" rel="noopener noreferrer">
      {source.url}
    </a>
  );
  return (
    <SourceTitle source={source} width={360} foot={link}>
      {source.chunk}
    </SourceTitle>
  );
}
