import type { Conversation } from '../../../api/queries/conversation.ts';
import { useTexts } from '../../../texts/texts.tsx';
import { Ring } from '../ring.tsx';
import { useNow } from './use-times.ts';

/** The clock that ends next: a ring and the time. Without targets, it shows how long the visitor waits. */
export function SlaPill({ head }: { readonly head: Conversation }) {
  const { texts } = useTexts();
  const words = texts.conversation.clock;
  const now = useNow(10_000);
  const clock = head.sla.first_response ?? head.sla.resolution;
  if (clock === null) {
    if (head.waiting_since === null) return null;
    return <span className="p-pill p-numbers">{words.waits(now - Date.parse(head.waiting_since))}</span>;
  }
  const since = Date.parse(clock.since);
  const all = Date.parse(clock.due_at) - since;
  const share = Math.min(1, Math.max(0, (now - since) / all));
  const over = now - since - all;
  const tone = over > 0 ? 'red' : share >= 0.75 ? 'amber' : 'grey';
  const used = Math.floor((now - since) / 60_000);
  return (
    <span className="p-pill p-numbers" data-tone={tone}>
      <Ring share={share} />
      {over > 0 ? words.over(over) : words.used(used, Math.round(all / 60_000))}
    </span>
  );
}
