import { Check, Minus, Quote, X } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import type { Trace, TracedPassage } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';
import { Part } from './part.tsx';

type Attempt = Trace['attempts'][number];
type Sentence = Trace['sentences'][number];

interface WritingProps {
  readonly trace: Trace;
  readonly passages: readonly TracedPassage[];
}

/** The models that were called, and what became of each sentence; nothing if no model was. */
export function Writing({ trace: { attempts, sentences }, passages }: WritingProps) {
  const words = useAnswerWords().writing;
  if (attempts.length === 0 && sentences.length === 0) return null;
  const tokens = attempts.reduce((sum, attempt) => sum + attempt.tokens, 0);
  const rankOf = new Map(passages.map(({ chunk_id: id }, position) => [id, position + 1]));
  return (
    <Part title={words.title} note={words.tokens(tokens)}>
      <ol className="p-attempts">
        {attempts.map((attempt, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is that of the calls, and never changes
          <li key={position} data-outcome={attempt.outcome}>
            <strong>{attempt.model}</strong> {words.purposes[attempt.for]} <Outcome attempt={attempt} />
          </li>
        ))}
      </ol>
      <ol className="p-sentences">
        {sentences.map((sentence, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is that of the text, and never changes
          <li key={position} data-fate={sentence.fate}>
            <Icon of={signOf(sentence)} size={14} />
            {sentence.fate === 'kept' ? <span>{sentence.text}</span> : <s>{sentence.text}</s>}
            <small>
              <Fate sentence={sentence} ranks={sentence.by.flatMap((id) => rankOf.get(id) ?? [])} />
            </small>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Outcome({ attempt: { outcome, ms } }: { readonly attempt: Attempt }) {
  const words = useAnswerWords().writing;
  if (outcome === 'ok') return <span className="p-attempt-ok">{words.answered(ms)}</span>;
  if (outcome === 'paused') return <span>{words.outcomes.paused}</span>;
  return <span>{words.after(words.outcomes[outcome], ms)}</span>;
}

function signOf({ fate, verdict }: Sentence) {
  if (fate === 'dropped') return X;
  if (fate === 'quoted') return Quote;
  return verdict === 'grounded' ? Check : Minus;
}

function Fate({ sentence, ranks }: { readonly sentence: Sentence; readonly ranks: readonly number[] }) {
  const words = useAnswerWords().writing;
  const { fate, verdict } = sentence;
  if (verdict === 'echo') return words.echo;
  if (fate !== 'kept') return words.fates[fate];
  if (verdict === 'grounded') return ranks.length === 0 ? words.fates.kept : words.grounded(ranks.join(', '));
  return words[verdict];
}

/** The skills that ran; nothing if none did. */
export function Skills({ trace: { skills } }: { readonly trace: Trace }) {
  const { skills: words, page } = useAnswerWords();
  if (skills.length === 0) return null;
  return (
    <Part title={words.title}>
      <ol className="p-attempts">
        {skills.map(({ name, by, outcome, ms }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is that of the calls, and never changes
          <li key={position} data-outcome={outcome}>
            <strong>{name}</strong> {words.by[by]}, {words.outcomes[outcome]}{' '}
            <span className="p-numbers">{page.milliseconds(ms)}</span>
          </li>
        ))}
      </ol>
    </Part>
  );
}
