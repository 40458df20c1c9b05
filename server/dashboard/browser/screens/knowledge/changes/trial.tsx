import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { useMay } from '../../../api/queries/workspace.ts';
import { Check, ChevronRight, CircleDashed, FileText, Play } from '../../../icons.ts';
import { type KeyAction, useKeyActions } from '../../../keys/registry.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { StatusPill } from '../../../parts/pills.tsx';
import { EmptyState } from '../../../parts/states/empty-state.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import type { SetProps, Trial, TrialResult, Verdict } from './change-queries.ts';
import { useChangeWords } from './change-words.ts';

const verdicts = ['better', 'fine', 'worse'] as const satisfies readonly Verdict[];

/** The questions that are answered differently with the set, side by side. */
export function TrialView({ set, act }: SetProps) {
  const words = useChangeWords();
  const mayJudge = useMay('changes:write') && set.state === 'staged';
  const { trial } = set;
  const { mutate } = act;
  const next = trial?.results.find(({ difference, verdict }) => difference !== 'same' && verdict === null);
  const nextId = mayJudge ? next?.question_id : undefined;
  const actions = useMemo<readonly KeyAction[]>(
    () =>
      nextId === undefined
        ? []
        : verdicts.map((verdict, index) => ({
            id: `set-${verdict}`,
            name: words.verdictKey(words.verdicts[verdict]),
            keys: String(index + 1),
            scope: 'here',
            run: () => mutate({ act: 'judge', question: nextId, verdict }),
          })),
    [nextId, words, mutate],
  );
  useKeyActions(actions);
  if (trial === null) return <EmptyState icon={Play} title={words.notRun} text={words.notRunText} />;
  const changed = trial.results.filter(({ difference }) => difference !== 'same');
  const same = trial.results.filter(({ difference }) => difference === 'same');
  return (
    <>
      <Summary trial={trial} />
      {changed.map((result) => (
        <Difference
          key={result.question_id}
          result={result}
          isNext={result.question_id === nextId}
          {...(mayJudge && {
            onJudge: (verdict: Verdict | null) =>
              mutate({ act: 'judge', question: result.question_id, verdict }),
          })}
        />
      ))}
      {same.length > 0 && (
        <details className="p-trial-same">
          <summary>
            <Icon of={ChevronRight} size={14} />
            <b>{words.asBefore(same.length)}</b>
            <span>{words.asBeforeText}</span>
          </summary>
          <ul>
            {same.map(({ question_id: id, question, after }) => (
              <li key={id}>
                <span>{question}</span>
                <span className="p-trial-source">{after.source_title ?? '–'}</span>
                <span className="p-numbers">{words.outcomes[after.outcome]}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function Summary({ trial }: { readonly trial: Trial }) {
  const words = useChangeWords();
  const { counts, results, state } = trial;
  const changed = results.length - counts.same;
  const open = results.filter(isOpen).length;
  return (
    <header className="p-trial-summary">
      <div>
        <b className="p-trial-figure">{words.summary(counts.same, results.length)}</b>
        <span>
          <span>{words.summaryText(changed)}</span>
          <Text span size="xs" c="var(--p-text-2)" display="block" role="status">
            {state === 'running' ? (
              words.running(results.length, trial.questions)
            ) : (
              <>
                {words.ranAt} <TimeAgo at={trial.created_at} />
              </>
            )}
          </Text>
        </span>
        {trial.is_green ? (
          <StatusPill tone="green" icon={Check}>
            {words.green}
          </StatusPill>
        ) : (
          open > 0 && (
            <StatusPill tone="amber" icon={CircleDashed}>
              {words.looked(open)}
            </StatusPill>
          )
        )}
      </div>
      <div className="p-trial-boxes" aria-hidden="true">
        {results.map(({ question_id: id, difference, verdict }) => (
          <i key={id} data-kind={difference} data-verdict={verdict ?? ''} />
        ))}
      </div>
      <p className="p-trial-legend">
        {(['same', 'better', 'differs', 'worse'] as const).map((kind) => (
          <span key={kind} data-kind={kind}>
            {words.differences[kind]} {counts[kind]}
          </span>
        ))}
      </p>
      {!trial.is_current && state === 'finished' && <p className="p-change-warning">{words.stale}</p>}
      {state === 'cancelled' && <p className="p-change-warning">{words.cancelled}</p>}
    </header>
  );
}

/** Whether a person has to look at it before the set is green. */
function isOpen({ difference, verdict }: TrialResult): boolean {
  if (difference === 'same') return false;
  return verdict === null ? difference !== 'better' : verdict === 'worse';
}

interface DifferenceProps {
  readonly result: TrialResult;
  /** Whether the keys 1 to 3 judge it. */
  readonly isNext: boolean;
  /** Absent: it cannot be judged. */
  readonly onJudge?: (verdict: Verdict | null) => void;
}

const tones = { same: 'grey', better: 'green', differs: 'amber', worse: 'red' } as const;

function Difference({ result, isNext, onJudge }: DifferenceProps) {
  const words = useChangeWords();
  const { question, difference, verdict, live, after } = result;
  return (
    <article className="p-card p-trial-question" data-next={isNext} aria-label={question}>
      <header>
        <h3>{question}</h3>
        <StatusPill tone={tones[difference]}>{words.differences[difference]}</StatusPill>
        {onJudge !== undefined && (
          <fieldset className="p-trial-verdicts">
            <legend className="p-visually-hidden">{words.judge(question)}</legend>
            {verdicts.map((each, index) => (
              <button
                key={each}
                type="button"
                aria-pressed={verdict === each}
                onClick={() => onJudge(verdict === each ? null : each)}
              >
                {verdict === each && <Icon of={Check} size={14} />}
                {words.verdicts[each]}
                {isNext && <kbd>{index + 1}</kbd>}
              </button>
            ))}
          </fieldset>
        )}
      </header>
      <div className="p-trial-sides">
        <Side name={words.now} given={live} />
        <Side name={words.after} given={after} />
      </div>
    </article>
  );
}

function Side({ name, given }: { readonly name: string; readonly given: TrialResult['live'] }) {
  const words = useChangeWords();
  const { outcome, probability, text, because, source_title: source } = given;
  return (
    <div>
      <h4>
        {name}
        <span data-outcome={outcome} title={because} className="p-numbers">
          {words.outcomes[outcome]}
          {probability !== null && `, ${probability.toFixed(2)}`}
        </span>
      </h4>
      <MarkdownText text={text} />
      {source !== null && (
        <p className="p-trial-source">
          <Icon of={FileText} size={14} /> {source}
        </p>
      )}
    </div>
  );
}
