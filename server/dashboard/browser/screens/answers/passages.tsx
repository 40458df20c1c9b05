import { Link } from '@tanstack/react-router';
import { Check } from '../../icons.ts';
import { Icon } from '../../parts/icon.tsx';
import type { ExplainedAnswer, TracedPassage } from './answer-queries.ts';
import { useAnswerWords } from './answer-words.ts';
import { Part } from './part.tsx';

interface ScoreBarProps {
  readonly score: number;
  /** The limits, as lines. */
  readonly marks: readonly number[];
}

/** A score as a bar; its figure stands beside it. */
export function ScoreBar({ score, marks }: ScoreBarProps) {
  return (
    <span className="p-score" aria-hidden="true">
      <span style={{ inlineSize: `${Math.round(score * 100)}%` }} />
      {marks.map((mark) => (
        <i key={mark} style={{ insetInlineStart: `${mark * 100}%` }} />
      ))}
    </span>
  );
}

const evidence = ['words', 'coverage', 'meaning', 'fused'] as const;

interface PassagesProps {
  readonly workspace: string;
  readonly answer: ExplainedAnswer;
}

/** The passages that were found, best first, with what their scores follow from and what became of them. */
export function Passages({ workspace, answer: { passages, trace } }: PassagesProps) {
  const words = useAnswerWords();
  const { passages: about } = words;
  const limits = trace?.limits;
  const marks = limits === undefined ? [] : [limits.maybe, limits.answer, limits.high];
  if (passages.length === 0)
    return (
      <Part title={about.title}>
        <p className="p-trace-line">{about.none}</p>
      </Part>
    );
  const { columns } = about;
  return (
    <Part title={about.title} note={about.note(passages.length, trace?.found ?? passages.length)}>
      <div className="p-trace-passages">
        <table>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                {columns.passage}
              </th>
              {evidence.map((name) => (
                <th key={name} scope="col" data-evidence={true}>
                  {columns[name]}
                </th>
              ))}
              <th scope="col" colSpan={2} className="p-trace-passages-score">
                {columns.score}
              </th>
              <th scope="col">
                <span className="p-visually-hidden">{words.columns.verdict}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {passages.map((passage, position) => (
              <Row key={passage.chunk_id} rank={position + 1} {...{ workspace, passage, marks }} />
            ))}
          </tbody>
        </table>
      </div>
      {limits !== undefined && (
        <p className="p-trace-line">{about.limits(limits.maybe, limits.answer, limits.high)}</p>
      )}
    </Part>
  );
}

interface RowProps {
  readonly workspace: string;
  readonly passage: TracedPassage;
  readonly rank: number;
  readonly marks: readonly number[];
}

function Row({ workspace, passage, rank, marks }: RowProps) {
  const words = useAnswerWords();
  const { passages: about } = words;
  const { title, headings, document_id: document, use } = passage;
  const heading = headings.at(-1);
  return (
    <tr data-use={use ?? 'below'}>
      <td className="p-numbers">{rank}</td>
      <td className="p-passage-name">
        {title === null ? (
          <span>{about.gone}</span>
        ) : (
          <Link to="/w/$workspace/knowledge/documents/$document" params={{ workspace, document }}>
            {heading ?? title}
          </Link>
        )}
        <small>
          {[
            ...(heading !== undefined && title !== null ? [title] : []),
            ...(passage.read ? [about.read] : []),
            ...(passage.current || title === null ? [] : [about.changed]),
          ].join(', ')}
        </small>
      </td>
      {evidence.map((name) => (
        <td key={name} className="p-numbers" data-evidence={true}>
          {passage.evidence === null ? '–' : words.score(passage.evidence[name])}
        </td>
      ))}
      <td className="p-trace-passages-bar">
        <ScoreBar score={passage.score} marks={marks} />
      </td>
      <td className="p-numbers">{words.score(passage.score)}</td>
      <td className="p-trace-passages-use">
        {use === 'used' && <Icon of={Check} size={14} />}
        {use === null ? null : about.uses[use]}
      </td>
    </tr>
  );
}
