import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { toProblem } from '../api/problem.ts';
import { countsQuery, findLatestIds, mentionsQuery } from '../api/queries/inbox.ts';
import { type NotificationChoice, useMe } from '../api/queries/me.ts';
import { useTexts } from '../texts/texts.tsx';
import { Arrivals, comparedRows } from './arrivals.ts';
import { leadsStream } from './live-state.ts';

/** The views for which a person can be notified. */
export const toldViews = ['waiting', 'mine', 'unread', 'sla_at_risk'] as const;

/** After a failure it checks again, because no other change may come. */
const retryMs = 5_000;

/** The lock of the tab that the person looks at, so that no other tab rings meanwhile. */
const lookingLock = 'parley-looking';

/**
 * Notifies the person when a note names them, or one of their views gets a conversation: by a notification of the
 * browser, a sound, or both, as they chose. It names the view and the number, never a visitor or a text. Use it once,
 * in the frame.
 */
export function useNotify(workspace: string | null): void {
  const client = useQueryClient();
  const { person } = useMe();
  const { texts } = useTexts();
  const choice = person.notifications;
  useEffect(holdWhileLooking, []);
  useNotifyOfMentions(workspace);
  useEffect(() => {
    if (workspace === null || !(choice.browser || choice.sound)) return;
    const arrivals = new Arrivals();
    let isLooking = false;
    let looksAgain = false;
    const ended = new AbortController();
    const look = async (): Promise<void> => {
      const told = toldViews.filter((view) => choice.views.includes(view));
      const lists = await Promise.all(
        told.map(async (view) => ({
          view,
          ids: await findLatestIds(workspace, { view, limit: comparedRows }),
        })),
      );
      // All lists are read before any is compared: a compared view would not be new at the next attempt.
      const [first] = lists.filter(({ view, ids }) => arrivals.hasNew(view, ids));
      if (first === undefined) return;
      const { view } = first;
      const count = readCounts(client.getQueryData(countsQuery(workspace).queryKey)).get(view) ?? 1;
      const title = texts.me.notifications.views[view];
      await ring(choice, { title, body: texts.me.notifications.body(count), tag: workspace });
    };
    const lookInTurn = () => {
      looksAgain = true;
      if (isLooking) return;
      isLooking = true;
      void (async () => {
        while (looksAgain) {
          looksAgain = false;
          await look().catch(async (error: unknown) => {
            const { status } = toProblem(error);
            // A refusal is one again.
            if (ended.signal.aborted || (status >= 400 && status < 500)) return;
            looksAgain = true;
            await pause(retryMs, ended.signal);
          });
        }
        isLooking = false;
      })();
    };
    const unsubscribe = client.getQueryCache().subscribe(({ type, query }) => {
      const [topic, of] = query.queryKey;
      if (type !== 'updated' || topic !== 'conversation-counts' || of !== workspace) return;
      if (query.state.status === 'success' && leadsStream()) lookInTurn();
    });
    return () => {
      ended.abort();
      unsubscribe();
    };
  }, [client, workspace, choice, texts]);
}

/** Ends early if the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Tells the person that a note names them. */
function useNotifyOfMentions(workspace: string | null): void {
  const client = useQueryClient();
  const { person } = useMe();
  const { texts } = useTexts();
  const choice = person.notifications;
  useEffect(() => {
    if (workspace === null || !(choice.browser || choice.sound)) return;
    const { queryKey } = mentionsQuery(workspace);
    let before = client.getQueryData(queryKey)?.unread ?? null;
    return client.getQueryCache().subscribe(({ type, query }) => {
      if (type !== 'updated' || query.queryKey[0] !== queryKey[0]) return;
      const unread = client.getQueryData(queryKey)?.unread;
      if (unread === undefined) return;
      const isNamed = before !== null && unread > before;
      before = unread;
      if (!isNamed || !leadsStream()) return;
      void ring(choice, { ...texts.frame.mentions.notice, tag: `${workspace}-mentions` });
    });
  }, [client, workspace, choice, texts]);
}

/** The counts of an answer of `conversation-counts`, by view. */
function readCounts(data: unknown): ReadonlyMap<string, number> {
  const groups = typeof data === 'object' && data !== null ? Object.values(data) : [];
  const pairs = groups.flatMap((group: unknown) =>
    typeof group === 'object' && group !== null ? Object.entries(group) : [],
  );
  return new Map(pairs.flatMap(([view, count]) => (typeof count === 'number' ? [[view, count]] : [])));
}

interface Ring {
  readonly title: string;
  readonly body: string;
  /** A newer notification replaces the former. */
  readonly tag: string;
}

async function ring({ browser, sound }: NotificationChoice, { title, body, tag }: Ring): Promise<void> {
  if (await isLooking()) return;
  if (sound) playSound();
  if (!browser || !('Notification' in window) || Notification.permission !== 'granted') return;
  const shown = new Notification(title, { body, tag });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

/** Two short tones. */
export function playSound(): void {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.12, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.45);
  volume.connect(audio.destination);
  const tone = audio.createOscillator();
  tone.frequency.setValueAtTime(660, audio.currentTime);
  tone.frequency.setValueAtTime(880, audio.currentTime + 0.14);
  tone.connect(volume);
  tone.onended = () => void audio.close();
  tone.start();
  tone.stop(audio.currentTime + 0.45);
}

function holdWhileLooking(): (() => void) | undefined {
  if (!('locks' in navigator)) return undefined;
  const ended = new AbortController();
  let release: () => void = () => {};
  const hold = () => {
    release();
    if (!document.hasFocus()) return;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    navigator.locks.request(lookingLock, { mode: 'shared' }, () => held).catch(() => {});
  };
  hold();
  addEventListener('focus', hold, { signal: ended.signal });
  addEventListener('blur', hold, { signal: ended.signal });
  return () => {
    ended.abort();
    release();
  };
}

/** Whether a tab of this browser has the person's attention. */
async function isLooking(): Promise<boolean> {
  if (!('locks' in navigator)) return document.hasFocus();
  return navigator.locks.request(lookingLock, { ifAvailable: true }, (lock) => lock === null);
}
