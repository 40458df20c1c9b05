import { Text } from '@mantine/core';
import { FileText } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { MarkdownText } from '../../../parts/markdown/markdown-text.tsx';
import { TimeAgo } from '../../../parts/time-ago.tsx';
import type { ImportedTicket } from './tickets-queries.ts';
import { useTicketsWords } from './tickets-words.ts';

/** The question, the reply of the agent and the answer, side by side. */
export function TicketSides({ ticket }: { readonly ticket: ImportedTicket }) {
  const words = useTicketsWords();
  const isSilent = ticket.verdict === 'none' || ticket.answer === null;
  return (
    <div className="p-ticket-sides">
      <div data-side="asked">
        <h3>
          {words.asked} <TimeAgo at={ticket.asked_at} />
        </h3>
        <p>{ticket.question}</p>
      </div>
      <div data-side="agent">
        <h3>{words.agentWrote}</h3>
        <p>{ticket.reply}</p>
      </div>
      <div data-side="answer">
        <h3>{words.wouldSay}</h3>
        {isSilent ? <p>{words.nothingSaid}</p> : <MarkdownText text={ticket.answer ?? ''} />}
        {ticket.source_title !== null && !isSilent && (
          <Text size="xs" c="var(--p-text-2)" className="p-ticket-sign">
            <Icon of={FileText} size={12} />
            {words.rested(ticket.source_title)}
          </Text>
        )}
        <Text size="xs" c="var(--p-text-2)">
          {ticket.because}
        </Text>
      </div>
    </div>
  );
}
