import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../../texts/texts.tsx';
import { dailyQuery } from '../insight-queries.ts';
import { type InsightWords, useInsightWords } from '../insight-words.ts';
import { Counted, useNumbers } from '../numbers.tsx';
import { confidences, useScope } from '../use-scope.ts';
import { Panel } from './panel.tsx';

const width = 720;
const height = 200;
/** The parts of a bar from its bottom to its top. */
const order = ['high', 'medium', 'low'] as const;

interface Day {
  readonly day: string;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
}

/** Questions a day as stacked bars, with a table for people who do not see them. */
export function QuestionsPanel() {
  const all = useInsightWords();
  const words = all.questions;
  const { workspace, scope, toggle } = useScope();
  const { percent, share } = useNumbers();
  const query = useQuery(dailyQuery(workspace, scope));
  const found = query.data;
  const interval = found?.answered_share ?? null;
  const note = found !== undefined && (
    <>
      {words.answered}{' '}
      <Counted counts="answered" what={all.list.kinds.answered}>
        {share(found.answered, found.asked)}
      </Counted>
      {interval !== null && `, ${words.sure(percent(interval.low), percent(interval.high))}`}
    </>
  );
  return (
    <Panel
      name="questions"
      title={words.title}
      about={words.about}
      note={note}
      query={query}
      isEmpty={({ asked }) => asked === 0}
    >
      {({ days }) => (
        <>
          <ul className="p-legend">
            {confidences.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  data-confidence={name}
                  aria-pressed={scope.confidence === name}
                  onClick={() => toggle('confidence', name)}
                >
                  {words.confidences[name]}
                </button>
              </li>
            ))}
          </ul>
          <Bars days={days} />
          <details className="p-insight-table">
            <summary>{all.table(words.title)}</summary>
            <DayTable days={days} words={all} />
          </details>
        </>
      )}
    </Panel>
  );
}

function Bars({ days }: { readonly days: readonly Day[] }) {
  const { locale } = useTexts();
  const { questions: words } = useInsightWords();
  const { number } = useNumbers();
  const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const top = niceTop(Math.max(...days.map(sum)));
  const step = width / days.length;
  const gap = Math.min(6, step / 4);
  const every = Math.max(1, Math.ceil(days.length / 6));
  return (
    <div className="p-chart" aria-hidden="true">
      <div className="p-chart-scale">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{number(value)}</span>
        ))}
      </div>
      <svg role="presentation" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none">
        {[0, 0.5].map((at) => (
          <line key={at} x1="0" x2={width} y1={at * height} y2={at * height} className="p-chart-line" />
        ))}
        {days.map((day, position) => {
          let y = height;
          return (
            <g key={day.day}>
              <title>
                {`${date.format(new Date(day.day))}: ${order.map((name) => `${words.confidences[name]} ${day[name]}`).join(', ')}`}
              </title>
              {order.map((name) => {
                const tall = (day[name] / top) * height;
                y -= tall;
                return (
                  <rect
                    key={name}
                    data-confidence={name}
                    x={position * step + gap / 2}
                    y={y}
                    width={step - gap}
                    height={tall}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <div className="p-chart-days">
        {days.map(({ day }, position) =>
          position % every === 0 ? <span key={day}>{date.format(new Date(day))}</span> : null,
        )}
      </div>
    </div>
  );
}

function sum({ high, medium, low }: Day): number {
  return high + medium + low;
}

/** The next number that halves well. */
function niceTop(most: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  const found = [1, 2, 4, 6, 10].find((factor) => factor * size >= most) ?? 10;
  return Math.max(2, found * size);
}

function DayTable({ days, words }: { readonly days: readonly Day[]; readonly words: InsightWords }) {
  const { locale } = useTexts();
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <table className="p-plain-table">
      <thead>
        <tr>
          <th scope="col">{words.questions.day}</th>
          {confidences.map((name) => (
            <th key={name} scope="col">
              {words.questions.confidences[name]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day) => (
          <tr key={day.day}>
            <th scope="row">
              <Counted counts="asked" narrow={{ from: day.day, to: day.day }} what={day.day}>
                {date.format(new Date(day.day))}
              </Counted>
            </th>
            {confidences.map((name) => (
              <td key={name}>{day[name]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
