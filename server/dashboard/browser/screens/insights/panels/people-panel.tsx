import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { peopleQuery } from '../insight-queries.ts';
import { type InsightWords, useInsightWords } from '../insight-words.ts';
import { Counted, useNumbers } from '../numbers.tsx';
import { useScope } from '../use-scope.ts';
import { Panel } from './panel.tsx';

/** How long visitors wait for people. */
export function PeoplePanel() {
  const all = useInsightWords();
  const words = all.people;
  const { workspace, scope } = useScope();
  const { number } = useNumbers();
  const query = useQuery(peopleQuery(workspace, scope));
  return (
    <Panel
      name="people"
      title={words.title}
      about={words.about}
      note={words.note}
      query={query}
      isEmpty={({ handed_over: handedOver }) => handedOver === 0}
    >
      {({ handed_over: handedOver, first_reply: reply, solved }) => (
        <>
          <dl className="p-times">
            <Time seconds={reply.p50} label={words.replyHalf} words={words} />
            <Time seconds={reply.p90} label={words.replyMost} words={words} />
            <Time seconds={solved.p50} label={words.solvedHalf} words={words} />
            <Time seconds={solved.p90} label={words.solvedMost} words={words} />
          </dl>
          <Facts
            rows={[
              [
                words.handedOver,
                <Counted key="handed" counts="handed_over" what={words.handedOver}>
                  {number(handedOver)}
                </Counted>,
              ],
              [
                words.replied,
                <Counted key="replied" counts="replied" what={words.replied}>
                  {all.of(reply.count, handedOver)}
                </Counted>,
              ],
              [
                words.solved,
                <Counted key="solved" counts="solved" what={words.solved}>
                  {all.of(solved.count, handedOver)}
                </Counted>,
              ],
            ]}
          />
        </>
      )}
    </Panel>
  );
}

interface TimeProps {
  readonly seconds: number | null;
  readonly label: string;
  readonly words: InsightWords['people'];
}

function Time({ seconds, label, words }: TimeProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="p-numbers">{seconds === null ? '–' : writeTime(seconds, words)}</dd>
    </div>
  );
}

function writeTime(seconds: number, words: InsightWords['people']): string {
  if (seconds < 90) return words.seconds(Math.round(seconds));
  if (seconds < 90 * 60) return words.minutes(Math.round(seconds / 60));
  const hours = Math.round(seconds / 3_600);
  return hours < 48 ? words.hours(hours) : words.days(Math.round(hours / 24));
}

/** Rows of a name and a number. */
export function Facts({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="p-insight-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
