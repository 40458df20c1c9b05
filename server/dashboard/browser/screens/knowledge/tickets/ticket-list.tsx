import { Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { toProblem } from '../../../api/problem.ts';
import { openAsk } from '../../../ask/open-ask.ts';
import { MoreButton } from '../../../parts/more-button.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { FaultLine } from '../../../parts/states/fault-line.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { TicketSides } from './ticket-sides.tsx';
import { type ImportedTicket, type Place, ticketsQuery, useJudge, type Verdict } from './tickets-queries.ts';
import { useTicketsWords } from './tickets-words.ts';

export const JUDGEMENTS = ['right', 'agent_wrong', 'wrong', 'unclear'] as const;

interface TicketListProps extends Place {
  readonly verdict: Verdict;
  readonly may: boolean;
}

/** The tickets of a verdict: opened, question, reply and answer side by side. */
export function TicketList({ verdict, may, ...place }: TicketListProps) {
  const words = useTicketsWords();
  const list = useInfiniteQuery(ticketsQuery(place, verdict));
  const tickets = list.data?.pages.flatMap((page) => page.tickets) ?? [];
  return (
    <section aria-label={words.verdicts[verdict]} className="p-ticket-list">
      {list.isPending && <Skeletons rows={4} height={44} />}
      {list.isError && (
        <ErrorState error={list.error} title={words.notLoaded} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && tickets.length === 0 && (
        <Text size="sm" c="var(--p-text-2)">
          {words.noMatch}
        </Text>
      )}
      <ul>
        {tickets.map((ticket) => (
          <TicketCard key={ticket.id} place={place} ticket={ticket} may={may} />
        ))}
      </ul>
      <MoreButton list={list}>{words.more}</MoreButton>
    </section>
  );
}

interface TicketCardProps {
  readonly place: Place;
  readonly ticket: ImportedTicket;
  readonly may: boolean;
}

function TicketCard({ place, ticket, may }: TicketCardProps) {
  const words = useTicketsWords();
  const judge = useJudge(place);
  const isJudged = ticket.verdict === 'agrees' || ticket.verdict === 'differs';
  return (
    <li>
      <details className="p-card p-ticket">
        <summary>
          <span className="p-ticket-question">{ticket.question}</span>
          {ticket.judgement !== null && (
            <Text span size="xs" c="var(--p-text-2)">
              {words.judgements[ticket.judgement]}
            </Text>
          )}
        </summary>
        <TicketSides ticket={ticket} />
        <Group gap="xs" className="p-ticket-actions">
          <Button size="xs" variant="default" onClick={() => openAsk(ticket.question)}>
            {words.askNow}
          </Button>
          {may &&
            isJudged &&
            JUDGEMENTS.map((judgement) => (
              <Button
                key={judgement}
                size="xs"
                variant={ticket.judgement === judgement ? 'light' : 'subtle'}
                aria-pressed={ticket.judgement === judgement}
                disabled={judge.isPending}
                onClick={() =>
                  judge.mutate({
                    ticket: ticket.id,
                    judgement: ticket.judgement === judgement ? null : judgement,
                  })
                }
              >
                {words.judgements[judgement]}
              </Button>
            ))}
        </Group>
        {judge.isError && <FaultLine>{toProblem(judge.error).message}</FaultLine>}
      </details>
    </li>
  );
}
