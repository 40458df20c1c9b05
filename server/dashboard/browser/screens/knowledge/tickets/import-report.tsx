import { Button, Text, Title } from '@mantine/core';
import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { CircleAlert } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { JudgePanel } from './judge-panel.tsx';
import { TicketList } from './ticket-list.tsx';
import type { ReportedImport, Verdict } from './tickets-queries.ts';
import { type TicketsWords, useTicketsWords } from './tickets-words.ts';

const SHOWN = ['agrees', 'differs', 'maybe', 'none'] as const satisfies readonly Verdict[];
const OTHERS = ['no_question', 'error'] as const satisfies readonly Verdict[];
/** The number of judgements from which on they correct the report. */
const MIN_JUDGED = 10;

interface ImportReportProps {
  readonly workspace: string;
  readonly shown: ReportedImport;
  readonly may: boolean;
}

/** The numbers of an import. Each opens its tickets. */
export function ImportReport({ workspace, shown, may }: ImportReportProps) {
  const words = useTicketsWords();
  const search: { readonly verdict?: string } = useSearch({ strict: false });
  const [isJudging, setJudging] = useState(false);
  const { counts, report } = shown;
  const { size, judged, agrees, differs } = report.sample;
  const left = size - judged - agrees.unclear - differs.unclear;
  const verdict = [...SHOWN, ...OTHERS].find((each) => each === search.verdict) ?? firstOf(counts);
  const shareOf = (each: Verdict) => counts[each] / Math.max(1, report.questions);
  const answered = report.answered?.share ?? 0;
  return (
    <>
      <section className="p-card p-ticket-report" aria-label={words.head(report.questions)}>
        <Title order={2} fz={14} lh="20px">
          {words.head(report.questions)}
        </Title>
        <p className="p-ticket-sums">
          <span>
            <b className="p-numbers">{words.percent(answered)}</b> {words.wouldAnswer}
          </span>
          <span>
            <b className="p-numbers">{words.percent(1 - answered)}</b> {words.wouldHandOver}
          </span>
        </p>
        <div className="p-ticket-bar" aria-hidden="true">
          {SHOWN.map((each) => (
            <i key={each} data-verdict={each} style={{ flexGrow: counts[each] }} />
          ))}
        </div>
        <nav className="p-ticket-figures" aria-label={words.verdict}>
          {[...SHOWN, ...OTHERS.filter((each) => counts[each] > 0)].map((each) => (
            <Link
              key={each}
              to="."
              search={(before: object) => ({ ...before, verdict: each })}
              data-verdict={each}
              {...(each === verdict && { 'aria-current': 'page' as const })}
            >
              <span>
                {each !== 'no_question' && each !== 'error' && (
                  <b className="p-numbers">{words.percent(shareOf(each))}</b>
                )}{' '}
                <span className="p-numbers">{words.count(counts[each])}</span>
              </span>
              <span>{words.verdicts[each]}</span>
              <Text span size="xs" c="var(--p-text-2)">
                {words.verdictHints[each]}
              </Text>
            </Link>
          ))}
        </nav>
      </section>
      {size > 0 && (
        <section className="p-ticket-truth">
          <Icon of={CircleAlert} />
          <Text size="sm" flex={1}>
            {truth(shown, words)}
          </Text>
          {may && left > 0 && !isJudging && (
            <Button variant="default" onClick={() => setJudging(true)}>
              {words.judge(left)}
            </Button>
          )}
        </section>
      )}
      <div className="p-ticket-columns" data-judging={isJudging || undefined}>
        {isJudging && (
          <JudgePanel
            workspace={workspace}
            id={shown.id}
            done={size - left}
            size={size}
            onEnd={() => setJudging(false)}
          />
        )}
        {verdict !== undefined && (
          <TicketList
            key={verdict}
            workspace={workspace}
            id={shown.id}
            verdict={verdict}
            may={may && shown.state === 'finished'}
          />
        )}
      </div>
    </>
  );
}

function firstOf(counts: ReportedImport['counts']): Verdict | undefined {
  return (['differs', 'none', 'maybe', 'agrees', ...OTHERS] as const).find((each) => counts[each] > 0);
}

/** The rule's number, corrected by what people judged. */
function truth({ report }: ReportedImport, words: TicketsWords): string {
  const { right_by_hand: hand, right_of_answered: ofAnswered, agrees_by_rule: rule, sample } = report;
  if (hand === null || ofAnswered === null || rule === null)
    return `${words.byRule} ${words.judgeToCorrect(sample.size, MIN_JUDGED)}`;
  const { right, agent_wrong: agentWrong, wrong } = sample.differs;
  return [
    words.byHand(words.percent(rule.share), sample.judged, words.percent(hand.low), words.percent(hand.high)),
    words.ofAnswered(words.percent(ofAnswered.low), words.percent(ofAnswered.high)),
    words.byHandWrong(right + agentWrong, right + agentWrong + wrong),
  ].join(' ');
}
