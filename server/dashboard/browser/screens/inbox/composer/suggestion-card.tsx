import { ActionIcon, Button, Kbd, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Source } from '../../../api/queries/conversation.ts';
import { Quote, RefreshCw, X } from '../../../icons.ts';
import { keySigns, useKeysOf } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { ConfidencePill } from '../../../parts/pills.tsx';
import { useTexts } from '../../../texts/texts.tsx';
import { SourceTitle } from '../source-title.tsx';
import type { OfferedSuggestion } from './use-suggestion.ts';

interface SuggestionCardProps {
  readonly suggestion: OfferedSuggestion;
  readonly onUse: (() => void) | null;
}

/** The draft from the documents, joined to the composer. */
export function SuggestionCard({ suggestion, onUse }: SuggestionCardProps) {
  const { texts } = useTexts();
  const words = texts.conversation.draft;
  const { state, data, text, ask, dismiss } = suggestion;
  if (state === 'none') return null;
  if (state !== 'ready' || data === null || text === null) {
    const said = {
      asking: words.looking,
      nothing: words.nothing,
      failed: words.failed,
      outdated: words.outdated,
      ready: '',
    }[state];
    return (
      <section className="p-suggestion" data-slim aria-label={words.title}>
        <Head title={said} isBusy={state === 'asking'} onAsk={ask} onDismiss={dismiss} />
      </section>
    );
  }
  const title = data.told ? words.told : words.title;
  const titles = [...new Map(data.sources.map((source) => [source.title, source] as const)).values()];
  return (
    <section className="p-suggestion" aria-label={title}>
      <Head title={title} isBusy={false} onAsk={ask} onDismiss={dismiss}>
        <ConfidencePill level={data.confidence} />
      </Head>
      <div className="p-suggestion-text" dir="auto">
        <MarkdownText text={text} spoken />
      </div>
      <div className="p-suggestion-foot">
        <span className="p-suggestion-sources">
          {titles.map((source) => (
            <SuggestionSource key={source.title} source={source} text={text} />
          ))}
          {!data.written && !data.told && <span className="p-suggestion-how">{words.quoted}</span>}
        </span>
        {onUse !== null && (
          <Button variant="default" rightSection={<Kbd aria-hidden="true">Tab</Kbd>} onClick={onUse}>
            {data.told ? words.useTold : words.use}
          </Button>
        )}
      </div>
    </section>
  );
}

interface HeadProps {
  readonly title: string;
  readonly isBusy: boolean;
  readonly onAsk: () => void;
  readonly onDismiss: () => void;
  readonly children?: ReactNode;
}

function Head({ title, isBusy, onAsk, onDismiss, children }: HeadProps) {
  const { texts } = useTexts();
  const words = texts.conversation.draft;
  const keys = useKeysOf('composer-draft');
  const label = keys === undefined ? words.anew : `${words.anew} ${keySigns(keys).join(' ')}`;
  return (
    <div className="p-suggestion-head">
      <Icon of={Quote} />
      <strong role="status">{title}</strong>
      {children}
      <span className="p-suggestion-buttons">
        <Tooltip label={label}>
          <ActionIcon size="xs" aria-label={words.anew} disabled={isBusy} onClick={onAsk}>
            <Icon of={RefreshCw} size={14} />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={words.dismiss}>
          <ActionIcon size="xs" aria-label={words.dismiss} onClick={onDismiss}>
            <Icon of={X} size={14} />
          </ActionIcon>
        </Tooltip>
      </span>
    </div>
  );
}

/** The title of a source; its passage marks the sentences that the draft rests on. */
function SuggestionSource({ source, text }: { readonly source: Source; readonly text: string }) {
  return (
    <SourceTitle source={source} width={400}>
      {markSentence(source.chunk, text).map(({ sentence, isMarked }, position) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: sentences of one passage do not change places
        isMarked ? <mark key={position}>{sentence}</mark> : <span key={position}>{sentence}</span>,
      )}
    </SourceTitle>
  );
}

/** Marks the sentences of a passage that share most of their words with the draft. */
function markSentence(passage: string, text: string) {
  const wanted = new Set(wordsOf(text));
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(passage)];
  return sentences.map(({ segment }) => {
    const own = wordsOf(segment);
    const shared = own.filter((word) => wanted.has(word)).length;
    return { sentence: segment, isMarked: own.length > 2 && shared / own.length >= 0.6 };
  });
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
