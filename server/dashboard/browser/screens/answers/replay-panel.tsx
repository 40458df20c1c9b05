import { Button, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import { choicesQuery } from '../../ask/evaluation-queries.ts';
import { RotateCcw } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { MarkdownText } from '../../parts/markdown/markdown-text.tsx';
import { ConfidencePill } from '../../parts/pills.tsx';
import { FaultLine } from '../../parts/states/fault-line.tsx';
import { Skeletons } from '../../parts/states/skeletons.tsx';
import { type AnswerPlace, type Replay, type ReplayChoice, useReplay } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';

const ownChoice: ReplayChoice = { model: null, audience: null, strictness: null };
const EVERYBODY = '*';
const NO_MODEL = 'none';

/** The question of an answer asked again: at once as it was, then as any audience, with any model. */
export function ReplayPanel({ place }: { readonly place: AnswerPlace }) {
  const words = useAnswerWords().replay;
  const { data: choices } = useQuery(choicesQuery(place.workspace));
  const [choice, setChoice] = useState(ownChoice);
  const replay = useReplay(place);
  const { mutate } = replay;
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    mutate(ownChoice);
  }, [mutate]);
  const { model, audience, strictness } = choice;
  const change = (changes: Partial<ReplayChoice>) => setChoice({ ...choice, ...changes });
  return (
    <section className="p-replay p-card" aria-label={words.title}>
      <h2>{words.title}</h2>
      <p>{words.hint}</p>
      <Group gap="sm" align="flex-end">
        {choices !== undefined && choices.models.length > 0 && (
          <NativeSelect
            size="xs"
            label={words.model}
            value={model ?? ''}
            onChange={({ currentTarget }) => change({ model: currentTarget.value || null })}
            data={[
              { value: '', label: words.ownModel },
              ...choices.models.map((name) => ({
                value: name,
                label: name === NO_MODEL ? words.noModel : name,
              })),
            ]}
          />
        )}
        {choices !== undefined && choices.audiences.length > 0 && (
          <NativeSelect
            size="xs"
            label={words.audience}
            value={audience === null ? '' : (audience[0] ?? EVERYBODY)}
            onChange={({ currentTarget: { value } }) =>
              change({ audience: value === '' ? null : value === EVERYBODY ? [] : [value] })
            }
            data={[
              { value: '', label: words.sameAudience },
              { value: EVERYBODY, label: words.everybody },
              ...choices.audiences,
            ]}
          />
        )}
        <Strictness value={strictness} onChange={(next) => change({ strictness: next })} />
        <Button
          size="xs"
          leftSection={<Icon of={RotateCcw} size={14} />}
          loading={replay.isPending}
          onClick={() => mutate(choice)}
        >
          {words.run}
        </Button>
      </Group>
      <div aria-live="polite">
        {replay.isError && <FaultLine>{toProblem(replay.error).message}</FaultLine>}
        {replay.isPending && <Skeletons rows={2} height={56} />}
        {replay.isSuccess && <Compared replay={replay.data} />}
      </div>
    </section>
  );
}

interface StrictnessProps {
  readonly value: ReplayChoice['strictness'];
  readonly onChange: (value: ReplayChoice['strictness']) => void;
}

function Strictness({ value, onChange }: StrictnessProps) {
  const { replay: words, settings } = useAnswerWords();
  const names = ['strict', 'fallback'] as const;
  return (
    <NativeSelect
      size="xs"
      label={words.strictness}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(names.find((name) => name === currentTarget.value) ?? null)}
      data={[
        { value: '', label: words.ownStrictness },
        ...names.map((name) => ({ value: name, label: settings.strictness[name] })),
      ]}
    />
  );
}

/** Shows then and today side by side, and the passages that moved. */
function Compared({ replay: { before, after, moved } }: { readonly replay: Replay }) {
  const all = useAnswerWords();
  const words = all.replay;
  const { content, confidence, score } = before.answer;
  const today = Math.max(0, ...after.passages.map((passage) => passage.score));
  return (
    <>
      <p className="p-trace-line" role="status">
        {content === after.answer ? words.same : words.different}{' '}
        {moved.length === 0 ? words.nothingMoved : words.moved(moved.length)}
      </p>
      <div className="p-compared">
        <Side name={words.before} text={content} level={confidence ?? null} score={score ?? null} />
        <Side name={words.after} text={after.answer} level={after.confidence} score={today} />
      </div>
      {moved.length > 0 && (
        <table className="p-moved">
          <thead>
            <tr>
              <th scope="col">{words.passage}</th>
              <th scope="col">{words.before}</th>
              <th scope="col">{words.after}</th>
            </tr>
          </thead>
          <tbody>
            {moved.map(({ chunk_id: id, title, before: one, after: other }) => (
              <tr key={id}>
                <td>{title ?? id}</td>
                {[one, other].map((stands, position) => (
                  <td key={position === 0 ? 'before' : 'after'} className="p-numbers">
                    {words.rank(stands?.rank ?? null)}
                    {stands !== null && `, ${all.score(stands.score)}`}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface SideProps {
  readonly name: string;
  readonly text: string;
  readonly level: 'high' | 'medium' | 'low' | null;
  readonly score: number | null;
}

function Side({ name, text, level, score }: SideProps) {
  const words = useAnswerWords();
  return (
    <section aria-label={name}>
      <h3>
        {name}
        {level !== null && <ConfidencePill level={level} {...(score !== null && { score })} />}
        {score !== null && <span className="p-numbers">{words.score(score)}</span>}
      </h3>
      <MarkdownText text={text} />
    </section>
  );
}
