import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { channelStatesQuery, channelsQuery } from '../../../api/queries/channels.ts';
import { conversationAuditQuery } from '../../../api/queries/conversation.ts';
import { useMay } from '../../../api/queries/workspace.ts';
import { TriangleAlert } from '../../../icons.ts';
import { Icon } from '../../../parts/icon.tsx';
import { ErrorState } from '../../../parts/states/error-state.tsx';
import { Skeletons } from '../../../parts/states/skeletons.tsx';
import { kindName, useTexts } from '../../../texts/texts.tsx';
import { KindIcon } from '../../channels/cards/kind-icon.tsx';
import { describeChange } from '../conversation/thread/change-line.tsx';
import { nameOf, useDesk } from '../conversation/use-desk.ts';
import { useTimes } from '../conversation/use-times.ts';
import { Customer } from './customer.tsx';
import { Handling } from './handling.tsx';
import { Section } from './section.tsx';
import { ServiceLevel } from './service-level.tsx';
import './details.css';

/** The known facts about the customer and the conversation. */
export function Details() {
  const { texts } = useTexts();
  const words = texts.conversation.side;
  const { head } = useDesk();
  return (
    <aside className="p-details" aria-label={texts.conversation.details}>
      <ChannelHealth />
      <Customer />
      <ServiceLevel head={head} />
      <Handling />
      {head.summary !== null && (
        <Section title={words.summary}>
          <p className="p-details-text" dir="auto">
            {head.summary}
          </p>
        </Section>
      )}
      <Rating />
      <Earlier />
      <Metadata />
      <Audit />
    </aside>
  );
}

/** Shown only if the channel has a fault, because replies may not arrive. */
function ChannelHealth() {
  const { texts } = useTexts();
  const words = texts.conversation.side.health;
  const { place, head, channelName } = useDesk();
  const may = useMay('channels:read');
  const isAsked = may && head.channel_id !== null;
  const { data } = useQuery({ ...channelStatesQuery(place.workspace), enabled: isAsked });
  const state = data?.states.find(({ channel_id }) => channel_id === head.channel_id)?.state;
  const isIll = state === 'refused' || state === 'stale' || state === 'off';
  const channels = useQuery({ ...channelsQuery(place.workspace), enabled: isAsked && isIll }).data?.channels;
  const trouble = channels?.find(({ id }) => id === head.channel_id)?.last_error ?? null;
  if (!isIll || head.channel_id === null) return null;
  return (
    <div className="p-details-health" role="status">
      <p>
        <Icon of={TriangleAlert} />
        {words.title(channelName)}
      </p>
      {trouble !== null && <q>{trouble}</q>}
      <Link
        to="/w/$workspace/channels/$channel"
        params={{ workspace: place.workspace, channel: head.channel_id }}
      >
        {words.open}
      </Link>
    </div>
  );
}

function Rating() {
  const { texts } = useTexts();
  const words = texts.conversation.side;
  const { head } = useDesk();
  const [latest, ...others] = head.ratings;
  if (latest === undefined) return null;
  const { score, comment } = latest;
  const scores = others.flatMap((other) => other.score ?? []);
  return (
    <Section title={words.rating}>
      <p className="p-details-text">{score === null ? words.ratingAsked : words.ratingOf(score)}</p>
      {comment !== null && comment !== '' && <q className="p-details-text">{comment}</q>}
      {scores.length > 0 && <p className="p-details-dim">{words.otherRatings(scores)}</p>}
    </Section>
  );
}

function Earlier() {
  const { texts } = useTexts();
  const { place, head } = useDesk();
  const times = useTimes();
  const { earlier } = head;
  return (
    <Section title={texts.conversation.side.earlier} count={earlier.length}>
      {earlier.length === 0 ? (
        <p className="p-details-dim">{texts.conversation.side.noEarlier}</p>
      ) : (
        <ul className="p-details-list">
          {earlier.map((each) => (
            <li key={each.id}>
              <Link
                to="/w/$workspace/inbox/$conversation"
                params={{ workspace: place.workspace, conversation: each.id }}
              >
                <KindIcon kind={each.channel} size={14} label={kindName(each.channel, texts)} />
                <span>{each.last_line?.text ?? texts.conversation.empty}</span>
                <time dateTime={each.last_message_at} title={times.exact(each.last_message_at)}>
                  {times.short(each.last_message_at)}
                </time>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Fields that connectors use internally, and fields that are shown above already. */
const isOfPlatform = (name: string) => name === 'page' || name === 'sender' || name.startsWith('channel_');

/** Metadata from the page of the visitor, such as its address. */
function Metadata() {
  const { texts } = useTexts();
  const { head } = useDesk();
  const fields = Object.entries(head.metadata ?? {}).filter(([name]) => !isOfPlatform(name));
  if (fields.length === 0) return null;
  return (
    <Section title={texts.conversation.side.metadata}>
      <dl className="p-details-facts">
        {fields.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** The changes with those that the thread leaves out; loaded on request. */
function Audit() {
  const { texts } = useTexts();
  const words = texts.conversation.side;
  const { place, agents, name } = useDesk();
  const times = useTimes();
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...conversationAuditQuery(place), enabled: isOpen });
  const naming = { texts, visitor: name, nameOf: (actor: string) => nameOf(agents, actor) };
  return (
    <Section title={words.audit}>
      <button type="button" className="p-plain-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? words.hideAudit : words.showAudit}
      </button>
      {isOpen && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isOpen && error === null && data === undefined && <Skeletons rows={3} height={32} />}
      {isOpen && data !== undefined && (
        <ul className="p-details-audit">
          {data.length === 0 && <li className="p-details-dim">{words.noAudit}</li>}
          {data.map((change) => (
            <li key={change.id}>
              {describeChange(change, naming)}
              <time dateTime={change.at} title={times.exact(change.at)}>
                {times.short(change.at)}, {times.clock(change.at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
