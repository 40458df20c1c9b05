import { Check } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import { ConfidencePill } from '../../parts/pills.tsx';
import { useTexts } from '../../texts/texts.tsx';
import type { ExplainedAnswer, Trace } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';
import { Part } from './part.tsx';
import { Passages, ScoreBar } from './passages.tsx';
import { Skills, Writing } from './writing.tsx';

interface TraceViewProps {
  readonly workspace: string;
  readonly answer: ExplainedAnswer;
}

/** Why an answer is as it is, on one page: nothing to unfold. */
export function TraceView({ workspace, answer }: TraceViewProps) {
  const words = useAnswerWords();
  const { trace } = answer;
  return (
    <>
      <Because answer={answer} />
      {trace === null ? (
        <p className="p-trace-none">
          <strong>{words.page.noTrace}.</strong> {words.page.noTraceText}
        </p>
      ) : (
        <>
          <Time trace={trace} total={answer.answer.latency_ms ?? 0} />
          <Question trace={trace} answer={answer} />
        </>
      )}
      <Passages workspace={workspace} answer={answer} />
      {trace !== null && (
        <>
          <Writing trace={trace} passages={answer.passages} />
          <Skills trace={trace} />
          <Settings trace={trace} changed={answer.changed_settings} />
        </>
      )}
    </>
  );
}

function Because({ answer: { answer, decision, trace } }: { readonly answer: ExplainedAnswer }) {
  const words = useAnswerWords();
  const { confidence, score } = answer;
  return (
    <p className="p-trace-because" data-level={confidence ?? 'none'}>
      {confidence != null && <ConfidencePill level={confidence} {...(score != null && { score })} />}
      <span>
        {trace !== null && <strong>{words.paths[trace.path]}. </strong>}
        {decision !== null && `${decision.because} ${decision.concluded}`}
      </span>
    </p>
  );
}

const stages = ['understanding', 'searching', 'reading', 'writing'] as const;

function Time({ trace, total }: { readonly trace: Trace; readonly total: number }) {
  const words = useAnswerWords();
  const known = stages.flatMap((stage) => {
    const ms = trace.ms[stage];
    return ms === undefined ? [] : [{ stage, ms }];
  });
  const sum = known.reduce((all, { ms }) => all + ms, 0);
  const parts = [{ stage: 'preparing' as const, ms: Math.max(0, total - sum) }, ...known];
  return (
    <Part title={words.time.title} note={<span className="p-numbers">{words.page.milliseconds(total)}</span>}>
      <div className="p-time" aria-hidden="true">
        {parts.map(({ stage, ms }) => (
          <span
            key={stage}
            data-stage={stage}
            style={{ flexGrow: Math.max(ms, Math.max(total, sum) / 100) }}
          />
        ))}
      </div>
      <ul className="p-time-names">
        {parts.map(({ stage, ms }) => (
          <li key={stage} data-stage={stage}>
            {words.time[stage]} <span className="p-numbers">{words.page.milliseconds(ms)}</span>
          </li>
        ))}
      </ul>
    </Part>
  );
}

interface QuestionProps {
  readonly trace: Trace;
  readonly answer: ExplainedAnswer;
}

function Question({ trace, answer: { question: asked, decision } }: QuestionProps) {
  const words = useAnswerWords();
  const { locale } = useTexts();
  const { question, readings, limits } = trace;
  const about = [
    new Intl.DisplayNames([locale], { type: 'language' }).of(question.language) ?? question.language,
    question.verified ? words.question.verified : words.question.anonymous,
    ...(question.audience.length > 0 ? [words.question.audience(question.audience.join(', '))] : []),
    words.question.turns(question.turns),
    question.masked ? words.question.masked : words.question.unmasked,
  ];
  const marks = [limits.maybe, limits.answer, limits.high];
  return (
    <Part title={words.question.title} note={about.join(', ')}>
      <ol className="p-readings">
        {readings.map(({ text, part, score, ms }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order is that of the searches, and never changes
          <li key={position} title={words.page.milliseconds(ms)}>
            <span>
              {text === (decision?.questions[part]?.asked ?? asked)
                ? words.question.asked
                : words.question.reworded}
            </span>
            <span>“{text}”</span>
            <ScoreBar score={score} marks={marks} />
            <span className="p-numbers">{words.score(score)}</span>
          </li>
        ))}
      </ol>
    </Part>
  );
}

interface SettingsProps {
  readonly trace: Trace;
  readonly changed: ExplainedAnswer['changed_settings'];
}

function Settings({ trace: { settings, limits }, changed }: SettingsProps) {
  const words = useAnswerWords();
  const { names, ...about } = words.settings;
  const facts = [
    about.strictness[settings.strictness],
    ...(settings.model === null ? [] : [settings.model]),
    about.limits(limits.answer, limits.maybe),
    about.skills(settings.skills),
    ...(settings.corrected ? [about.corrected] : []),
  ];
  return (
    <Part
      title={about.title}
      note={
        changed.length === 0 ? (
          <span className="p-trace-same">
            <Icon of={Check} size={14} /> {about.same}
          </span>
        ) : (
          about.changed(changed.map((name) => names[name]).join(', '))
        )
      }
    >
      <p className="p-trace-line">{facts.join(' · ')}</p>
    </Part>
  );
}
