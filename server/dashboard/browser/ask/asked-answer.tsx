import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Check, CircleAlert, Info, Minus } from '../icons.ts';
import { Icon } from '../parts/icon.tsx';
import { MarkdownText } from '../parts/markdown/markdown-text.tsx';
import { ConfidencePill, StatusPill } from '../parts/pills.tsx';
import { useTexts } from '../texts/texts.tsx';
import type { Asked, Rehearsal } from './evaluation-queries.ts';
import { closeAsk } from './open-ask.ts';
import { RenderedAnswer } from './rendered-answer.tsx';
import { VerdictBar } from './verdict-bar.tsx';

interface AskedAnswerProps {
  readonly workspace: string;
  readonly asked: Asked;
  readonly given: Rehearsal;
}

const tones = { answer: 'green', maybe: 'amber', none: 'grey' } as const;
const signs = { answer: Check, maybe: CircleAlert, none: Minus } as const;

/** An answer on trial: as the visitor would see it, and below it why. */
export function AskedAnswer({ workspace, asked, given }: AskedAnswerProps) {
  const { texts } = useTexts();
  const words = texts.evaluation.ask;
  const { tier, confidence, decision } = given;
  const used = given.passages.filter(({ use }) => use === 'used');
  return (
    <section className="p-asked" aria-label={words.answer} aria-live="polite">
      <div className="p-asked-head">
        <StatusPill tone={tones[tier]} icon={signs[tier]}>
          {words.tiers[tier]}
        </StatusPill>
        <ConfidencePill
          level={confidence}
          {...(given.probability !== null && { score: given.probability })}
        />
        {given.probability !== null && (
          <span className="p-numbers p-asked-share">{texts.evaluation.probability(given.probability)}</span>
        )}
        <Text span size="xs" c="var(--p-text-2)" ms="auto">
          {given.ai_generated ? words.written : given.quoted ? words.quoted : null}
          <span className="p-numbers"> {words.milliseconds(given.latency_ms)}</span>
        </Text>
      </div>
      {given.rendered === null ? (
        <div className="p-card p-asked-text">
          <MarkdownText text={given.answer} />
        </div>
      ) : (
        <RenderedAnswer rendered={given.rendered} channel={asked.channel?.name ?? ''} />
      )}
      {given.sources.length > 0 && tier !== 'none' && (
        <ol className="p-asked-sources" aria-label={words.sources}>
          {given.sources.slice(0, Math.max(1, used.length)).map((source) => (
            <li key={source.chunk_id}>
              <Link
                to="/w/$workspace/knowledge/documents/$document"
                params={{ workspace, document: source.document_id }}
                onClick={closeAsk}
              >
                {source.title}
              </Link>
              {source.place !== null && <span> {source.place.label}</span>}
            </li>
          ))}
        </ol>
      )}
      <VerdictBar workspace={workspace} asked={asked} given={given} />
      {given.passages.length > 0 && <Passages given={given} />}
      {decision !== null && (
        <p className="p-asked-because">
          <Icon of={Info} size={14} />
          <span>
            <strong>{words.because}</strong> {decision.because} {decision.concluded}
          </span>
        </p>
      )}
    </section>
  );
}

/** The passages that were found, with the limits of the tiers as lines. */
function Passages({ given: { passages, limits } }: { readonly given: Rehearsal }) {
  const { texts } = useTexts();
  const words = texts.evaluation.ask;
  const read = passages.filter((passage) => passage.read).length;
  const marks = [limits.maybe, limits.answer, limits.high];
  return (
    <section aria-label={words.passages} className="p-asked-passages">
      <h3>
        {words.passages}
        <Text span size="xs" c="var(--p-text-2)" fw={400}>
          {words.readOf(read, passages.length)}
        </Text>
      </h3>
      <ol>
        {passages.map((passage) => (
          <li key={passage.chunk_id} data-use={passage.use}>
            <span className="p-asked-name">
              {passage.headings.at(-1) ?? passage.title}
              <Text span size="xs" c="var(--p-text-2)">
                {passage.title}
              </Text>
            </span>
            <span className="p-score" aria-hidden="true">
              <span style={{ inlineSize: `${Math.round(passage.score * 100)}%` }} />
              {marks.map((mark) => (
                <i key={mark} style={{ insetInlineStart: `${mark * 100}%` }} />
              ))}
            </span>
            <span className="p-asked-use">
              <span className="p-numbers">{texts.evaluation.probability(passage.score)}</span>
              <Text span size="xs">
                {words.uses[passage.use]}
              </Text>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
